/* compiler/syntax/format_internal.h: what the files of the formatter share.
 *
 * The tree says how things are laid out; what is printed are the tokens. A cursor walks the token
 * array beside the tree, every printed token takes its comments with it, and format_token() refuses
 * a token that is not the expected one. So nothing can be lost or invented. */
#ifndef COMPILER_SYNTAX_FORMAT_INTERNAL_H
#define COMPILER_SYNTAX_FORMAT_INTERNAL_H

#include "compiler/syntax/layout.h"
#include "compiler/syntax/lexer.h"
#include "compiler/syntax/tree.h"

typedef struct Formatter {
    Arena *arena;
    Layout *layout;
    const FileTree *tree;
    const Token *tokens;
    size_t at;            /* the next token */
    size_t printed;       /* how many were */
    const uint32_t *gaps; /* per token: the first comment behind the token before it */
    size_t held;          /* the comment behind this token waits for format_release() */
    bool first_member;    /* the next token begins the first member of its block … */
    bool member;          /* … or any member: blank lines before it are kept */
    bool comments_done;   /* the comments before the next token are printed */
    bool free_lines;      /* inside parentheses: a line may begin with any operator */
    bool failed;          /* tree and tokens disagree */
} Formatter;

TokenKind format_kind(const Formatter *formatter);
/* Prints the next token, which must be of this kind. */
void format_token(Formatter *formatter, TokenKind kind);
void format_space(Formatter *formatter);
/* Holds back the comment behind a token that is printed out of order, until it is released: it may
 * only stand where its line could end. */
void format_hold(Formatter *formatter, size_t token);
void format_release(Formatter *formatter);
/* Moves the cursor to the token that begins at a byte of the file. */
void format_go(Formatter *formatter, uint32_t from);
/* The number of the token that begins at the byte. */
size_t format_find(const Formatter *formatter, uint32_t from);

/* The opening token of a list, then what opens its elements; returns the group. */
size_t format_open_list(Formatter *formatter, TokenKind open);
/* What stands before an element; `first` for the first one. */
void format_next(Formatter *formatter, bool first);
void format_close_list(Formatter *formatter, TokenKind close);

/* A block of members on lines of their own; empty ones are `{}`. Between open and close each member
 * begins with format_member(). `forced` blocks are never on one line. */
size_t format_open_block(Formatter *formatter, bool forced);
void format_member(Formatter *formatter, bool first);
void format_close_block(Formatter *formatter);

void format_path(Formatter *formatter, const Path *path); /* format_expr.c */
void format_type(Formatter *formatter, const TypeNode *type);
void format_bounds(Formatter *formatter, const BoundList *bounds);
void format_field(Formatter *formatter, const FieldNode *field);
void format_fields(Formatter *formatter, const FieldList *fields);
void format_expr(Formatter *formatter, const Expr *expr);
void format_exprs(Formatter *formatter, const ExprList *list, TokenKind open, TokenKind close);

void format_function(Formatter *formatter, const FunctionNode *function); /* format_decl.c */
void format_decl(Formatter *formatter, const Decl *decl);

#endif
