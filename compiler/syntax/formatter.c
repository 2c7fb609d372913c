/* compiler/syntax/formatter.c: the frame of the formatter: tokens with their comments, lists,
 * blocks, and the order of declarations. format_expr.c and format_decl.c say how each construct is
 * laid out, layout.c where lines break. */
#include "compiler/syntax/formatter.h"

#include "base/utf8.h"
#include "compiler/syntax/format_internal.h"

/* ---- tokens ------------------------------------------------------------------------------- */

TokenKind format_kind(const Formatter *formatter) {
    return (TokenKind)formatter->tokens[formatter->at].kind;
}

void format_space(Formatter *formatter) {
    layout_space(formatter->layout);
}

/* The first token that begins at `from` or behind it. */
size_t format_find(const Formatter *formatter, uint32_t from) {
    size_t low = 0;
    size_t high = formatter->tree->token_count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (formatter->tokens[middle].from < from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void format_go(Formatter *formatter, uint32_t from) {
    formatter->at = format_find(formatter, from);
}

/* Whether an empty line stands before the place. */
static bool blank_before(const Formatter *formatter, uint32_t place) {
    Str text = formatter->tree->file->text;
    int lines = 0;
    for (uint32_t at = place; at > 0 && lines < 2; at--) {
        char c = text.ptr[at - 1];
        if (c == '\n' || (c == '\r' && at < text.len && text.ptr[at] != '\n')) {
            lines++;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            break;
        }
    }
    return lines == 2;
}

/* Prints the comments on lines of their own before the next token. */
static void leading_comments(Formatter *formatter) {
    if (formatter->comments_done) {
        return;
    }
    const Comment *comments = formatter->tree->comments.items;
    for (uint32_t i = formatter->gaps[formatter->at]; i < formatter->gaps[formatter->at + 1]; i++) {
        if (comments[i].trailing) {
            continue;
        }
        if (formatter->member && !formatter->first_member &&
            blank_before(formatter, comments[i].span.from)) {
            layout_blank(formatter->layout);
        }
        formatter->first_member = false;
        layout_comment(formatter->layout, comments[i].text);
    }
    formatter->comments_done = true;
}

static bool is_plain(uint32_t scalar) {
    return scalar >= 0x20 && scalar != 0x7F && !(scalar >= 0x80 && scalar < 0xA0);
}

/* A text literal with the canonical escapes. */
static Str canonical_text(Formatter *formatter, Str raw) {
    static const struct {
        char value;
        const char *escape;
    } escapes[] = {{'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\n"}, {'\r', "\\r"}, {'\t', "\\t"}};
    Str text = lexer_decode_text(formatter->arena, raw);
    Buf out = {0};
    buf_add_char(&out, '"');
    uint32_t scalar;
    for (size_t at = 0; at < text.len;) {
        size_t from = at;
        if (!utf8_next(text, &at, &scalar)) {
            buf_add_char(&out, text.ptr[at++]); /* not UTF-8: as it is */
            continue;
        }
        const char *escape = NULL;
        for (size_t i = 0; i < COUNT_OF(escapes); i++) {
            escape = scalar == (unsigned char)escapes[i].value ? escapes[i].escape : escape;
        }
        if (escape != NULL) {
            buf_add(&out, str_from(escape));
        } else if (is_plain(scalar)) {
            buf_add(&out, str_slice(text, from, at));
        } else {
            buf_format(&out, "\\u{%x}", scalar);
        }
    }
    buf_add_char(&out, '"');
    Str canonical = str_dup(formatter->arena, buf_str(&out));
    formatter->failed = formatter->failed || !buf_ok(&out);
    buf_done(&out);
    return canonical;
}

/* Prints the comment behind a token on its line, if there is one. */
static void trailing_comment(Formatter *formatter, size_t token) {
    uint32_t behind = formatter->gaps[token + 1];
    const Comment *comments = formatter->tree->comments.items;
    if (behind < formatter->gaps[token + 2] && comments[behind].trailing) {
        layout_trailing(formatter->layout, comments[behind].text);
    }
}

void format_token(Formatter *formatter, TokenKind kind) {
    if (formatter->failed || format_kind(formatter) != kind || kind == TOKEN_END) {
        formatter->failed = true;
        return;
    }
    const Token *token = &formatter->tokens[formatter->at];
    leading_comments(formatter);
    if (formatter->member && !formatter->first_member && blank_before(formatter, token->from)) {
        layout_blank(formatter->layout);
    }
    formatter->member = formatter->first_member = formatter->comments_done = false;
    Str text = str_slice(formatter->tree->file->text, token->from, token->to);
    layout_text(formatter->layout, kind == TOKEN_TEXT ? canonical_text(formatter, text) : text);
    formatter->at++;
    formatter->printed++;
    if (formatter->held != formatter->at - 1) {
        trailing_comment(formatter, formatter->at - 1);
    }
}

void format_hold(Formatter *formatter, size_t token) {
    formatter->held = token;
}

void format_release(Formatter *formatter) {
    trailing_comment(formatter, formatter->held);
    formatter->held = SIZE_MAX;
}

/* ---- lists and blocks --------------------------------------------------------------------- */

size_t format_open_list(Formatter *formatter, TokenKind open) {
    size_t group = layout_open(formatter->layout);
    format_token(formatter, open);
    layout_indent(formatter->layout);
    return group;
}

void format_next(Formatter *formatter, bool first) {
    if (!first) {
        format_token(formatter, TOKEN_COMMA);
    }
    layout_soft(formatter->layout, !first);
}

/* Comments before the closing token are indented like the elements. */
void format_close_list(Formatter *formatter, TokenKind close) {
    leading_comments(formatter);
    layout_dedent(formatter->layout);
    layout_soft(formatter->layout, false);
    format_token(formatter, close);
    layout_close(formatter->layout);
}

size_t format_open_block(Formatter *formatter, bool forced) {
    size_t group = layout_open(formatter->layout);
    format_token(formatter, TOKEN_OPEN_BRACE);
    layout_indent(formatter->layout);
    if (forced) {
        layout_line(formatter->layout);
    }
    return group;
}

void format_member(Formatter *formatter, bool first) {
    if (!first) {
        layout_line(formatter->layout);
    } else {
        layout_soft(formatter->layout, true);
    }
    formatter->member = true;
    formatter->first_member = first;
}

void format_close_block(Formatter *formatter) {
    /* An empty line is kept before a comment, but not before the brace. */
    bool empty = formatter->tokens[formatter->at - 1].kind == TOKEN_OPEN_BRACE;
    formatter->member = true;
    formatter->first_member = empty;
    leading_comments(formatter);
    formatter->member = false;
    layout_dedent(formatter->layout);
    layout_soft(formatter->layout, !empty);
    format_token(formatter, TOKEN_CLOSE_BRACE);
    layout_close(formatter->layout);
}

/* ---- files -------------------------------------------------------------------------------- */

static bool is_api_line(const Decl *decl) {
    return decl->kind == DECL_ROUTE || decl->kind == DECL_COMMAND || decl->kind == DECL_REST;
}

/* One empty line between declarations; between api lines only where there is one. */
static void separate(Formatter *formatter, const Decl *before, const Decl *decl) {
    uint32_t first = formatter->gaps[formatter->at];
    while (first < formatter->gaps[formatter->at + 1] &&
           formatter->tree->comments.items[first].trailing) {
        first++;
    }
    uint32_t place = first < formatter->gaps[formatter->at + 1]
                         ? formatter->tree->comments.items[first].span.from
                         : decl->span.from;
    if (is_api_line(before) && is_api_line(decl) && !blank_before(formatter, place)) {
        layout_line(formatter->layout);
    } else {
        layout_blank(formatter->layout);
    }
}

static uint32_t *find_gaps(Arena *arena, const FileTree *tree) {
    uint32_t *gaps = arena_make_n(arena, uint32_t, tree->token_count + 1);
    uint32_t comment = 0;
    for (size_t i = 0; i < tree->token_count; i++) {
        uint32_t before = i == 0 ? 0 : tree->tokens[i - 1].from;
        while (comment < tree->comments.count && tree->comments.items[comment].span.from < before) {
            comment++;
        }
        gaps[i] = comment;
    }
    gaps[tree->token_count] = (uint32_t)tree->comments.count;
    return gaps;
}

static bool format_file(Formatter *formatter) {
    const FileTree *tree = formatter->tree;
    for (size_t i = 0; i < tree->decls.count && !formatter->failed; i++) {
        if (i > 0) {
            separate(formatter, tree->decls.items[i - 1], tree->decls.items[i]);
        }
        format_decl(formatter, tree->decls.items[i]);
    }
    if (formatter->failed || format_kind(formatter) != TOKEN_END ||
        formatter->printed + 1 != tree->token_count) {
        return false;
    }
    leading_comments(formatter);
    return true;
}

bool formatter_format(const FileTree *tree, Buf *out) {
    if (tree->failed) {
        return false;
    }
    Arena *arena = arena_new_unlimited();
    Formatter formatter = {
        .arena = arena,
        .layout = layout_new(arena),
        .tree = tree,
        .tokens = tree->tokens,
        .held = SIZE_MAX,
        .gaps = find_gaps(arena, tree),
    };
    bool good = format_file(&formatter);
    if (good && tree->decls.count == 0 && tree->comments.count == 0) {
        buf_add_char(out, '\n');
    } else if (good) {
        layout_print(formatter.layout, out);
    }
    arena_free(arena);
    return good && buf_ok(out);
}
