/* compiler/syntax/parser_internal.h: what the files of the parser share.
 *
 * Every parse function reads the construct it is named after from the current token. It returns NULL
 * (or false) after it has reported one message; callers pass that up to the nearest place that can go
 * on: a statement, a member of a type, a declaration. So one mistake gives one message.
 *
 * Line ends: where they matter, parser_kind() answers TOKEN_NEWLINE before the first token of a line
 * until parser_skip_lines() was called there. Inside parentheses and brackets of expressions
 * (free_lines) it never does. */
#ifndef COMPILER_SYNTAX_PARSER_INTERNAL_H
#define COMPILER_SYNTAX_PARSER_INTERNAL_H

#include "compiler/syntax/lexer.h"
#include "compiler/syntax/parser.h"

typedef struct Parser {
    Diagnostics *diagnostics;
    Arena *arena;
    const SourceFile *file;
    const Token *tokens;
    size_t at;    /* current token */
    size_t fresh; /* the line end before this token has been read */
    bool free_lines;
    bool end_reported;   /* a message says that the file ends too early */
    int level;           /* expressions and types around the current token */
    size_t indent_token; /* a token of the line whose indentation was asked last, and that */
    uint32_t indent;
    FileTree *tree;
} Parser;

/* ---- frame (parser.c) --------------------------------------------------------------------- */

TokenKind parser_kind(const Parser *parser);
/* The kind that will follow the current token. */
TokenKind parser_next_kind(const Parser *parser);
/* Whether the current token is this (contextual) word. */
bool parser_at_word(const Parser *parser, Str word);
Str parser_token_text(const Parser *parser);
void parser_skip_lines(Parser *parser);
void parser_advance(Parser *parser);
bool parser_accept(Parser *parser, TokenKind kind);
/* Reads the token or reports "expected …, found …" with an optional help line. */
bool parser_expect(Parser *parser, TokenKind kind, const char *help);
bool parser_expect_name(Parser *parser, const char *what, const char *help, Name *out);
/* A literal text; the value is decoded. */
bool parser_expect_text(Parser *parser, const char *what, const char *help, Str *out, Span *span);
bool parser_path(Parser *parser, const char *what, const char *help, Path *out);

/* Reports P001 at the current token: "expected <what>, found <it>". */
void parser_expected(Parser *parser, const char *what, const char *help);
/* Reports P001 at a place of its own; `format` is the message, help may be NULL. */
void parser_error(Parser *parser, Span span, const char *help, const char *format, ...)
    PRINTF_LIKE(4, 5);

Span parser_span(const Parser *parser);                    /* of the current token */
Span parser_span_from(const Parser *parser, size_t first); /* from a token to the last one read */

/* A level of nesting; false after P009. Always pair with parser_leave. */
bool parser_enter(Parser *parser);
void parser_leave(Parser *parser);

/* Skips to where the construct that began at the token `first` ends: a line end that is not inside
 * its brackets and not a line of its own indented further, or the `}` around it. */
void parser_recover_line(Parser *parser, size_t first);
/* The same for a declaration: skips to what can begin the next one. */
void parser_recover_decl(Parser *parser, size_t first);
/* The end of a member or statement: a line end or, unread, the closing brace. */
bool parser_member_end(Parser *parser, const char *help);
/* Whether the line at the current token begins a function: `name(…) (`. */
bool parser_at_function_line(const Parser *parser);

/* list(X, close): elements separated by commas, line ends free around them, no comma at the end. */
typedef bool ParseElement(Parser *parser, void *into);
bool parser_list(Parser *parser, TokenKind close, const char *what, ParseElement *element,
                 void *into);
/* block(X) from its `{` on: members separated by line ends. Goes on after a member that failed; then
 * returns false at the end, with everything read. */
bool parser_block(Parser *parser, ParseElement *member, void *into);

/* ---- constructs --------------------------------------------------------------------------- */

TypeNode *parser_type(Parser *parser); /* parse_type.c */
bool parser_bounds(Parser *parser, BoundList *out);
FieldNode *parser_field(Parser *parser);
bool parser_fields(Parser *parser, FieldList *out); /* "(" list(field, ")") */
Decl *parser_type_decl(Parser *parser);             /* from `global` or `type` on */

Expr *parser_expr(Parser *parser); /* parse_expr.c */
bool parser_exprs(Parser *parser, TokenKind close, ExprList *out);
Expr *parser_named_block(Parser *parser); /* { name = value … } */
Expr *parser_error_expr(Parser *parser, Span span);

FunctionNode *parser_function(Parser *parser); /* parse_function.c */

/* A declaration of a role of its own: `database`, `get`, `schedule` … False when there is none here;
 * otherwise *out is the declaration or NULL after a message. */
bool parser_role_decl(Parser *parser, Decl **out); /* parse_role.c */
/* A help line when the current word begins a declaration of another role, else NULL. */
const char *parser_role_help(const Parser *parser);
Decl *parser_decl_new(Parser *parser, DeclKind kind);

#endif
