/* compiler/syntax/parser.c: the frame of the parser and its recovery.
 *
 * A recursive-descent parser over the token array. Mistakes are reported where they are met and
 * passed up as NULL or false to a place that knows how to go on; the recovery functions here find
 * that place by brackets and, because mistakes often leave brackets open, by indentation. */
#include "compiler/syntax/parser_internal.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- tokens ------------------------------------------------------------------------------- */

TokenKind parser_kind(const Parser *parser) {
    const Token *token = &parser->tokens[parser->at];
    if (token->line_start && !parser->free_lines && parser->fresh != parser->at &&
        token->kind != TOKEN_END) {
        return TOKEN_NEWLINE;
    }
    return (TokenKind)token->kind;
}

TokenKind parser_next_kind(const Parser *parser) {
    if (parser->tokens[parser->at].kind == TOKEN_END) {
        return TOKEN_END;
    }
    const Token *token = &parser->tokens[parser->at + 1];
    if (token->line_start && !parser->free_lines && token->kind != TOKEN_END) {
        return TOKEN_NEWLINE;
    }
    return (TokenKind)token->kind;
}

static Str token_text(const Parser *parser, size_t at) {
    return str_slice(parser->file->text, parser->tokens[at].from, parser->tokens[at].to);
}

Str parser_token_text(const Parser *parser) {
    return token_text(parser, parser->at);
}

bool parser_at_word(const Parser *parser, Str word) {
    return parser_kind(parser) == TOKEN_NAME && str_equal(parser_token_text(parser), word);
}

void parser_skip_lines(Parser *parser) {
    parser->fresh = parser->at;
}

void parser_advance(Parser *parser) {
    if (parser->tokens[parser->at].kind != TOKEN_END) {
        parser->at++;
    }
}

bool parser_accept(Parser *parser, TokenKind kind) {
    if (parser_kind(parser) != kind) {
        return false;
    }
    parser_advance(parser);
    return true;
}

/* The place just behind the last token read, for messages about what is missing. */
static Span end_span(const Parser *parser) {
    uint32_t at = parser->at == 0 ? 0 : parser->tokens[parser->at - 1].to;
    return (Span){parser->file, at, at};
}

Span parser_span(const Parser *parser) {
    TokenKind kind = parser_kind(parser);
    if (kind == TOKEN_NEWLINE || kind == TOKEN_END) {
        return end_span(parser);
    }
    const Token *token = &parser->tokens[parser->at];
    return (Span){parser->file, token->from, token->to};
}

Span parser_span_from(const Parser *parser, size_t first) {
    uint32_t from = parser->tokens[first].from;
    uint32_t to = parser->at > first ? parser->tokens[parser->at - 1].to : from;
    return (Span){parser->file, from, to};
}

/* ---- messages ----------------------------------------------------------------------------- */

void parser_error(Parser *parser, Span span, const char *help, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    Diagnostic *diagnostic = diagnostic_add(parser->diagnostics, CODE_P001, span, "%s", text);
    if (help != NULL) {
        diagnostic_help(parser->diagnostics, diagnostic, "%s", help);
    }
}

/* What is worth saying about a token that was not expected, whatever was. */
static const char *help_for_found(TokenKind kind) {
    switch (kind) {
    case TOKEN_ASSIGN:
        return "`=` assigns, `==` compares; arguments have no names";
    case TOKEN_EQUAL:
        return "`==` compares; `=` assigns";
    case TOKEN_AND:
    case TOKEN_OTHER:
    case TOKEN_PACKAGE:
    case TOKEN_EXPOSES:
    case TOKEN_PUBLIC:
    case TOKEN_TYPE:
        return "a word of the language cannot be a name";
    default:
        return NULL;
    }
}

void parser_expected(Parser *parser, const char *what, const char *help) {
    TokenKind kind = parser_kind(parser);
    parser->end_reported = parser->end_reported || kind == TOKEN_END;
    Str found = token_kind_text(kind);
    const char *quote = "";
    if (kind == TOKEN_NAME || kind == TOKEN_NUMBER) {
        found = parser_token_text(parser);
        quote = "`";
    }
    if (help == NULL) {
        help = help_for_found(kind);
    }
    found = str_slice(found, 0, 60);
    parser_error(parser, parser_span(parser), help, "expected %s, found %s" STR_FMT "%s", what,
                 quote, STR_ARG(found), quote);
}

bool parser_expect(Parser *parser, TokenKind kind, const char *help) {
    if (parser_accept(parser, kind)) {
        return true;
    }
    char what[32];
    snprintf(what, sizeof what, STR_FMT, STR_ARG(token_kind_text(kind)));
    parser_expected(parser, what, help);
    return false;
}

bool parser_expect_name(Parser *parser, const char *what, const char *help, Name *out) {
    if (parser_kind(parser) != TOKEN_NAME) {
        parser_expected(parser, what, help);
        return false;
    }
    *out = (Name){parser_token_text(parser), parser_span(parser)};
    parser_advance(parser);
    return true;
}

bool parser_expect_text(Parser *parser, const char *what, const char *help, Str *out, Span *span) {
    if (parser_kind(parser) != TOKEN_TEXT) {
        parser_expected(parser, what, help);
        return false;
    }
    *out = lexer_decode_text(parser->arena, parser_token_text(parser));
    *span = parser_span(parser);
    parser_advance(parser);
    return true;
}

/* The parts of a path stand on one line, even where line ends are free. */
bool parser_path(Parser *parser, const char *what, const char *help, Path *out) {
    VEC(Name) parts = {0};
    size_t first = parser->at;
    for (;;) {
        Name part;
        if (!parser_expect_name(parser, what, help, &part)) {
            return false;
        }
        vec_push(parser->arena, &parts, part);
        const Token *token = &parser->tokens[parser->at];
        if (token->kind != TOKEN_DOT || token->line_start) {
            break;
        }
        if (parser->free_lines && token[1].line_start) {
            break;
        }
        parser_advance(parser);
        what = "a name behind the `.`";
        help = NULL;
    }
    *out = (Path){parts.items, parts.count, parser_span_from(parser, first)};
    return true;
}

/* ---- nesting ------------------------------------------------------------------------------ */

bool parser_enter(Parser *parser) {
    if (++parser->level <= EXPR_LEVELS_MOST) {
        return true;
    }
    const Token *opener = &parser->tokens[parser->at > 0 ? parser->at - 1 : 0];
    Diagnostic *diagnostic = diagnostic_add(
        parser->diagnostics, CODE_P009, (Span){parser->file, opener->from, opener->to},
        "more than %d levels inside each other", EXPR_LEVELS_MOST);
    diagnostic_help(parser->diagnostics, diagnostic, "assign parts of it to names first");
    return false;
}

void parser_leave(Parser *parser) {
    parser->level--;
}

/* ---- recovery ----------------------------------------------------------------------------- */

static bool opens(TokenKind kind) {
    return kind == TOKEN_OPEN_PAREN || kind == TOKEN_OPEN_BRACE || kind == TOKEN_OPEN_BRACKET;
}

static bool closes(TokenKind kind) {
    return kind == TOKEN_CLOSE_PAREN || kind == TOKEN_CLOSE_BRACE || kind == TOKEN_CLOSE_BRACKET;
}

/* Bytes before a token that begins a line. */
static uint32_t indent_at(const Parser *parser, size_t at) {
    uint32_t from = parser->tokens[at].from;
    uint32_t start = from;
    while (start > 0 && parser->file->text.ptr[start - 1] != '\n' &&
           parser->file->text.ptr[start - 1] != '\r') {
        start--;
    }
    return from - start;
}

/* Bytes before the first token of the line that holds the token. Remembers where it was asked last,
 * so that a line of many mistakes is walked once. */
static uint32_t indent_of_line(Parser *parser, size_t token) {
    size_t at = token;
    while (at > 0 && !parser->tokens[at].line_start && at != parser->indent_token) {
        at--;
    }
    if (at != parser->indent_token) {
        parser->indent = indent_at(parser, at);
    }
    parser->indent_token = token;
    return parser->indent;
}

/* How far a look ahead goes, so that it stays linear in broken files. */
enum { SIGNATURE_TOKENS = 2000 };

/* `name(…) (`: two pairs of parentheses begin a function, never a statement that means something. */
static bool is_function_at(const Parser *parser, size_t at) {
    const Token *tokens = parser->tokens;
    if (tokens[at].kind != TOKEN_NAME) {
        return false;
    }
    for (at++; tokens[at].kind == TOKEN_DOT && tokens[at + 1].kind == TOKEN_NAME;) {
        at += 2;
    }
    if (tokens[at].kind != TOKEN_OPEN_PAREN || tokens[at].line_start) {
        return false;
    }
    int depth = 0;
    size_t most = at + SIGNATURE_TOKENS;
    for (; tokens[at].kind != TOKEN_END && at < most; at++) {
        TokenKind kind = (TokenKind)tokens[at].kind;
        depth += opens(kind) ? 1 : closes(kind) ? -1 : 0;
        if (depth == 0) {
            return tokens[at + 1].kind == TOKEN_OPEN_PAREN && !tokens[at + 1].line_start;
        }
        if (kind == TOKEN_OPEN_BRACE) {
            return false;
        }
    }
    return false;
}

static bool begins_decl_at(const Parser *parser, size_t at) {
    const Token *tokens = parser->tokens;
    if (tokens[at].kind == TOKEN_TYPE || tokens[at].kind == TOKEN_PUBLIC) {
        return true;
    }
    if (tokens[at].kind != TOKEN_NAME) {
        return false;
    }
    Str word = token_text(parser, at);
    bool prefix = str_equal(word, STR("transaction")) || str_equal(word, STR("job"));
    return is_function_at(parser, prefix && tokens[at + 1].kind == TOKEN_NAME ? at + 1 : at);
}

bool parser_at_function_line(const Parser *parser) {
    return parser->tokens[parser->at].line_start && indent_at(parser, parser->at) == 0 &&
           begins_decl_at(parser, parser->at);
}

/* Brackets opened since a construct began. A `}` that closes a brace is believed over a parenthesis
 * that was forgotten inside. */
typedef struct Open {
    int braces;
    int others;
} Open;

static void count_bracket(Open *open, TokenKind kind) {
    if (kind == TOKEN_OPEN_BRACE) {
        open->braces++;
    } else if (kind == TOKEN_CLOSE_BRACE) {
        open->braces -= open->braces > 0;
    } else if (opens(kind)) {
        open->others++;
    } else if (closes(kind)) {
        open->others -= open->others > 0;
    }
}

static bool is_inside(const Open *open) {
    return open->braces > 0 || open->others > 0;
}

static bool ends_line(const Parser *parser, const Open *open, size_t at, uint32_t indent) {
    const Token *token = &parser->tokens[at];
    TokenKind kind = (TokenKind)token->kind;
    if (kind == TOKEN_CLOSE_BRACE && open->braces == 0) {
        return true;
    }
    bool outdented = token->line_start && indent_at(parser, at) <= indent;
    return outdented && (!is_inside(open) || !closes(kind));
}

void parser_recover_line(Parser *parser, size_t first) {
    uint32_t indent = indent_of_line(parser, first);
    Open open = {0};
    size_t at = first;
    for (; parser->tokens[at].kind != TOKEN_END; at++) {
        bool moved = at > first || parser->tokens[at].kind == TOKEN_CLOSE_BRACE;
        if (at >= parser->at && moved && ends_line(parser, &open, at, indent)) {
            break;
        }
        count_bracket(&open, (TokenKind)parser->tokens[at].kind);
    }
    parser->at = at;
    parser_skip_lines(parser);
}

static bool ends_decl(const Parser *parser, const Open *open, size_t at, uint32_t indent) {
    const Token *token = &parser->tokens[at];
    if (!token->line_start) {
        return false;
    }
    if (is_inside(open)) {
        return indent_at(parser, at) <= indent && begins_decl_at(parser, at);
    }
    return token->kind == TOKEN_NAME || token->kind == TOKEN_TYPE || token->kind == TOKEN_PUBLIC;
}

void parser_recover_decl(Parser *parser, size_t first) {
    uint32_t indent = indent_of_line(parser, first);
    Open open = {0};
    size_t at = first;
    while (parser->tokens[at].kind != TOKEN_END) {
        if (at >= parser->at && at > first && ends_decl(parser, &open, at, indent)) {
            break;
        }
        TokenKind kind = (TokenKind)parser->tokens[at].kind;
        count_bracket(&open, kind);
        at++;
        if (kind == TOKEN_CLOSE_BRACE && open.braces == 0 && at > parser->at) {
            break;
        }
    }
    parser->at = at;
    parser_skip_lines(parser);
}

/* ---- lists and blocks --------------------------------------------------------------------- */

bool parser_list(Parser *parser, TokenKind close, const char *what, ParseElement *element,
                 void *into) {
    parser_skip_lines(parser);
    if (parser_accept(parser, close)) {
        return true;
    }
    for (;;) {
        if (!element(parser, into)) {
            return false;
        }
        parser_skip_lines(parser);
        if (parser_accept(parser, close)) {
            return true;
        }
        char wanted[48];
        snprintf(wanted, sizeof wanted, "`,` or " STR_FMT, STR_ARG(token_kind_text(close)));
        if (parser_kind(parser) != TOKEN_COMMA) {
            parser_expected(parser, wanted, NULL);
            return false;
        }
        parser_advance(parser);
        parser_skip_lines(parser);
        if (parser_kind(parser) == close) {
            parser_expected(parser, what, "no comma stands behind the last one");
            return false;
        }
    }
}

bool parser_member_end(Parser *parser, const char *help) {
    TokenKind kind = parser_kind(parser);
    if (kind == TOKEN_NEWLINE || kind == TOKEN_CLOSE_BRACE || kind == TOKEN_END) {
        return true;
    }
    bool closer = kind == TOKEN_CLOSE_PAREN || kind == TOKEN_CLOSE_BRACKET;
    parser_expected(parser, "the end of the line", closer ? "it closes nothing" : help);
    return false;
}

static void report_open_block(Parser *parser, Span brace) {
    if (parser_kind(parser) == TOKEN_END && parser->end_reported) {
        return;
    }
    Diagnostic *diagnostic;
    if (parser_kind(parser) == TOKEN_END) {
        parser->end_reported = true;
        diagnostic = diagnostic_add(parser->diagnostics, CODE_P001, parser_span(parser),
                                    "expected `}`, found the end of the file");
    } else {
        diagnostic = diagnostic_add(parser->diagnostics, CODE_P001, parser_span(parser),
                                    "expected `}`, found the next declaration");
    }
    diagnostic_note(parser->diagnostics, diagnostic, brace, "this `{` is not closed");
}

bool parser_block(Parser *parser, ParseElement *member, void *into) {
    Span brace = parser_span(parser);
    if (!parser_expect(parser, TOKEN_OPEN_BRACE, NULL)) {
        return false;
    }
    bool free_lines = parser->free_lines;
    parser->free_lines = false;
    bool good = true;
    bool closed = false;
    for (;;) {
        parser_skip_lines(parser);
        closed = parser_accept(parser, TOKEN_CLOSE_BRACE);
        if (closed) {
            break;
        }
        if (parser_kind(parser) == TOKEN_END || parser_at_function_line(parser)) {
            report_open_block(parser, brace);
            break;
        }
        size_t first = parser->at;
        if (!member(parser, into) ||
            !parser_member_end(parser, "members and statements stand on lines of their own")) {
            good = false;
            parser_recover_line(parser, first);
        }
    }
    parser->free_lines = free_lines;
    return good && closed;
}

/* ---- files -------------------------------------------------------------------------------- */

Decl *parser_decl_new(Parser *parser, DeclKind kind) {
    Decl *decl = arena_make(parser->arena, Decl);
    decl->kind = kind;
    return decl;
}

static Decl *function_decl(Parser *parser) {
    FunctionNode *function = parser_function(parser);
    if (function == NULL) {
        return NULL;
    }
    Decl *decl = parser_decl_new(parser, DECL_FUNCTION);
    decl->function = function;
    return decl;
}

static Decl *parse_decl(Parser *parser) {
    Decl *decl;
    switch (parser_kind(parser)) {
    case TOKEN_PACKAGE:
    case TOKEN_EXPOSES:
        parser_error(parser, parser_span(parser),
                     "remove the line; the path of the file is its identity",
                     "files have no `" STR_FMT "` line", STR_ARG(parser_token_text(parser)));
        return NULL;
    case TOKEN_TYPE:
        return parser_type_decl(parser);
    case TOKEN_PUBLIC:
    case TOKEN_NAME:
        if (parser_role_decl(parser, &decl)) {
            return decl;
        }
        if (parser_at_word(parser, STR("global")) && parser_next_kind(parser) == TOKEN_TYPE) {
            return parser_type_decl(parser);
        }
        return function_decl(parser);
    default:
        parser_expected(parser, "a declaration", NULL);
        return NULL;
    }
}

static void parse_file(Parser *parser) {
    for (;;) {
        parser_skip_lines(parser);
        if (parser_kind(parser) == TOKEN_END) {
            return;
        }
        size_t first = parser->at;
        Decl *decl = parse_decl(parser);
        if (decl == NULL) {
            parser->free_lines = false;
            parser->level = 0;
            parser_recover_decl(parser, first);
            continue;
        }
        decl->span = parser_span_from(parser, first);
        vec_push(parser->arena, &parser->tree->decls, decl);
    }
}

FileTree *parser_parse(Diagnostics *diagnostics, const SourceFile *file) {
    size_t errors = diagnostics->errors;
    FileTree *tree = arena_make(diagnostics->arena, FileTree);
    tree->file = file;
    TokenList list;
    if (lexer_scan(diagnostics, file, &list)) {
        Parser parser = {
            .diagnostics = diagnostics,
            .arena = diagnostics->arena,
            .file = file,
            .tokens = list.tokens.items,
            .fresh = SIZE_MAX,
            .indent_token = SIZE_MAX,
            .tree = tree,
        };
        tree->tokens = list.tokens.items;
        tree->token_count = list.tokens.count;
        tree->comments.items = list.comments.items;
        tree->comments.count = tree->comments.capacity = list.comments.count;
        parse_file(&parser);
    }
    tree->failed = diagnostics->errors > errors;
    return tree;
}
