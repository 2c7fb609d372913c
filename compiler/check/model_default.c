/* compiler/check/model_default.c: the constant behind `default`: one written value of the column's type
 * that the database keeps, so it must fit the column exactly. */
#include "compiler/check/check_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/datetime.h"
#include "base/utf8.h"

static XExpr *bad_default(Checker *c, const Expr *e, const Column *column, const char *wanted) {
    Diagnostic *message =
        diagnostic_add(c->diagnostics, CODE_C014, e->span,
                       "expected %s as the default of `" STR_FMT ": " STR_FMT "`", wanted,
                       STR_ARG(column->name), STR_ARG(column->type->name));
    if (e->kind == EXPR_NULL) {
        diagnostic_help(c->diagnostics, message, "write `" STR_FMT "?`, or remove the default",
                        STR_ARG(column->type->name));
    }
    return NULL;
}

static Str constant_text(Checker *c, const Expr *e, bool *out_is_number) {
    bool negative = e->kind == EXPR_UNARY && e->unary.op == UNARY_MINUS;
    const Expr *number = negative ? e->unary.operand : e;
    *out_is_number = number->kind == EXPR_NUMBER;
    return *out_is_number
               ? str_format(c->arena, "%s" STR_FMT, negative ? "-" : "", STR_ARG(number->number))
               : STR("");
}

static XExpr *default_number(Checker *c, const Expr *e, Type *type, const Column *column) {
    bool is_number;
    Str text = constant_text(c, e, &is_number);
    bool exponent = str_find_char(text, 'e', NULL) || str_find_char(text, 'E', NULL);
    if (type->kind == TYPE_FLOAT) {
        XExpr *x = xexpr_new(c, X_FLOAT, type, e->span);
        x->real = is_number ? strtod(text.ptr, NULL) : 0;
        return is_number && isfinite(x->real) ? x : bad_default(c, e, column, "a finite number");
    }
    if (type->kind == TYPE_DECIMAL) {
        char key[DECIMAL_KEY_SIZE];
        XExpr *x = xexpr_new(c, X_DECIMAL, type, e->span);
        bool fits = is_number && !exponent && decimal_parse(text, &x->decimal) &&
                    (column->precision == 0 ||
                     decimal_to_key(x->decimal, column->precision, column->scale, key));
        Str wanted = str_format(c->arena, "a number that fits Decimal(%d, %d)", column->precision,
                                column->scale);
        return fits ? x : bad_default(c, e, column, wanted.ptr);
    }
    errno = 0;
    XExpr *x = xexpr_new(c, X_INT, type, e->span);
    x->integer = is_number ? strtoll(text.ptr, NULL, 10) : 0;
    bool whole = is_number && !exponent && errno == 0 && !str_find_char(text, '.', NULL);
    switch (type->kind) {
    case TYPE_DATETIME:
        return whole && x->integer >= 0 && x->integer <= DATETIME_MOST
                   ? x
                   : bad_default(c, e, column, "epoch milliseconds from 0 up to the year 9999");
    case TYPE_DATE:
        return whole && x->integer >= 0 && x->integer <= DATETIME_MOST &&
                       x->integer % MS_PER_DAY == 0
                   ? x
                   : bad_default(c, e, column,
                                 "the epoch milliseconds of a day: a multiple of 86400000 up to "
                                 "the year 9999");
    case TYPE_TIME:
        return whole && x->integer >= 0 && x->integer < MS_PER_DAY
                   ? x
                   : bad_default(c, e, column, "milliseconds since midnight, 0 to 86399999");
    default:
        return whole ? x
                     : bad_default(c, e, column,
                                   type->kind == TYPE_INT ? "a whole number of 64 bits"
                                                          : "a whole number of milliseconds");
    }
}

static XExpr *default_choice(Checker *c, const SourceFile *file, const Expr *e, Type *type,
                             const Column *column) {
    Choice *choice = NULL;
    const Variant *variant = e->kind == EXPR_PATH ? find_variant(c, file, &e->path, &choice) : NULL;
    if (variant != NULL && choice == type->choice) {
        XExpr *x = xexpr_new(c, X_CHOICE, type, e->span);
        x->choice.variant = variant;
        return x;
    }
    Str written = e->kind == EXPR_TEXT   ? e->text
                  : e->kind == EXPR_PATH ? e->path.parts[e->path.count - 1].text
                                         : STR("");
    Diagnostic *message =
        diagnostic_add(c->diagnostics, CODE_C014, e->span,
                       "expected a variant of `" STR_FMT "` as the default of `" STR_FMT "`",
                       STR_ARG(type->choice->name), STR_ARG(column->name));
    Nearest nearest = nearest_begin(written);
    for (size_t i = 0; i < type->choice->variants.count; i++) {
        const Variant *offered = type->choice->variants.items[i];
        nearest_offer(&nearest, offered->name);
    }
    if (nearest.best.len == 0 && type->choice->variants.count > 0) {
        nearest.best = type->choice->variants.items[0]->name;
    }
    if (nearest.best.len > 0) {
        diagnostic_help(c->diagnostics, message, "write `" STR_FMT "." STR_FMT "`",
                        STR_ARG(type->choice->name), STR_ARG(nearest.best));
    }
    return NULL;
}

static XExpr *default_text(Checker *c, const Expr *e, Type *type, const Column *column) {
    if (e->kind != EXPR_TEXT) {
        return bad_default(c, e, column, "a text");
    }
    if (str_find_char(e->text, '\0', NULL)) {
        return bad_default(c, e, column, "a text without U+0000");
    }
    size_t length = utf8_count(e->text);
    if (column->most > 0 && (length < (size_t)column->least || length > (size_t)column->most)) {
        Str wanted = str_format(c->arena, "%d to %d characters", column->least, column->most);
        return bad_default(c, e, column, wanted.ptr);
    }
    XExpr *x = xexpr_new(c, X_TEXT, type, e->span);
    x->text = e->text;
    return x;
}

/* The constant as the plain type of the column has it; NULL after a message. */
static XExpr *resolve_constant(Checker *c, const SourceFile *file, const Expr *e,
                               const Column *column) {
    Type *type = type_plain(column->type);
    XExpr *x = NULL;
    switch (type->kind) {
    case TYPE_BOOL:
        if (e->kind != EXPR_TRUE && e->kind != EXPR_FALSE) {
            return bad_default(c, e, column, "true or false");
        }
        x = xexpr_new(c, X_BOOL, type, e->span);
        x->boolean = e->kind == EXPR_TRUE;
        return x;
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_DECIMAL:
    case TYPE_DATETIME:
    case TYPE_DATE:
    case TYPE_TIME:
    case TYPE_DURATION:
        return default_number(c, e, type, column);
    case TYPE_TEXT:
        return default_text(c, e, type, column);
    case TYPE_UUID:
        x = xexpr_new(c, X_UUID, type, e->span);
        return e->kind == EXPR_TEXT && uuid_parse(e->text, &x->uuid)
                   ? x
                   : bad_default(c, e, column, "a UUID as a text of 36 characters");
    case TYPE_CHOICE:
        return default_choice(c, file, e, type, column);
    default: {
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_C014, e->span,
                           STR_FMT " has no constants, so `" STR_FMT "` can have no default",
                           STR_ARG(type->name), STR_ARG(column->name));
        diagnostic_help(c->diagnostics, message, "remove the default, and give it in `create`");
        return NULL;
    }
    }
}

XExpr *check_default(Checker *c, const SourceFile *file, const Expr *e, const Column *column) {
    bool nullable = column->type->kind == TYPE_NULLABLE;
    e = without_parens(e);
    if (e->kind == EXPR_NULL) {
        return nullable ? xexpr_new(c, X_NULL, column->type, e->span)
                        : bad_default(c, e, column, "a value, never null,");
    }
    XExpr *x = resolve_constant(c, file, e, column);
    if (x == NULL || !nullable) {
        return x;
    }
    XExpr *lifted = xexpr_new(c, X_LIFT, column->type, e->span);
    lifted->operand = x;
    return lifted;
}
