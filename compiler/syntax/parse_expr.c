/* compiler/syntax/parse_expr.c: expressions, by precedence climbing.
 *
 * A line end ends an expression, except inside parentheses and brackets, and except where the next
 * line begins with `and` or `or`. Each node knows its height: trees are never higher than
 * EXPR_LEVELS_MOST, whether by nesting or by long chains. */
#include "compiler/syntax/parser_internal.h"

/* ---- nodes -------------------------------------------------------------------------------- */

static Expr *expr_new(Parser *parser, ExprKind kind) {
    Expr *expr = arena_make(parser->arena, Expr);
    expr->kind = kind;
    expr->height = 1;
    return expr;
}

Expr *parser_error_expr(Parser *parser, Span span) {
    Expr *expr = expr_new(parser, EXPR_ERROR);
    expr->span = span;
    return expr;
}

/* Puts `child` below `expr`; false after P009 at `opener`. */
static bool put_below(Parser *parser, Expr *expr, const Expr *child, Span opener) {
    if (child->height < EXPR_LEVELS_MOST) {
        if (expr->height <= child->height) {
            expr->height = (uint8_t)(child->height + 1);
        }
        return true;
    }
    Diagnostic *diagnostic =
        diagnostic_add(parser->diagnostics, CODE_P009, opener,
                       "more than %d levels inside each other", EXPR_LEVELS_MOST);
    diagnostic_help(parser->diagnostics, diagnostic, "assign parts of it to names first");
    return false;
}

/* ---- lists and blocks --------------------------------------------------------------------- */

static bool expr_of_list(Parser *parser, void *into) {
    ExprList *list = into;
    Expr *expr = parser_expr(parser);
    if (expr == NULL) {
        return false;
    }
    vec_push(parser->arena, list, expr);
    return true;
}

bool parser_exprs(Parser *parser, TokenKind close, ExprList *out) {
    bool free_lines = parser->free_lines;
    parser->free_lines = true;
    bool good = parser_list(parser, close, "another value", expr_of_list, out);
    parser->free_lines = free_lines;
    return good;
}

static bool put_all_below(Parser *parser, Expr *expr, const ExprList *children, Span opener) {
    for (size_t i = 0; i < children->count; i++) {
        if (!put_below(parser, expr, children->items[i], opener)) {
            return false;
        }
    }
    return true;
}

/* The key of a record's member is a name, of a map any value. */
static bool block_member(Parser *parser, Expr *block, bool names_only) {
    size_t first = parser->at;
    Member member = {0};
    if (names_only) {
        Name name;
        if (!parser_expect_name(parser, "the name of a field", NULL, &name)) {
            return false;
        }
        member.key = expr_new(parser, EXPR_PATH);
        member.key->path.parts = arena_make(parser->arena, Name);
        member.key->path.parts[0] = name;
        member.key->path.count = 1;
        member.key->path.span = member.key->span = name.span;
    } else {
        member.key = parser_expr(parser);
    }
    if (member.key == NULL ||
        !parser_expect(parser, TOKEN_ASSIGN, "a member is written `name = value`")) {
        return false;
    }
    member.value = parser_expr(parser);
    if (member.value == NULL) {
        return false;
    }
    member.span = parser_span_from(parser, first);
    vec_push(parser->arena, &block->block.members, member);
    return put_below(parser, block, member.key, member.key->span) &&
           put_below(parser, block, member.value, member.value->span);
}

static bool block_members(Parser *parser, Expr *block, bool names_only) {
    for (;;) {
        parser_skip_lines(parser);
        if (parser_accept(parser, TOKEN_CLOSE_BRACE)) {
            return true;
        }
        if (!block_member(parser, block, names_only)) {
            return false;
        }
        if (parser_kind(parser) == TOKEN_END) {
            parser_expect(parser, TOKEN_CLOSE_BRACE, NULL);
            return false;
        }
        if (!parser_member_end(parser, "members stand on lines of their own, without commas")) {
            return false;
        }
    }
}

/* From `{` on. */
static bool block(Parser *parser, Expr *expr, bool names_only) {
    if (!parser_expect(parser, TOKEN_OPEN_BRACE, NULL)) {
        return false;
    }
    bool free_lines = parser->free_lines;
    parser->free_lines = false;
    bool good = block_members(parser, expr, names_only);
    parser->free_lines = free_lines;
    return good;
}

Expr *parser_named_block(Parser *parser) {
    size_t first = parser->at;
    Expr *expr = expr_new(parser, EXPR_BLOCK);
    bool good = parser_enter(parser) && block(parser, expr, true);
    parser_leave(parser);
    expr->span = parser_span_from(parser, first);
    return good ? expr : NULL;
}

/* ---- primaries ---------------------------------------------------------------------------- */

static bool is_single(const Path *path, Str word) {
    return path->count == 1 && str_equal(path->parts[0].text, word);
}

static bool channel_inner(Parser *parser, Expr *expr) {
    parser_skip_lines(parser);
    expr->channel.type = parser_type(parser);
    if (expr->channel.type == NULL) {
        return false;
    }
    if (!parser_expect(parser, TOKEN_COMMA, "a channel is written `channel(Type, capacity)`")) {
        return false;
    }
    expr->channel.capacity = parser_expr(parser);
    if (expr->channel.capacity == NULL) {
        return false;
    }
    return parser_expect(parser, TOKEN_CLOSE_PAREN,
                         "a channel is written `channel(Type, capacity)`") &&
           put_below(parser, expr, expr->channel.capacity, expr->channel.capacity->span);
}

static bool channel(Parser *parser, Expr *expr) {
    bool free_lines = parser->free_lines;
    expr->kind = EXPR_CHANNEL;
    parser_advance(parser);
    parser->free_lines = true;
    bool good = channel_inner(parser, expr);
    parser->free_lines = free_lines;
    return good;
}

static bool named(Parser *parser, Expr *expr) {
    Path path;
    if (!parser_path(parser, "a name", NULL, &path)) {
        return false;
    }
    const Token *token = &parser->tokens[parser->at];
    if (token->kind == TOKEN_OPEN_BRACE && !token->line_start) {
        expr->kind = EXPR_RECORD;
        expr->block.path = path;
        return block(parser, expr, true);
    }
    if (is_single(&path, STR("channel")) && parser_kind(parser) == TOKEN_OPEN_PAREN) {
        return channel(parser, expr);
    }
    expr->kind = EXPR_PATH;
    expr->path = path;
    return true;
}

static bool parenthesised(Parser *parser, Expr *expr) {
    Span opener = parser_span(parser);
    bool free_lines = parser->free_lines;
    parser_advance(parser);
    parser->free_lines = true;
    expr->kind = EXPR_PAREN;
    expr->inner = parser_expr(parser);
    bool good = expr->inner != NULL && parser_expect(parser, TOKEN_CLOSE_PAREN, NULL) &&
                put_below(parser, expr, expr->inner, opener);
    parser->free_lines = free_lines;
    return good;
}

static const char *help_for_missing_value(const Parser *parser) {
    TokenKind before = parser->at == 0 ? TOKEN_END : (TokenKind)parser->tokens[parser->at - 1].kind;
    switch (parser_kind(parser)) {
    case TOKEN_NEWLINE:
        if (before == TOKEN_ASSIGN) {
            return "the value begins on the line of the `=`";
        }
        return "an expression ends with its line; inside parentheses it may go on";
    case TOKEN_DOT:
        return "a number begins with a digit: `0.5`";
    case TOKEN_ASSIGN:
        return before == TOKEN_ASSIGN ? "`==` is written without a blank" : NULL;
    case TOKEN_EQUAL:
        return NULL;
    default:
        return NULL;
    }
}

static bool primary_inner(Parser *parser, Expr *expr) {
    switch (parser_kind(parser)) {
    case TOKEN_NAME:
        return named(parser, expr);
    case TOKEN_OPEN_PAREN:
        return parenthesised(parser, expr);
    case TOKEN_OPEN_BRACE:
        expr->kind = EXPR_BLOCK;
        return block(parser, expr, false);
    case TOKEN_OPEN_BRACKET: {
        Span opener = parser_span(parser);
        parser_advance(parser);
        expr->kind = EXPR_LIST;
        return parser_exprs(parser, TOKEN_CLOSE_BRACKET, &expr->list) &&
               put_all_below(parser, expr, &expr->list, opener);
    }
    case TOKEN_NUMBER:
        expr->kind = EXPR_NUMBER;
        expr->number = parser_token_text(parser);
        break;
    case TOKEN_TEXT:
        expr->kind = EXPR_TEXT;
        expr->text = lexer_decode_text(parser->arena, parser_token_text(parser));
        break;
    case TOKEN_TRUE:
        expr->kind = EXPR_TRUE;
        break;
    case TOKEN_FALSE:
        expr->kind = EXPR_FALSE;
        break;
    case TOKEN_NULL:
        expr->kind = EXPR_NULL;
        break;
    default:
        parser_expected(parser, "a value", help_for_missing_value(parser));
        return false;
    }
    parser_advance(parser);
    return true;
}

static Expr *primary(Parser *parser) {
    size_t first = parser->at;
    Expr *expr = expr_new(parser, EXPR_ERROR);
    if (!primary_inner(parser, expr)) {
        return NULL;
    }
    expr->span = parser_span_from(parser, first);
    return expr;
}

/* ---- calls and fields --------------------------------------------------------------------- */

/* `fail(…)` and `result(…)` take one argument. */
static bool check_special(Parser *parser, const Expr *call, Span closing) {
    const Expr *callee = call->call.callee;
    if (callee->kind != EXPR_PATH || call->call.arguments.count == 1) {
        return true;
    }
    bool is_fail = is_single(&callee->path, STR("fail"));
    if (!is_fail && !is_single(&callee->path, STR("result"))) {
        return true;
    }
    Span span = call->call.arguments.count == 0 ? closing : call->call.arguments.items[1]->span;
    parser_error(parser, span,
                 is_fail ? "name the failure: `fail(Choice.Variant)`"
                         : "give it the call to try: `result(name(…))`",
                 "`%s` takes exactly one argument", is_fail ? "fail" : "result");
    return false;
}

static Expr *call(Parser *parser, Expr *callee, size_t first) {
    Span opener = parser_span(parser);
    Expr *expr = expr_new(parser, EXPR_CALL);
    expr->call.callee = callee;
    parser_advance(parser);
    if (!parser_exprs(parser, TOKEN_CLOSE_PAREN, &expr->call.arguments)) {
        return NULL;
    }
    const Token *closing = &parser->tokens[parser->at - 1];
    if (!put_below(parser, expr, callee, opener) ||
        !put_all_below(parser, expr, &expr->call.arguments, opener) ||
        !check_special(parser, expr, (Span){parser->file, closing->from, closing->to})) {
        return NULL;
    }
    expr->span = parser_span_from(parser, first);
    return expr;
}

static Expr *field(Parser *parser, Expr *host, size_t first) {
    Span dot = parser_span(parser);
    Expr *expr = expr_new(parser, EXPR_FIELD);
    expr->field.host = host;
    parser_advance(parser);
    if (!parser_expect_name(parser, "the name of a field", NULL, &expr->field.name) ||
        !put_below(parser, expr, host, dot)) {
        return NULL;
    }
    expr->span = parser_span_from(parser, first);
    return expr;
}

static Expr *postfix(Parser *parser) {
    size_t first = parser->at;
    Expr *expr = primary(parser);
    while (expr != NULL) {
        if (parser_kind(parser) == TOKEN_OPEN_PAREN) {
            expr = call(parser, expr, first);
        } else if (parser_kind(parser) == TOKEN_DOT) {
            expr = field(parser, expr, first);
        } else {
            break;
        }
    }
    return expr;
}

/* ---- operators ---------------------------------------------------------------------------- */

static Expr *unary(Parser *parser) {
    TokenKind kind = parser_kind(parser);
    if (kind != TOKEN_MINUS && kind != TOKEN_NOT) {
        return postfix(parser);
    }
    size_t first = parser->at;
    Span opener = parser_span(parser);
    Expr *expr = expr_new(parser, EXPR_UNARY);
    expr->unary.op = kind == TOKEN_MINUS ? UNARY_MINUS : UNARY_NOT;
    parser_advance(parser);
    expr->unary.operand = parser_enter(parser) ? unary(parser) : NULL;
    parser_leave(parser);
    if (expr->unary.operand == NULL || !put_below(parser, expr, expr->unary.operand, opener)) {
        return NULL;
    }
    expr->span = parser_span_from(parser, first);
    return expr;
}

/* From loose to tight; 0 is no operator. */
static const struct {
    uint8_t precedence;
    uint8_t op;
} operators[TOKEN_COUNT] = {
    [TOKEN_OR] = {1, BINARY_OR},
    [TOKEN_AND] = {2, BINARY_AND},
    [TOKEN_EQUAL] = {3, BINARY_EQUAL},
    [TOKEN_NOT_EQUAL] = {3, BINARY_NOT_EQUAL},
    [TOKEN_LESS] = {3, BINARY_LESS},
    [TOKEN_LESS_EQUAL] = {3, BINARY_LESS_EQUAL},
    [TOKEN_GREATER] = {3, BINARY_GREATER},
    [TOKEN_GREATER_EQUAL] = {3, BINARY_GREATER_EQUAL},
    [TOKEN_PLUS] = {4, BINARY_ADD},
    [TOKEN_MINUS] = {4, BINARY_SUBTRACT},
    [TOKEN_STAR] = {5, BINARY_MULTIPLY},
    [TOKEN_SLASH] = {5, BINARY_DIVIDE},
    [TOKEN_QUOTIENT] = {5, BINARY_QUOTIENT},
    [TOKEN_PERCENT] = {5, BINARY_REMAINDER},
};

/* The operator that goes on here; `and` and `or` also at the start of the next line. */
static TokenKind operator_here(const Parser *parser) {
    TokenKind kind = parser_kind(parser);
    if (kind == TOKEN_NEWLINE) {
        TokenKind next = (TokenKind)parser->tokens[parser->at].kind;
        return next == TOKEN_AND || next == TOKEN_OR ? next : TOKEN_NEWLINE;
    }
    return kind;
}

/* Operators of at least the given precedence; all are left-associative. */
static Expr *binary(Parser *parser, int least) {
    size_t first = parser->at;
    Expr *left = unary(parser);
    while (left != NULL) {
        TokenKind kind = operator_here(parser);
        int precedence = operators[kind].precedence;
        if (precedence == 0 || precedence < least) {
            break;
        }
        parser_skip_lines(parser);
        Expr *expr = expr_new(parser, EXPR_BINARY);
        expr->binary.op = (BinaryOp)operators[kind].op;
        expr->binary.op_span = parser_span(parser);
        expr->binary.left = left;
        parser_advance(parser);
        expr->binary.right = binary(parser, precedence + 1);
        if (expr->binary.right == NULL || !put_below(parser, expr, left, expr->binary.op_span) ||
            !put_below(parser, expr, expr->binary.right, expr->binary.op_span)) {
            return NULL;
        }
        expr->span = parser_span_from(parser, first);
        left = expr;
    }
    return left;
}

Expr *parser_expr(Parser *parser) {
    Expr *expr = parser_enter(parser) ? binary(parser, 1) : NULL;
    parser_leave(parser);
    return expr;
}
