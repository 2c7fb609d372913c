/* compiler/check/operator.c: numbers, operators, and what of them is known while compiling. */
#include "compiler/check/check_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* ---- numbers ---- */

static bool has_char(Str text, char c) {
    return str_find_char(text, c, NULL);
}

static XExpr *bad_number(Body *b, const Expr *e, const char *what) {
    diagnostic_add(b->c->diagnostics, CODE_C005, e->span, "%s", what);
    return xexpr_error(b->c, e->span);
}

static XExpr *make_number(Body *b, const Expr *e, Str text, Type *hint) {
    bool exponent = has_char(text, 'e') || has_char(text, 'E');
    bool point = has_char(text, '.');
    TypeKind wanted = hint == NULL ? TYPE_ERROR : type_plain(hint)->kind;
    if (exponent || (point && wanted == TYPE_FLOAT)) {
        double value = strtod(str_cstr(b->c->arena, text), NULL);
        if (!isfinite(value)) {
            return bad_number(b, e, "this number is too large for a Float");
        }
        XExpr *x = xexpr_new(b->c, X_FLOAT, type_builtin(b->c, TYPE_FLOAT), e->span);
        x->real = value;
        return x;
    }
    if (point) {
        XExpr *x = xexpr_new(b->c, X_DECIMAL, type_builtin(b->c, TYPE_DECIMAL), e->span);
        return decimal_parse(text, &x->decimal)
                   ? x
                   : bad_number(b, e, "a Decimal has at most 34 digits");
    }
    errno = 0;
    XExpr *x = xexpr_new(b->c, X_INT, type_builtin(b->c, TYPE_INT), e->span);
    x->integer = strtoll(str_cstr(b->c->arena, text), NULL, 10);
    if (errno != 0) {
        return bad_number(b, e, "an Int has 64 bits: this number is outside its range");
    }
    if (wanted == TYPE_FLOAT) {
        Diagnostic *message =
            diagnostic_add(b->c->diagnostics, CODE_C005, e->span, "expected Float, found Int");
        diagnostic_help(b->c->diagnostics, message, "write `" STR_FMT ".0`", STR_ARG(text));
        return xexpr_error(b->c, e->span);
    }
    return x;
}

XExpr *check_number(Body *b, const Expr *e, Type *hint) {
    return make_number(b, e, e->number, hint);
}

/* ---- constants ---- */

bool constant_int(const Body *b, const XExpr *x, int64_t *out) {
    if (x->kind == X_INT) {
        *out = x->integer;
        return true;
    }
    if (x->kind == X_LOCAL) {
        const BodyLocal *local = map_find(&b->locals, x->local->name);
        if (local != NULL && local->constant != NULL && local->constant->kind == X_INT) {
            *out = local->constant->integer;
            return true;
        }
    }
    return false;
}

static bool is_constant_zero(const Body *b, const XExpr *x) {
    int64_t value;
    if (x->kind == X_PROMOTE) {
        x = x->operand;
    }
    if (x->kind == X_DECIMAL) {
        return decimal_is_zero(x->decimal);
    }
    return constant_int(b, x, &value) && value == 0;
}

static XExpr *overflow(Body *b, Span span) {
    diagnostic_add(b->c->diagnostics, CODE_C008, span, "this does not fit in an Int of 64 bits");
    return xexpr_error(b->c, span);
}

/* Computes what is constant; reports what can never work. */
static XExpr *fold(Body *b, XExpr *x) {
    BinaryOp op = x->binary.op;
    bool divides = op == BINARY_DIVIDE || op == BINARY_QUOTIENT || op == BINARY_REMAINDER;
    if (divides && x->type->kind != TYPE_FLOAT && is_constant_zero(b, x->binary.right)) {
        diagnostic_add(b->c->diagnostics, CODE_C008, x->span, "this divides by zero");
        return xexpr_error(b->c, x->span);
    }
    int64_t left;
    int64_t right;
    if (x->type->kind != TYPE_INT || !constant_int(b, x->binary.left, &left) ||
        !constant_int(b, x->binary.right, &right)) {
        return x;
    }
    int64_t value = 0;
    bool over = false;
    switch (op) {
    case BINARY_ADD:
        over = __builtin_add_overflow(left, right, &value);
        break;
    case BINARY_SUBTRACT:
        over = __builtin_sub_overflow(left, right, &value);
        break;
    case BINARY_MULTIPLY:
        over = __builtin_mul_overflow(left, right, &value);
        break;
    case BINARY_QUOTIENT:
    case BINARY_REMAINDER:
        over = left == INT64_MIN && right == -1;
        value = over ? 0 : op == BINARY_QUOTIENT ? left / right : left % right;
        break;
    default:
        return x;
    }
    if (over) {
        return overflow(b, x->span);
    }
    XExpr *folded = xexpr_new(b->c, X_INT, x->type, x->span);
    folded->integer = value;
    return folded;
}

/* ---- unary ---- */

XExpr *check_unary(Body *b, const Expr *e, Type *hint) {
    const Expr *inner = e->unary.operand;
    if (e->unary.op == UNARY_MINUS && inner->kind == EXPR_NUMBER) {
        return make_number(b, e, str_format(b->c->arena, "-" STR_FMT, STR_ARG(inner->number)),
                           hint);
    }
    XExpr *operand = require_value(b, check_expr(b, inner, hint));
    if (xexpr_is_error(operand)) {
        return operand;
    }
    bool minus = e->unary.op == UNARY_MINUS;
    if (minus ? !type_is_numeric(operand->type) : operand->type->kind != TYPE_BOOL) {
        diagnostic_add(b->c->diagnostics, CODE_C005, operand->span, "`%s` needs %s, found " STR_FMT,
                       minus ? "-" : "not", minus ? "a number" : "a Bool",
                       STR_ARG(operand->type->name));
        return xexpr_error(b->c, e->span);
    }
    int64_t value;
    if (minus && operand->type->kind == TYPE_INT && constant_int(b, operand, &value)) {
        if (value == INT64_MIN) {
            return overflow(b, e->span);
        }
        XExpr *folded = xexpr_new(b->c, X_INT, operand->type, e->span);
        folded->integer = -value;
        return folded;
    }
    XExpr *x = xexpr_new(b->c, minus ? X_NEGATE : X_NOT, operand->type, e->span);
    x->operand = operand;
    return x;
}

/* ---- binary ---- */

static XExpr *promote(Body *b, XExpr *x) {
    if (x->type->kind != TYPE_INT) {
        return x;
    }
    XExpr *promoted = xexpr_new(b->c, X_PROMOTE, type_builtin(b->c, TYPE_DECIMAL), x->span);
    promoted->operand = x;
    return promoted;
}

static bool is_point_literal(const Expr *e) {
    e = without_parens(e);
    if (e->kind == EXPR_UNARY && e->unary.op == UNARY_MINUS) {
        return is_point_literal(e->unary.operand);
    }
    return e->kind == EXPR_NUMBER && has_char(e->number, '.');
}

/* Does a literal take its type from what stands beside it? */
static bool needs_context(const Expr *e) {
    e = without_parens(e);
    return e->kind == EXPR_NULL || (e->kind == EXPR_LIST && e->list.count == 0) ||
           is_point_literal(e);
}

/* What the other side lends a literal: Float to a point literal, Uuid to a text; never Decimal to an
 * Int, which comparison would have to promote. */
static Type *lend(const Expr *e, const XExpr *other) {
    e = without_parens(e);
    if (xexpr_is_error(other) || other->type == NULL) {
        return NULL;
    }
    TypeKind kind = type_plain(other->type)->kind;
    bool lends = e->kind == EXPR_NULL || e->kind == EXPR_LIST ||
                 (is_point_literal(e) && kind == TYPE_FLOAT) ||
                 (e->kind == EXPR_TEXT && kind == TYPE_UUID);
    if (!lends) {
        return NULL;
    }
    return other->type;
}

static void check_sides(Body *b, const Expr *e, XExpr **left, XExpr **right) {
    const Expr *l = e->binary.left;
    const Expr *r = e->binary.right;
    if (needs_context(l) && !needs_context(r)) {
        *right = require_value(b, check_expr(b, r, NULL));
        *left = xexpr_is_error(*right) ? xexpr_error(b->c, l->span)
                                       : require_value(b, check_expr(b, l, lend(l, *right)));
        return;
    }
    *left = require_value(b, check_expr(b, l, NULL));
    *right = xexpr_is_error(*left) && needs_context(r)
                 ? xexpr_error(b->c, r->span)
                 : require_value(b, check_expr(b, r, lend(r, *left)));
    if (l->kind == EXPR_TEXT && !xexpr_is_error(*right) && (*right)->type->kind == TYPE_UUID) {
        *left = require_value(b, check_expr(b, l, (*right)->type));
    }
}

static XExpr *mismatch(Body *b, const Expr *e, const XExpr *left, const XExpr *right,
                       const char *needs) {
    Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                                         "`" STR_FMT "` needs %s, found " STR_FMT " and " STR_FMT,
                                         STR_ARG(binary_op_text(e->binary.op)), needs,
                                         STR_ARG(left->type->name), STR_ARG(right->type->name));
    TypeKind l = left->type->kind;
    TypeKind r = right->type->kind;
    if (left->type->kind == TYPE_NULLABLE || right->type->kind == TYPE_NULLABLE) {
        diagnostic_help(
            b->c->diagnostics, message,
            "give null a clause of its own, so that the other clause has a plain value");
    } else if ((l == TYPE_DECIMAL && right->kind == X_INT) ||
               (r == TYPE_DECIMAL && left->kind == X_INT)) {
        diagnostic_help(b->c->diagnostics, message, "write the number with a point: `1.0`");
    } else if (e->binary.op == BINARY_ADD && (l == TYPE_TEXT || r == TYPE_TEXT)) {
        diagnostic_help(b->c->diagnostics, message,
                        "make a Text first, for example with `int.to_text(…)`");
    }
    return xexpr_error(b->c, e->span);
}

static XExpr *binary(Body *b, const Expr *e, XExpr *left, XExpr *right, Type *type) {
    XExpr *x = xexpr_new(b->c, X_BINARY, type, e->span);
    x->binary.op = e->binary.op;
    x->binary.left = left;
    x->binary.right = right;
    return fold(b, x);
}

static bool is_int(const XExpr *x) {
    return x->type->kind == TYPE_INT;
}

static bool is_exact(const XExpr *x) {
    return x->type->kind == TYPE_INT || x->type->kind == TYPE_DECIMAL;
}

static bool is_float(const XExpr *x) {
    return x->type->kind == TYPE_FLOAT;
}

static XExpr *check_arithmetic(Body *b, const Expr *e, XExpr *left, XExpr *right) {
    BinaryOp op = e->binary.op;
    Type *decimal = type_builtin(b->c, TYPE_DECIMAL);
    if (op == BINARY_QUOTIENT || op == BINARY_REMAINDER) {
        return is_int(left) && is_int(right) ? binary(b, e, left, right, left->type)
                                             : mismatch(b, e, left, right, "two Int");
    }
    if (op == BINARY_ADD && left->type->kind == TYPE_TEXT && right->type->kind == TYPE_TEXT) {
        return binary(b, e, left, right, left->type);
    }
    if (is_float(left) && is_float(right)) {
        return binary(b, e, left, right, left->type);
    }
    if (is_exact(left) && is_exact(right)) {
        if (is_int(left) && is_int(right) && op != BINARY_DIVIDE) {
            return binary(b, e, left, right, left->type);
        }
        return binary(b, e, promote(b, left), promote(b, right), decimal);
    }
    return mismatch(b, e, left, right,
                    op == BINARY_ADD ? "two numbers or two Text" : "two numbers of one kind");
}

static XExpr *check_order(Body *b, const Expr *e, XExpr *left, XExpr *right) {
    Type *boolean = type_builtin(b->c, TYPE_BOOL);
    if ((is_float(left) && is_float(right)) || (is_int(left) && is_int(right))) {
        return binary(b, e, left, right, boolean);
    }
    if (is_exact(left) && is_exact(right)) {
        return binary(b, e, promote(b, left), promote(b, right), boolean);
    }
    return mismatch(b, e, left, right, "two numbers of one kind");
}

static XExpr *check_equality(Body *b, const Expr *e, XExpr *left, XExpr *right) {
    if (left->type == right->type && type_is_comparable(left->type)) {
        return binary(b, e, left, right, type_builtin(b->c, TYPE_BOOL));
    }
    return mismatch(b, e, left, right, "two values of one comparable type");
}

static XExpr *check_logic(Body *b, const Expr *e, XExpr *left, XExpr *right) {
    if (left->type->kind == TYPE_BOOL && right->type->kind == TYPE_BOOL) {
        return binary(b, e, left, right, left->type);
    }
    return mismatch(b, e, left, right, "two Bool");
}

/* `null` beside a value that cannot be null. */
static bool null_misplaced(Body *b, const Expr *e, const XExpr *left, const XExpr *right) {
    const Expr *l = without_parens(e->binary.left);
    const Expr *r = without_parens(e->binary.right);
    bool equality = e->binary.op == BINARY_EQUAL || e->binary.op == BINARY_NOT_EQUAL;
    const XExpr *other = l->kind == EXPR_NULL ? right : r->kind == EXPR_NULL ? left : NULL;
    if (!equality || other == NULL || xexpr_is_error(other) || other->type->kind == TYPE_NULLABLE) {
        return false;
    }
    diagnostic_add(b->c->diagnostics, CODE_C005, e->span, "this " STR_FMT " is never null",
                   STR_ARG(other->type->name));
    return true;
}

XExpr *check_binary(Body *b, const Expr *e, Type *hint) {
    const Expr *l = without_parens(e->binary.left);
    const Expr *r = without_parens(e->binary.right);
    XExpr *left;
    XExpr *right;
    /* A side that is `null` is checked by hand, so that the message is about the comparison. */
    if ((l->kind == EXPR_NULL) != (r->kind == EXPR_NULL)) {
        XExpr *other = require_value(b, check_expr(b, l->kind == EXPR_NULL ? r : l, NULL));
        if (xexpr_is_error(other) || null_misplaced(b, e, other, other)) {
            return xexpr_error(b->c, e->span);
        }
        XExpr *null =
            xexpr_new(b->c, X_NULL, other->type, l->kind == EXPR_NULL ? l->span : r->span);
        left = l->kind == EXPR_NULL ? null : other;
        right = l->kind == EXPR_NULL ? other : null;
    } else {
        /* Both sides being point literals, the wanted Float decides. */
        if (hint != NULL && type_plain(hint)->kind == TYPE_FLOAT && is_point_literal(l) &&
            is_point_literal(r)) {
            left = check_expr(b, l, hint);
            right = check_expr(b, r, hint);
        } else {
            check_sides(b, e, &left, &right);
        }
    }
    if (xexpr_is_error(left) || xexpr_is_error(right)) {
        return xexpr_error(b->c, e->span);
    }
    switch (e->binary.op) {
    case BINARY_OR:
    case BINARY_AND:
        return check_logic(b, e, left, right);
    case BINARY_EQUAL:
    case BINARY_NOT_EQUAL:
        return check_equality(b, e, left, right);
    case BINARY_LESS:
    case BINARY_LESS_EQUAL:
    case BINARY_GREATER:
    case BINARY_GREATER_EQUAL:
        return check_order(b, e, left, right);
    case BINARY_ADD:
    case BINARY_SUBTRACT:
    case BINARY_MULTIPLY:
    case BINARY_DIVIDE:
    case BINARY_QUOTIENT:
    case BINARY_REMAINDER:
        return check_arithmetic(b, e, left, right);
    }
    return xexpr_error(b->c, e->span);
}
