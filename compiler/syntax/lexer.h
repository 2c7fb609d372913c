/* compiler/syntax/lexer.h: from text to tokens (language reference, Lexical rules).
 *
 * Line ends are no tokens: each token says whether it is the first of its line, and the parser
 * decides where that matters. Tokens point into the file; texts are decoded on demand. */
#ifndef COMPILER_SYNTAX_LEXER_H
#define COMPILER_SYNTAX_LEXER_H

#include "compiler/source/diagnostic.h"
#include "compiler/syntax/tree.h"

typedef enum TokenKind {
#define TOKEN(id, shown) TOKEN_##id,
#define MARK(id, text) TOKEN_##id,
#define KEYWORD(id, word) TOKEN_##id,
#include "compiler/syntax/token.def"
    TOKEN_COUNT
} TokenKind;

typedef struct Token {
    uint8_t kind;    /* TokenKind */
    bool line_start; /* a line end stands between the token before and this one */
    uint32_t from;   /* bytes in the file */
    uint32_t to;
} Token;

typedef struct TokenList {
    VEC(Token) tokens; /* the last one is TOKEN_END, at the end of the text */
    VEC(Comment) comments;
} TokenList;

/* Reads the whole file and reports every lexical error (L001, L003 to L006). Returns false when there
 * was one; the tokens are then incomplete. Memory comes from diagnostics->arena. */
bool lexer_scan(Diagnostics *diagnostics, const SourceFile *file, TokenList *out);

/* How messages call a kind of token: "a name", "`(`". Static. */
Str token_kind_text(TokenKind kind);

/* The value of a TEXT token, given with its quotes as written. The escapes must have passed the
 * lexer. May hold NUL. A view of `raw` where nothing is escaped, else in the arena. */
Str lexer_decode_text(Arena *arena, Str raw);

#endif
