/* compiler/syntax/format_expr.c: layout of types, fields and expressions. */
#include "compiler/syntax/format_internal.h"

/* ---- types -------------------------------------------------------------------------------- */

void format_path(Formatter *formatter, const Path *path) {
    for (size_t i = 0; i < path->count; i++) {
        if (i > 0) {
            format_token(formatter, TOKEN_DOT);
        }
        format_token(formatter, TOKEN_NAME);
    }
}

void format_type(Formatter *formatter, const TypeNode *type) {
    format_path(formatter, &type->path);
    if (type->arguments.count > 0) {
        format_open_list(formatter, TOKEN_LESS);
        for (size_t i = 0; i < type->arguments.count; i++) {
            format_next(formatter, i == 0);
            format_type(formatter, type->arguments.items[i]);
        }
        format_close_list(formatter, TOKEN_GREATER);
    }
    if (type->parameters.count > 0) {
        format_open_list(formatter, TOKEN_OPEN_PAREN);
        for (size_t i = 0; i < type->parameters.count; i++) {
            format_next(formatter, i == 0);
            format_token(formatter, TOKEN_NUMBER);
        }
        format_close_list(formatter, TOKEN_CLOSE_PAREN);
    }
    if (type->nullable) {
        format_token(formatter, TOKEN_QUESTION);
    }
}

void format_bounds(Formatter *formatter, const BoundList *bounds) {
    for (size_t i = 0; i < bounds->count; i++) {
        if (i > 0) {
            format_space(formatter);
            format_token(formatter, TOKEN_AND);
        }
        format_space(formatter);
        format_token(formatter, format_kind(formatter));
        format_space(formatter);
        if (bounds->items[i].negative) {
            format_token(formatter, TOKEN_MINUS);
        }
        format_token(formatter, TOKEN_NUMBER);
    }
}

static void format_modifier(Formatter *formatter, const Modifier *modifier) {
    format_space(formatter);
    format_token(formatter, TOKEN_NAME);
    if (modifier->kind == MODIFIER_FROM) {
        format_space(formatter);
        format_token(formatter, TOKEN_NAME);
    }
    if (modifier->value != NULL) {
        format_space(formatter);
        if (modifier->kind != MODIFIER_DEFAULT) {
            format_token(formatter, TOKEN_ASSIGN);
            format_space(formatter);
        }
        format_expr(formatter, modifier->value);
    }
}

void format_field(Formatter *formatter, const FieldNode *field) {
    if (field->is_private) {
        format_token(formatter, TOKEN_NAME);
        format_space(formatter);
    }
    if (field->is_owner) {
        format_token(formatter, TOKEN_NAME);
        format_space(formatter);
    }
    format_token(formatter, TOKEN_NAME);
    format_token(formatter, TOKEN_COLON);
    format_space(formatter);
    format_type(formatter, field->type);
    format_bounds(formatter, &field->bounds);
    for (size_t i = 0; i < field->modifiers.count; i++) {
        format_modifier(formatter, &field->modifiers.items[i]);
    }
    if (field->owner_value != NULL) {
        format_space(formatter);
        format_token(formatter, TOKEN_ASSIGN);
        format_space(formatter);
        format_expr(formatter, field->owner_value);
    }
}

void format_fields(Formatter *formatter, const FieldList *fields) {
    format_open_list(formatter, TOKEN_OPEN_PAREN);
    for (size_t i = 0; i < fields->count; i++) {
        format_next(formatter, i == 0);
        format_field(formatter, fields->items[i]);
    }
    format_close_list(formatter, TOKEN_CLOSE_PAREN);
}

/* ---- blocks and lists --------------------------------------------------------------------- */

/* Members of a record literal, map or model block. `list` is the list that may hug it, or NULL. */
static void format_members(Formatter *formatter, const Expr *block, const size_t *list) {
    size_t group = format_open_block(formatter, block->block.members.count > 1);
    if (list != NULL) {
        layout_hug_brace(formatter->layout, *list, group);
    }
    for (size_t i = 0; i < block->block.members.count; i++) {
        const Member *member = &block->block.members.items[i];
        format_member(formatter, i == 0);
        format_expr(formatter, member->key);
        format_space(formatter);
        format_token(formatter, TOKEN_ASSIGN);
        format_space(formatter);
        format_expr(formatter, member->value);
    }
    format_close_block(formatter);
}

static void format_block(Formatter *formatter, const Expr *expr, const size_t *list) {
    bool free_lines = formatter->free_lines;
    formatter->free_lines = false;
    if (expr->kind == EXPR_RECORD) {
        format_path(formatter, &expr->block.path);
        format_space(formatter);
    }
    format_members(formatter, expr, list);
    formatter->free_lines = free_lines;
}

static bool can_be_hugged(const Expr *expr) {
    return (expr->kind == EXPR_RECORD || expr->kind == EXPR_BLOCK) && expr->block.members.count > 0;
}

static void format_arguments(Formatter *formatter, const ExprList *list, TokenKind open,
                             TokenKind close, bool may_hug) {
    bool free_lines = formatter->free_lines;
    formatter->free_lines = true;
    size_t group = format_open_list(formatter, open);
    for (size_t i = 0; i < list->count; i++) {
        const Expr *expr = list->items[i];
        format_next(formatter, i == 0);
        if (may_hug && i + 1 == list->count && can_be_hugged(expr)) {
            layout_hug_begin(formatter->layout, group);
            format_block(formatter, expr, &group);
            layout_hug_end(formatter->layout, group);
        } else {
            format_expr(formatter, expr);
        }
    }
    format_close_list(formatter, close);
    formatter->free_lines = free_lines;
}

void format_exprs(Formatter *formatter, const ExprList *list, TokenKind open, TokenKind close) {
    format_arguments(formatter, list, open, close, false);
}

/* Breaks behind its comma only. */
static void format_channel(Formatter *formatter, const Expr *expr) {
    bool free_lines = formatter->free_lines;
    formatter->free_lines = true;
    format_token(formatter, TOKEN_NAME);
    layout_open(formatter->layout);
    format_token(formatter, TOKEN_OPEN_PAREN);
    format_type(formatter, expr->channel.type);
    format_token(formatter, TOKEN_COMMA);
    layout_soft(formatter->layout, true);
    format_expr(formatter, expr->channel.capacity);
    format_token(formatter, TOKEN_CLOSE_PAREN);
    layout_close(formatter->layout);
    formatter->free_lines = free_lines;
}

static void format_paren(Formatter *formatter, const Expr *expr) {
    bool free_lines = formatter->free_lines;
    formatter->free_lines = true;
    format_open_list(formatter, TOKEN_OPEN_PAREN);
    format_next(formatter, true);
    format_expr(formatter, expr->inner);
    format_close_list(formatter, TOKEN_CLOSE_PAREN);
    formatter->free_lines = free_lines;
}

/* ---- operators ---------------------------------------------------------------------------- */

/* Operators that associate with each other form one chain, which breaks as a whole. */
static int chain_of(BinaryOp op) {
    switch (op) {
    case BINARY_OR:
        return 1;
    case BINARY_AND:
        return 2;
    case BINARY_ADD:
    case BINARY_SUBTRACT:
        return 4;
    case BINARY_MULTIPLY:
    case BINARY_DIVIDE:
    case BINARY_QUOTIENT:
    case BINARY_REMAINDER:
        return 5;
    default:
        return 3;
    }
}

/* May a line begin with this operator here? */
static bool may_begin_line(const Formatter *formatter, BinaryOp op) {
    return op == BINARY_AND || op == BINARY_OR || (op == BINARY_ADD && formatter->free_lines);
}

static void format_binary(Formatter *formatter, const Expr *expr) {
    const Expr *links[EXPR_LEVELS_MOST]; /* the left spine, from the last operator to the first */
    size_t count = 0;
    int chain = chain_of(expr->binary.op);
    bool can_break = false;
    const Expr *left = expr;
    while (left->kind == EXPR_BINARY && chain_of(left->binary.op) == chain) {
        can_break = can_break || may_begin_line(formatter, left->binary.op);
        links[count++] = left;
        left = left->binary.left;
    }
    layout_open(formatter->layout);
    format_expr(formatter, left);
    if (can_break) {
        layout_indent(formatter->layout);
    }
    for (size_t i = count; i-- > 0;) {
        if (may_begin_line(formatter, links[i]->binary.op)) {
            layout_soft(formatter->layout, true);
        } else {
            format_space(formatter);
        }
        format_token(formatter, format_kind(formatter));
        format_space(formatter);
        format_expr(formatter, links[i]->binary.right);
    }
    layout_close(formatter->layout);
}

static void format_unary(Formatter *formatter, const Expr *expr) {
    if (expr->unary.op == UNARY_NOT) {
        format_token(formatter, TOKEN_NOT);
        format_space(formatter);
    } else {
        format_token(formatter, TOKEN_MINUS);
    }
    format_expr(formatter, expr->unary.operand);
}

/* ---- expressions -------------------------------------------------------------------------- */

void format_expr(Formatter *formatter, const Expr *expr) {
    switch (expr->kind) {
    case EXPR_ERROR:
        formatter->failed = true;
        break;
    case EXPR_TRUE:
        format_token(formatter, TOKEN_TRUE);
        break;
    case EXPR_FALSE:
        format_token(formatter, TOKEN_FALSE);
        break;
    case EXPR_NULL:
        format_token(formatter, TOKEN_NULL);
        break;
    case EXPR_NUMBER:
        format_token(formatter, TOKEN_NUMBER);
        break;
    case EXPR_TEXT:
        format_token(formatter, TOKEN_TEXT);
        break;
    case EXPR_PATH:
        format_path(formatter, &expr->path);
        break;
    case EXPR_FIELD:
        format_expr(formatter, expr->field.host);
        format_token(formatter, TOKEN_DOT);
        format_token(formatter, TOKEN_NAME);
        break;
    case EXPR_CALL:
        format_expr(formatter, expr->call.callee);
        format_arguments(formatter, &expr->call.arguments, TOKEN_OPEN_PAREN, TOKEN_CLOSE_PAREN,
                         true);
        break;
    case EXPR_RECORD:
    case EXPR_BLOCK:
        format_block(formatter, expr, NULL);
        break;
    case EXPR_LIST:
        format_exprs(formatter, &expr->list, TOKEN_OPEN_BRACKET, TOKEN_CLOSE_BRACKET);
        break;
    case EXPR_PAREN:
        format_paren(formatter, expr);
        break;
    case EXPR_UNARY:
        format_unary(formatter, expr);
        break;
    case EXPR_BINARY:
        format_binary(formatter, expr);
        break;
    case EXPR_CHANNEL:
        format_channel(formatter, expr);
        break;
    }
}
