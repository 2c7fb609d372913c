/* compiler/syntax/lexer.c: one pass over the bytes of a file.
 *
 * A lexical error does not stop the pass: the offending characters are skipped, so that all errors of
 * a file are reported at once. Comments go to a list of their own, for the formatter. */
#include "compiler/syntax/lexer.h"

#include <string.h>

#include "base/utf8.h"

/* ---- tables ------------------------------------------------------------------------------- */

static const Str kind_texts[TOKEN_COUNT] = {
#define TOKEN(id, shown) STR_INIT(shown),
#define MARK(id, text) STR_INIT("`" text "`"),
#define KEYWORD(id, word) STR_INIT("`" word "`"),
#include "compiler/syntax/token.def"
};

Str token_kind_text(TokenKind kind) {
    return kind_texts[kind];
}

#define HELP_BRANCH "write one clause per case: functions of one name whose input patterns differ"
#define HELP_LOOP "use `each`, `filter`, `find` or `reduce` with the name of a function"
#define HELP_FAILURE \
    "raise with `fail(Choice.Variant)`; `result(call(…))` turns failures into a value"
#define HELP_IMPORT "there are no imports: write the path, as in `app.submit` or `text.trim`"
#define HELP_NAME "the word is reserved; choose another name"

typedef struct Word {
    Str text;
    TokenKind kind;
    const char *help; /* of a rejected word, else NULL */
} Word;

static const Word keywords[] = {
#define KEYWORD(id, word) {STR_INIT(word), TOKEN_##id, NULL},
#include "compiler/syntax/token.def"
};

static const Word rejected[] = {
#define REJECTED(word, help) {STR_INIT(word), TOKEN_NAME, help},
#include "compiler/syntax/token.def"
};

static const Word marks[] = {
#define MARK(id, text) {STR_INIT(text), TOKEN_##id, NULL},
#include "compiler/syntax/token.def"
};

_Static_assert(COUNT_OF(rejected) <= 32, "Lexer.refused has a bit for each");

static const Word *find_word(const Word *words, size_t count, Str text) {
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = str_compare(text, words[middle].text);
        if (order == 0) {
            return &words[middle];
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

/* What to write instead of characters that people bring from other languages. */
static const struct {
    Str character;
    const char *help;
} characters[] = {
    {STR_INIT(";"), "a statement ends with its line"},
    {STR_INIT("'"), "a text stands in double quotes: \"…\""},
    {STR_INIT("`"), "a text stands in double quotes: \"…\""},
    {STR_INIT("“"), "a text stands in straight double quotes: \"…\""},
    {STR_INIT("”"), "a text stands in straight double quotes: \"…\""},
    {STR_INIT("!"), "write `not`; `!=` compares"},
    {STR_INIT("&"), "write `and`"},
    {STR_INIT("|"), "write `or`"},
    {STR_INIT("^"), "there is no power operator: `math.pow(base, exponent)`"},
    {STR_INIT("\\"), "an expression goes on inside parentheses"},
    {STR_INIT("\f"), "only blanks and tabs separate words"},
    {STR_INIT("\v"), "only blanks and tabs separate words"},
    {STR_INIT("\xC2\xA0"), "only blanks and tabs separate words"},
    {STR_INIT("\xEF\xBB\xBF"), "save the file without a byte-order mark"},
};

/* ---- the pass ----------------------------------------------------------------------------- */

typedef struct Lexer {
    Diagnostics *diagnostics;
    const SourceFile *file;
    Str text;
    uint32_t at;
    bool line_start; /* a line end was met since the last token */
    bool failed;
    uint32_t refused; /* bit per rejected word: each is reported once in a file */
    TokenList *out;
} Lexer;

static int byte_at(const Lexer *lexer, uint32_t at) {
    return at < lexer->text.len ? (unsigned char)lexer->text.ptr[at] : -1;
}

static bool is_digit(int c) {
    return c >= '0' && c <= '9';
}

static bool is_name_start(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_part(int c) {
    return is_name_start(c) || is_digit(c);
}

static Span span_of(const Lexer *lexer, uint32_t from, uint32_t to) {
    return (Span){lexer->file, from, to};
}

static void push(Lexer *lexer, TokenKind kind, uint32_t from, uint32_t to) {
    Token token = {.kind = (uint8_t)kind, .line_start = lexer->line_start, .from = from, .to = to};
    vec_push(lexer->diagnostics->arena, &lexer->out->tokens, token);
    lexer->line_start = false;
    lexer->at = to;
}

static Diagnostic *fail(Lexer *lexer, Code code, uint32_t from, uint32_t to, const char *text) {
    lexer->failed = true;
    return diagnostic_add(lexer->diagnostics, code, span_of(lexer, from, to), "%s", text);
}

static void read_comment(Lexer *lexer) {
    uint32_t from = lexer->at;
    uint32_t to = from;
    while (byte_at(lexer, to) >= 0 && byte_at(lexer, to) != '\n' && byte_at(lexer, to) != '\r') {
        to++;
    }
    lexer->at = to;
    while (byte_at(lexer, to - 1) == ' ' || byte_at(lexer, to - 1) == '\t') {
        to--;
    }
    Comment comment = {
        .text = str_slice(lexer->text, from, to),
        .span = span_of(lexer, from, to),
        .trailing = !lexer->line_start && lexer->out->tokens.count > 0,
    };
    vec_push(lexer->diagnostics->arena, &lexer->out->comments, comment);
}

static void read_word(Lexer *lexer) {
    uint32_t from = lexer->at;
    uint32_t to = from + 1;
    while (is_name_part(byte_at(lexer, to))) {
        to++;
    }
    Str text = str_slice(lexer->text, from, to);
    const Word *keyword = find_word(keywords, COUNT_OF(keywords), text);
    const Word *refused = keyword ? NULL : find_word(rejected, COUNT_OF(rejected), text);
    uint32_t bit = refused ? UINT32_C(1) << (refused - rejected) : 0;
    if ((bit & ~lexer->refused) != 0) {
        lexer->failed = true;
        lexer->refused |= bit;
        Diagnostic *diagnostic =
            diagnostic_add(lexer->diagnostics, CODE_L003, span_of(lexer, from, to),
                           "Dever has no `" STR_FMT "`", STR_ARG(text));
        diagnostic_help(lexer->diagnostics, diagnostic, "%s", refused->help);
    }
    push(lexer, keyword ? keyword->kind : TOKEN_NAME, from, to);
}

static uint32_t skip_digits(const Lexer *lexer, uint32_t at) {
    while (is_digit(byte_at(lexer, at))) {
        at++;
    }
    return at;
}

static void read_number(Lexer *lexer) {
    uint32_t from = lexer->at;
    uint32_t to = skip_digits(lexer, from);
    if (byte_at(lexer, to) == '.' && is_digit(byte_at(lexer, to + 1))) {
        to = skip_digits(lexer, to + 1);
    }
    bool missing = false;
    int mark = byte_at(lexer, to);
    if (mark == 'e' || mark == 'E') {
        int sign = byte_at(lexer, to + 1);
        uint32_t digits = to + (sign == '+' || sign == '-' ? 2 : 1);
        missing = !is_digit(byte_at(lexer, digits));
        to = skip_digits(lexer, digits);
    }
    uint32_t suffix = to;
    while (is_name_part(byte_at(lexer, to))) {
        to++;
    }
    if (missing) {
        Diagnostic *diagnostic =
            fail(lexer, CODE_L004, from, to, "the exponent of this number has no digits");
        diagnostic_help(lexer->diagnostics, diagnostic, "write it as in `1e3` or `2.5E-6`");
    } else if (to > suffix) {
        Diagnostic *diagnostic = fail(lexer, CODE_L004, from, to, "a number ends with its digits");
        diagnostic_help(lexer->diagnostics, diagnostic,
                        "numbers have decimal digits only, as in `1000`, `2.50` or `1e3`");
    }
    push(lexer, TOKEN_NUMBER, from, to);
}

static int hex_value(int c) {
    if (is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads the escape at a backslash. Returns its length in bytes, 0 when it is malformed; the scalar
 * value goes to *scalar. */
static uint32_t read_escape(Str text, uint32_t at, uint32_t *scalar) {
    static const char letters[] = "\\\"nrt";
    static const char values[] = "\\\"\n\r\t";
    int letter = at + 1 < text.len ? (unsigned char)text.ptr[at + 1] : 0;
    const char *known = letter == 0 ? NULL : strchr(letters, letter);
    if (known != NULL) {
        *scalar = (unsigned char)values[known - letters];
        return 2;
    }
    if (letter != 'u' || at + 2 >= text.len || text.ptr[at + 2] != '{') {
        return 0;
    }
    uint32_t end = at + 3;
    *scalar = 0;
    while (end < text.len && end - at < 9 && hex_value((unsigned char)text.ptr[end]) >= 0) {
        *scalar = *scalar * 16 + (uint32_t)hex_value((unsigned char)text.ptr[end]);
        end++;
    }
    bool is_scalar = *scalar <= 0x10FFFF && (*scalar < 0xD800 || *scalar > 0xDFFF);
    bool closed = end < text.len && text.ptr[end] == '}';
    return end > at + 3 && closed && is_scalar ? end + 1 - at : 0;
}

static void report_escape(Lexer *lexer, uint32_t at) {
    uint32_t to = at + 2 < lexer->text.len ? at + 2 : (uint32_t)lexer->text.len;
    while (((unsigned)byte_at(lexer, to) & 0xC0) == 0x80 && byte_at(lexer, to) >= 0) {
        to++;
    }
    bool unicode = byte_at(lexer, at + 1) == 'u';
    if (unicode) {
        while (byte_at(lexer, to) == '{' || hex_value(byte_at(lexer, to)) >= 0) {
            to++;
        }
        to += byte_at(lexer, to) == '}';
    }
    Diagnostic *diagnostic =
        fail(lexer, CODE_L006, at, to,
             unicode ? "this escape names no Unicode character" : "there is no such escape");
    diagnostic_help(lexer->diagnostics, diagnostic,
                    unicode ? "write one to six hexadecimal digits: `\\u{e9}`, `\\u{1f600}`"
                            : "the escapes are \\\\ \\\" \\n \\r \\t and \\u{…}");
}

static void read_text(Lexer *lexer) {
    uint32_t from = lexer->at;
    uint32_t at = from + 1;
    for (;;) {
        int c = byte_at(lexer, at);
        if (c == '"') {
            push(lexer, TOKEN_TEXT, from, at + 1);
            return;
        }
        if (c < 0 || c == '\n' || c == '\r') {
            Diagnostic *diagnostic =
                fail(lexer, CODE_L005, from, at, "this text has no closing quote on its line");
            diagnostic_help(lexer->diagnostics, diagnostic,
                            "close it with `\"`; a line end inside a text is written `\\n`");
            push(lexer, TOKEN_TEXT, from, at);
            return;
        }
        if (c != '\\') {
            at++;
            continue;
        }
        uint32_t scalar;
        uint32_t length = read_escape(lexer->text, at, &scalar);
        if (length == 0) {
            int escaped = byte_at(lexer, at + 1);
            if (escaped < 0 || escaped == '\n' || escaped == '\r') {
                at++; /* the missing quote is the mistake */
                continue;
            }
            report_escape(lexer, at);
            length = 2;
        }
        at += length;
    }
}

static bool read_mark(Lexer *lexer) {
    Str rest = str_slice(lexer->text, lexer->at, lexer->text.len);
    for (size_t i = COUNT_OF(marks); i-- > 0;) { /* the two-character ones come last */
        if (str_starts_with(rest, marks[i].text)) {
            push(lexer, marks[i].kind, lexer->at, lexer->at + (uint32_t)marks[i].text.len);
            return true;
        }
    }
    return false;
}

/* Reports a run of one and the same unexpected character (`&&`) as one mistake. */
static void report_character(Lexer *lexer) {
    uint32_t from = lexer->at;
    uint32_t one = from + 1;
    while (one - from < 4 && byte_at(lexer, one) >= 0 &&
           ((unsigned)byte_at(lexer, one) & 0xC0) == 0x80) {
        one++;
    }
    Str character = str_slice(lexer->text, from, one);
    uint32_t to = one;
    while (str_equal(str_slice(lexer->text, to, to + character.len), character)) {
        to += (uint32_t)character.len;
    }
    Diagnostic *diagnostic;
    unsigned char first = (unsigned char)character.ptr[0];
    if (first < 0x20 || first == 0x7F) {
        diagnostic = diagnostic_add(lexer->diagnostics, CODE_L001, span_of(lexer, from, to),
                                    "the control character U+%04X does not belong here", first);
    } else {
        diagnostic =
            diagnostic_add(lexer->diagnostics, CODE_L001, span_of(lexer, from, to),
                           "the character `" STR_FMT "` does not belong here", STR_ARG(character));
    }
    for (size_t i = 0; i < COUNT_OF(characters); i++) {
        if (str_equal(characters[i].character, character)) {
            diagnostic_help(lexer->diagnostics, diagnostic, "%s", characters[i].help);
        }
    }
    lexer->failed = true;
    lexer->at = to;
}

bool lexer_scan(Diagnostics *diagnostics, const SourceFile *file, TokenList *out) {
    Lexer lexer = {.diagnostics = diagnostics, .file = file, .text = file->text, .out = out};
    *out = (TokenList){0};
    for (int c; (c = byte_at(&lexer, lexer.at)) >= 0;) {
        if (c == ' ' || c == '\t') {
            lexer.at++;
        } else if (c == '\n' || c == '\r') {
            lexer.line_start = true;
            lexer.at++;
        } else if (c == '#') {
            read_comment(&lexer);
        } else if (is_name_start(c)) {
            read_word(&lexer);
        } else if (is_digit(c)) {
            read_number(&lexer);
        } else if (c == '"') {
            read_text(&lexer);
        } else if (!read_mark(&lexer)) {
            report_character(&lexer);
        }
    }
    push(&lexer, TOKEN_END, (uint32_t)lexer.text.len, (uint32_t)lexer.text.len);
    return !lexer.failed;
}

/* ---- texts -------------------------------------------------------------------------------- */

Str lexer_decode_text(Arena *arena, Str raw) {
    Str inside = str_slice(raw, 1, raw.len > 1 ? raw.len - 1 : 1);
    if (!str_find_char(inside, '\\', NULL)) {
        return inside;
    }
    char *out = arena_alloc(arena, inside.len, 1); /* no escape is shorter than its value */
    size_t length = 0;
    for (uint32_t at = 0; at < inside.len;) {
        uint32_t scalar;
        uint32_t escape = inside.ptr[at] == '\\' ? read_escape(inside, at, &scalar) : 0;
        if (escape > 0) {
            char bytes[4];
            size_t size = utf8_encode(scalar, bytes);
            memcpy(out + length, bytes, size);
            length += size;
            at += escape;
        } else {
            out[length++] = inside.ptr[at++];
        }
    }
    return (Str){out, length};
}
