/* compiler/check/model_condition.c: what stands behind `where`. A bare name on the left of a comparison is
 * a field of the Model; everything on the right is an ordinary expression. */
#include "compiler/check/check_internal.h"

/* ---- columns by name ---- */

bool find_column(const Model *model, Str name, size_t *out) {
    for (size_t i = 0; i < model->columns.count; i++) {
        if (str_equal(model->columns.items[i].name, name)) {
            *out = i;
            return true;
        }
    }
    return false;
}

bool unknown_column(Body *b, const Model *model, const Name *name) {
    Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C004, name->span,
                                         "`" STR_FMT "` has no field `" STR_FMT "`",
                                         STR_ARG(model->record->name), STR_ARG(name->text));
    Nearest nearest = nearest_begin(name->text);
    for (size_t i = 0; i < model->columns.count; i++) {
        nearest_offer(&nearest, model->columns.items[i].name);
    }
    nearest_help(b->c, message, &nearest);
    return false;
}

/* The column of a bare name, or NULL. */
static const Column *bare_column(const Model *model, const Expr *e) {
    size_t at = 0;
    e = without_parens(e);
    return e->kind == EXPR_PATH && e->path.count == 1 &&
                   find_column(model, e->path.parts[0].text, &at)
               ? &model->columns.items[at]
               : NULL;
}

/* What to write instead of a left side that is no field; `right` is NULL in a call. */
static void help_left_side(Body *b, const Model *model, const Expr *left, const Expr *right,
                           Diagnostic *message) {
    const Column *swapped = right != NULL ? bare_column(model, right) : NULL;
    size_t at = 0;
    if (left->kind == EXPR_PATH &&
        find_column(model, left->path.parts[left->path.count - 1].text, &at)) {
        diagnostic_help(b->c->diagnostics, message, "write `" STR_FMT "` alone",
                        STR_ARG(model->columns.items[at].name));
    } else if (swapped != NULL) {
        diagnostic_help(b->c->diagnostics, message,
                        "turn it round: the field `" STR_FMT "` stands on the left",
                        STR_ARG(swapped->name));
    } else {
        diagnostic_help(b->c->diagnostics, message,
                        "write the field first, and calculate on the right: `field == value`");
    }
}

/* The bare name on the left of a condition. */
static bool condition_field(Body *b, const Model *model, const Expr *e, const Expr *right,
                            size_t *out) {
    const Expr *plain = without_parens(e);
    if (plain->kind != EXPR_PATH || plain->path.count != 1) {
        Diagnostic *message =
            diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                           "the left side of a condition is a field of `" STR_FMT "`",
                           STR_ARG(model->record->name));
        help_left_side(b, model, plain, right, message);
        return false;
    }
    return find_column(model, plain->path.parts[0].text, out) ||
           unknown_column(b, model, &plain->path.parts[0]);
}

/* ---- conditions ---- */

static Condition *condition_new(Body *b, ConditionKind kind, Span span) {
    Condition *condition = arena_make(b->c->arena, Condition);
    condition->kind = kind;
    condition->span = span;
    return condition;
}

/* A value that a field is compared with. Null has comparisons of its own. */
static bool add_value(Body *b, Condition *condition, const Expr *e, Type *type) {
    if (without_parens(e)->kind == EXPR_NULL) {
        Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                                             "null is compared with `==` or `!=` alone");
        diagnostic_help(b->c->diagnostics, message, "write `or field == null` beside it");
        return false;
    }
    XExpr *value = check_value(b, e, type);
    vec_push(b->c->arena, &condition->values, value);
    return !xexpr_is_error(value);
}

static Condition *check_logic(Body *b, const Model *model, const Expr *e) {
    Condition *condition =
        condition_new(b, e->binary.op == BINARY_AND ? CONDITION_AND : CONDITION_OR, e->span);
    condition->left = check_condition(b, model, e->binary.left);
    condition->right = check_condition(b, model, e->binary.right);
    return condition->left == NULL || condition->right == NULL ? NULL : condition;
}

static Condition *check_null(Body *b, const Model *model, const Expr *e, size_t field) {
    const Column *column = &model->columns.items[field];
    bool equality = e->binary.op == BINARY_EQUAL || e->binary.op == BINARY_NOT_EQUAL;
    if (!equality) {
        diagnostic_add(b->c->diagnostics, CODE_C005, e->span, "null is compared with `==` or `!=`");
        return NULL;
    }
    if (!type_is_error(column->type) && column->type->kind != TYPE_NULLABLE) {
        diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                       "the field `" STR_FMT "` is never null", STR_ARG(column->name));
        return NULL;
    }
    Condition *condition = condition_new(b, CONDITION_NULL, e->span);
    condition->field = field;
    condition->negated = e->binary.op == BINARY_NOT_EQUAL;
    return condition;
}

static Condition *check_compare(Body *b, const Model *model, const Expr *e) {
    size_t field = 0;
    if (!condition_field(b, model, e->binary.left, e->binary.right, &field)) {
        return NULL;
    }
    if (without_parens(e->binary.right)->kind == EXPR_NULL) {
        return check_null(b, model, e, field);
    }
    Condition *condition = condition_new(b, CONDITION_COMPARE, e->span);
    condition->field = field;
    condition->op = e->binary.op;
    Type *type = model->columns.items[field].type;
    const Expr *value = e->binary.right;
    /* A plain value is compared with a nullable field; a nullable value with one that may be null. */
    return add_value(b, condition, value, type) && !type_is_error(type) ? condition : NULL;
}

static const Expr *list_argument(Body *b, const Expr *e) {
    const Expr *list = without_parens(e);
    if (list->kind != EXPR_LIST || list->list.count < 1 || list->list.count > 100) {
        Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                                             "`in` takes a written list of 1 to 100 values");
        diagnostic_help(b->c->diagnostics, message, "write `in(field, [a, b])`");
        return NULL;
    }
    return list;
}

static Condition *check_in(Body *b, const Model *model, const Expr *e, size_t field) {
    Condition *condition = condition_new(b, CONDITION_IN, e->span);
    const Expr *list = list_argument(b, e->call.arguments.items[1]);
    bool good = list != NULL;
    condition->field = field;
    for (size_t i = 0; list != NULL && i < list->list.count; i++) {
        good =
            add_value(b, condition, list->list.items[i], model->columns.items[field].type) && good;
    }
    return good ? condition : NULL;
}

static bool has_order(const Type *type) {
    switch (type_plain((Type *)(uintptr_t)type)->kind) {
    case TYPE_INT:
    case TYPE_DECIMAL:
    case TYPE_FLOAT:
    case TYPE_DATETIME:
    case TYPE_DATE:
    case TYPE_TIME:
    case TYPE_DURATION:
        return true;
    default:
        return false;
    }
}

static Condition *check_between(Body *b, const Model *model, const Expr *e, size_t field) {
    const Column *column = &model->columns.items[field];
    if (!type_is_error(column->type) && !has_order(column->type)) {
        diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                       "`between` needs a field with numbers or times, and `" STR_FMT
                       "` is " STR_FMT,
                       STR_ARG(column->name), STR_ARG(column->type->name));
        return NULL;
    }
    Condition *condition = condition_new(b, CONDITION_BETWEEN, e->span);
    condition->field = field;
    bool good = add_value(b, condition, e->call.arguments.items[1], column->type);
    return add_value(b, condition, e->call.arguments.items[2], column->type) && good ? condition
                                                                                     : NULL;
}

static Condition *check_text_match(Body *b, const Model *model, const Expr *e, size_t field,
                                   ConditionKind kind) {
    const Column *column = &model->columns.items[field];
    if (!type_is_error(column->type) && type_plain(column->type)->kind != TYPE_TEXT) {
        diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                       "this needs a field of Text, and `" STR_FMT "` is " STR_FMT,
                       STR_ARG(column->name), STR_ARG(column->type->name));
        return NULL;
    }
    Condition *condition = condition_new(b, kind, e->span);
    condition->field = field;
    XExpr *value = check_value(b, e->call.arguments.items[1], type_builtin(b->c, TYPE_TEXT));
    value = coerce(b, value, column->type);
    vec_push(b->c->arena, &condition->values, value);
    return xexpr_is_error(value) ? NULL : condition;
}

static Condition *check_condition_call(Body *b, const Model *model, const Expr *e) {
    static const struct {
        Str name;
        ConditionKind kind;
        size_t arguments;
    } calls[] = {{STR_INIT("in"), CONDITION_IN, 2},
                 {STR_INIT("between"), CONDITION_BETWEEN, 3},
                 {STR_INIT("contains"), CONDITION_CONTAINS, 2},
                 {STR_INIT("starts_with"), CONDITION_STARTS_WITH, 2},
                 {STR_INIT("ends_with"), CONDITION_ENDS_WITH, 2}};
    const Expr *callee = without_parens(e->call.callee);
    for (size_t i = 0; callee->kind == EXPR_PATH && callee->path.count == 1 && i < COUNT_OF(calls);
         i++) {
        size_t field = 0;
        if (!str_equal(callee->path.parts[0].text, calls[i].name)) {
            continue;
        }
        if (e->call.arguments.count != calls[i].arguments) {
            diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                           "`" STR_FMT "` takes %zu arguments, found %zu", STR_ARG(calls[i].name),
                           calls[i].arguments, e->call.arguments.count);
            return NULL;
        }
        if (!condition_field(b, model, e->call.arguments.items[0], NULL, &field)) {
            return NULL;
        }
        return calls[i].kind == CONDITION_IN ? check_in(b, model, e, field)
               : calls[i].kind == CONDITION_BETWEEN
                   ? check_between(b, model, e, field)
                   : check_text_match(b, model, e, field, calls[i].kind);
    }
    Diagnostic *message =
        diagnostic_add(b->c->diagnostics, CODE_C005, e->call.callee->span,
                       "a condition calls in, between, contains, starts_with or ends_with");
    if (callee->kind == EXPR_PATH) {
        Nearest nearest = nearest_begin(callee->path.parts[0].text);
        for (size_t i = 0; i < COUNT_OF(calls); i++) {
            nearest_offer(&nearest, calls[i].name);
        }
        nearest_help(b->c, message, &nearest);
    }
    return NULL;
}

/* Neither a comparison nor a call. */
static Condition *no_condition(Body *b, const Model *model, const Expr *e, bool negated) {
    Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                                         "a condition compares a field with a value");
    const Column *column = bare_column(model, e);
    if (column != NULL && type_plain(column->type)->kind == TYPE_BOOL) {
        diagnostic_help(b->c->diagnostics, message, "write `" STR_FMT " == %s`",
                        STR_ARG(column->name), negated ? "false" : "true");
    } else if (column != NULL) {
        diagnostic_help(b->c->diagnostics, message, "write `" STR_FMT " == value`",
                        STR_ARG(column->name));
    } else if (e->kind == EXPR_TRUE) {
        diagnostic_help(b->c->diagnostics, message, "leave `where` out to mean every row");
    }
    return NULL;
}

static Condition *check_not(Body *b, const Model *model, const Expr *e) {
    const Expr *operand = without_parens(e->unary.operand);
    if (operand->kind == EXPR_PATH) {
        return no_condition(b, model, operand, true);
    }
    Condition *condition = condition_new(b, CONDITION_NOT, e->span);
    condition->left = check_condition(b, model, operand);
    return condition->left == NULL ? NULL : condition;
}

Condition *check_condition(Body *b, const Model *model, const Expr *e) {
    e = without_parens(e);
    if (e->kind == EXPR_UNARY && e->unary.op == UNARY_NOT) {
        return check_not(b, model, e);
    }
    if (e->kind == EXPR_CALL) {
        return check_condition_call(b, model, e);
    }
    if (e->kind != EXPR_BINARY) {
        return e->kind == EXPR_ERROR ? NULL : no_condition(b, model, e, false);
    }
    const Expr *left = without_parens(e->binary.left);
    switch (e->binary.op) {
    case BINARY_AND:
    case BINARY_OR:
        return check_logic(b, model, e);
    case BINARY_EQUAL:
    case BINARY_NOT_EQUAL:
    case BINARY_LESS:
    case BINARY_LESS_EQUAL:
    case BINARY_GREATER:
    case BINARY_GREATER_EQUAL:
        break;
    default:
        return no_condition(b, model, e, false);
    }
    if (left->kind == EXPR_UNARY && left->unary.op == UNARY_NOT) {
        Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, e->binary.left->span,
                                             "`not` binds tighter than the comparison");
        diagnostic_help(b->c->diagnostics, message, "write `not (field == value)`");
        return NULL;
    }
    return check_compare(b, model, e);
}
