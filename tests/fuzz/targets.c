#include "tests/fuzz/targets.h"

#include <stdio.h>
#include <stdlib.h>

#include "compiler/syntax/formatter.h"
#include "compiler/syntax/lexer.h"
#include "compiler/syntax/parser.h"

static void require(bool holds, const char *what, Str text) {
    if (!holds) {
        fprintf(stderr, "%s\n----\n" STR_FMT "\n----\n", what, STR_ARG(text));
        abort();
    }
}

static SourceFile *file_of(Arena *arena, Role role, Str text) {
    SourceFile *file = source_file_new(arena, STR("fuzz.dever"), text);
    file->role = role;
    return file;
}

/* ---- lexer -------------------------------------------------------------------------------- */

static bool is_white(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
            return false;
        }
    }
    return true;
}

static void check_cover(const TokenList *list, Str text) {
    size_t comment = 0;
    uint32_t end = 0;
    for (size_t i = 0; i < list->tokens.count; i++) {
        const Token *token = &list->tokens.items[i];
        while (comment < list->comments.count &&
               list->comments.items[comment].span.from < token->from) {
            Span span = list->comments.items[comment++].span;
            require(span.from >= end, "comments overlap tokens", text);
            require(is_white(str_slice(text, end, span.from)), "bytes before a comment", text);
            end = span.to;
        }
        require(token->from >= end && token->to >= token->from, "tokens overlap", text);
        require(is_white(str_slice(text, end, token->from)), "bytes before a token", text);
        end = token->to;
    }
    require(comment == list->comments.count && end == text.len, "bytes at the end", text);
}

void fuzz_lexer(Role role, Str text) {
    Arena *arena = arena_new_unlimited();
    Diagnostics diagnostics = {.arena = arena};
    TokenList list;
    bool good = lexer_scan(&diagnostics, file_of(arena, role, text), &list);
    require(good == (diagnostics.errors == 0), "result and messages differ", text);
    if (good) {
        check_cover(&list, text);
        for (size_t i = 0; i < list.tokens.count; i++) {
            const Token *token = &list.tokens.items[i];
            if (token->kind == TOKEN_TEXT) {
                lexer_decode_text(arena, str_slice(text, token->from, token->to));
            }
        }
    }
    arena_free(arena);
}

/* ---- parser ------------------------------------------------------------------------------- */

void fuzz_parser(Role role, Str text) {
    Arena *arena = arena_new_unlimited();
    Diagnostics diagnostics = {.arena = arena};
    FileTree *tree = parser_parse(&diagnostics, file_of(arena, role, text));
    require(tree->failed == (diagnostics.errors > 0), "result and messages differ", text);
    uint32_t end = 0;
    for (size_t i = 0; i < tree->decls.count; i++) {
        Span span = tree->decls.items[i]->span;
        require(span.from >= end && span.to > span.from && span.to <= text.len,
                "declarations overlap", text);
        end = span.to;
    }
    diagnostics_sort(&diagnostics);
    Buf out = {0};
    for (size_t i = 0; i < diagnostics.items.count && i < 20; i++) {
        const Diagnostic *diagnostic = diagnostics.items.items[i];
        require(diagnostic->span.from <= diagnostic->span.to && diagnostic->span.to <= text.len,
                "place outside the file", text);
        buf_clear(&out);
        diagnostic_render(&out, diagnostic, (DiagnosticStyle)(i % 3), true);
        require(buf_ok(&out) && out.len < 4000, "message is too long", text);
    }
    buf_done(&out);
    arena_free(arena);
}

/* ---- formatter ---------------------------------------------------------------------------- */

typedef VEC(Str) Texts;

static int by_text(const void *a, const void *b) {
    return str_compare(*(const Str *)a, *(const Str *)b);
}

/* Tokens and comments, sorted: the formatter puts some parts into an order of their own. */
static Texts pieces(Arena *arena, const FileTree *tree) {
    Texts texts = {0};
    for (size_t i = 0; i < tree->token_count; i++) {
        const Token *token = &tree->tokens[i];
        Str text = str_slice(tree->file->text, token->from, token->to);
        if (token->kind == TOKEN_TEXT) {
            text = str_format(arena, "\"" STR_FMT, STR_ARG(lexer_decode_text(arena, text)));
        }
        vec_push(arena, &texts, text);
    }
    for (size_t i = 0; i < tree->comments.count; i++) {
        vec_push(arena, &texts, tree->comments.items[i].text);
    }
    qsort(texts.items, texts.count, sizeof texts.items[0], by_text);
    return texts;
}

bool fuzz_formatter(Role role, Str text) {
    Arena *arena = arena_new_unlimited();
    Diagnostics diagnostics = {.arena = arena};
    FileTree *tree = parser_parse(&diagnostics, file_of(arena, role, text));
    Buf once = {0};
    Buf twice = {0};
    bool formatted = formatter_format(tree, &once);
    require(formatted == !tree->failed, "a right text was not formatted", text);
    if (formatted) {
        FileTree *again = parser_parse(&diagnostics, file_of(arena, role, buf_str(&once)));
        require(!again->failed, "the formatted text has errors", text);
        Texts before = pieces(arena, tree);
        Texts after = pieces(arena, again);
        require(before.count == after.count, "tokens were lost", text);
        for (size_t i = 0; i < before.count; i++) {
            require(str_equal(before.items[i], after.items[i]), "tokens were changed", text);
        }
        require(formatter_format(again, &twice), "the formatted text cannot be formatted", text);
        require(str_equal(buf_str(&once), buf_str(&twice)), "formatting is not stable", text);
    }
    buf_done(&once);
    buf_done(&twice);
    arena_free(arena);
    return formatted;
}
