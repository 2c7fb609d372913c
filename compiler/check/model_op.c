/* compiler/check/model_op.c: Model operations: query blocks, conditions, blocks of values. */
#include "compiler/check/check_internal.h"

typedef struct Operation {
    Str name;
    ModelOpKind kind;
    size_t least, most; /* arguments */
    bool writes;
} Operation;

static const Operation operations[] = {
    {STR_INIT("create"), MODEL_CREATE, 1, 1, true}, {STR_INIT("get"), MODEL_GET, 1, 1, false},
    {STR_INIT("first"), MODEL_FIRST, 0, 1, false},  {STR_INIT("list"), MODEL_LIST, 0, 1, false},
    {STR_INIT("count"), MODEL_COUNT, 0, 1, false},  {STR_INIT("exists"), MODEL_EXISTS, 0, 1, false},
    {STR_INIT("update"), MODEL_UPDATE, 2, 2, true}, {STR_INIT("delete"), MODEL_DELETE, 1, 1, true},
};

static const Str later[] = {STR_INIT("create_many"), STR_INIT("cursor"), STR_INIT("upsert"),
                            STR_INIT("stream")};

/* ---- order ---- */

static bool check_order_item(Body *b, const Model *model, const Expr *e, ModelOp *op) {
    e = without_parens(e);
    bool directed = e->kind == EXPR_PATH && e->path.count == 2;
    Str direction = directed ? e->path.parts[1].text : STR("");
    bool descending = str_equal(direction, STR("desc"));
    if (!directed || (!descending && !str_equal(direction, STR("asc")))) {
        Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                                             "an order is a field with its direction");
        diagnostic_help(b->c->diagnostics, message, "write `field.asc` or `field.desc`");
        return false;
    }
    Order order = {.descending = descending};
    if (!find_column(model, e->path.parts[0].text, &order.field)) {
        return unknown_column(b, model, &e->path.parts[0]);
    }
    for (size_t i = 0; i < op->order.count; i++) {
        if (op->order.items[i].field == order.field) {
            diagnostic_add(b->c->diagnostics, CODE_C002, e->span,
                           "the order names `" STR_FMT "` twice", STR_ARG(e->path.parts[0].text));
            return false;
        }
    }
    vec_push(b->c->arena, &op->order, order);
    return true;
}

static bool check_order(Body *b, const Model *model, const Expr *e, ModelOp *op) {
    e = without_parens(e);
    if (e->kind != EXPR_LIST) {
        return check_order_item(b, model, e, op);
    }
    bool good = true;
    for (size_t i = 0; i < e->list.count; i++) {
        good = check_order_item(b, model, e->list.items[i], op) && good;
    }
    return good;
}

/* Rows have one order always: the newest first, unless said otherwise. */
static void complete_order(Body *b, ModelOp *op) {
    for (size_t i = 0; i < op->order.count; i++) {
        if (op->order.items[i].field == 0) {
            return;
        }
    }
    Order by_id = {.field = 0, .descending = true};
    vec_push(b->c->arena, &op->order, by_id);
}

/* ---- blocks ---- */

static const Name *member_name(Body *b, const Member *member) {
    const Expr *key = member->key;
    if (key->kind == EXPR_PATH && key->path.count == 1) {
        return &key->path.parts[0];
    }
    diagnostic_add(b->c->diagnostics, CODE_C005, key->span, "expected a bare name");
    return NULL;
}

static const Expr *require_block(Body *b, const Expr *e, const char *what) {
    const Expr *block = without_parens(e);
    if (block->kind == EXPR_BLOCK) {
        return block;
    }
    Diagnostic *message =
        diagnostic_add(b->c->diagnostics, CODE_C005, e->span, "expected %s", what);
    diagnostic_help(b->c->diagnostics, message, "write `{ name = value }`");
    return NULL;
}

static bool check_query_option(Body *b, Model *model, const Name *name, const Expr *value,
                               ModelOp *op) {
    bool listed = op->kind == MODEL_LIST;
    Type *integer = type_builtin(b->c, TYPE_INT);
    if (str_equal(name->text, STR("where"))) {
        op->where = check_condition(b, model, value);
        return op->where != NULL;
    }
    if (str_equal(name->text, STR("order"))) {
        return check_order(b, model, value, op);
    }
    if (str_equal(name->text, STR("page")) || str_equal(name->text, STR("size"))) {
        XExpr *number = check_value(b, value, integer);
        if (listed) {
            *(str_equal(name->text, STR("page")) ? &op->page : &op->size) = number;
        }
        return !xexpr_is_error(number);
    }
    bool with_allowed = op->kind == MODEL_FIRST || listed;
    if (str_equal(name->text, STR("with")) && with_allowed) {
        not_supported(b->c, name->span, "`with` is");
        return false;
    }
    Diagnostic *message =
        diagnostic_add(b->c->diagnostics, CODE_C004, name->span,
                       "there is no option `" STR_FMT "` here", STR_ARG(name->text));
    size_t field = 0;
    if (find_column(model, name->text, &field)) {
        diagnostic_help(b->c->diagnostics, message, "write `where = " STR_FMT " == value`",
                        STR_ARG(name->text));
    } else {
        diagnostic_help(b->c->diagnostics, message, "the options are where, order, page and size");
    }
    return false;
}

static bool check_query(Body *b, Model *model, const Expr *block, ModelOp *op) {
    bool good = true;
    for (size_t i = 0; i < block->block.members.count; i++) {
        const Member *member = &block->block.members.items[i];
        const Name *name = member_name(b, member);
        if (name == NULL) {
            good = false;
            continue;
        }
        bool twice = false;
        for (size_t j = 0; j < i; j++) {
            const Expr *key = block->block.members.items[j].key;
            twice =
                twice || (key->kind == EXPR_PATH && str_equal(key->path.parts[0].text, name->text));
        }
        if (twice) {
            diagnostic_add(b->c->diagnostics, CODE_C002, name->span,
                           "the option `" STR_FMT "` is given twice", STR_ARG(name->text));
            good = false;
            continue;
        }
        good = check_query_option(b, model, name, member->value, op) && good;
    }
    return good;
}

static bool check_write(Body *b, Model *model, const Member *member, ModelOp *op) {
    const Name *name = member_name(b, member);
    size_t field = 0;
    if (name == NULL) {
        return false;
    }
    if (!find_column(model, name->text, &field)) {
        check_expr(b, member->value, NULL);
        return unknown_column(b, model, name);
    }
    const Column *column = &model->columns.items[field];
    for (size_t i = 0; i < op->writes.count; i++) {
        if (op->writes.items[i].field == field) {
            diagnostic_add(b->c->diagnostics, CODE_C002, name->span,
                           "the field `" STR_FMT "` is given twice", STR_ARG(name->text));
            return false;
        }
    }
    if (field < 2 || column->is_generated) {
        diagnostic_add(b->c->diagnostics, CODE_C005, name->span,
                       "the field `" STR_FMT "` is made by the database and never written",
                       STR_ARG(name->text));
        return false;
    }
    FieldValue value = {field, check_value(b, member->value, column->type)};
    vec_push(b->c->arena, &op->writes, value);
    return !xexpr_is_error(value.value) && !type_is_error(column->type);
}

static bool check_writes(Body *b, Model *model, const Expr *block, ModelOp *op) {
    bool good = true;
    for (size_t i = 0; i < block->block.members.count; i++) {
        good = check_write(b, model, &block->block.members.items[i], op) && good;
    }
    return good;
}

/* create: every field that must be given. */
static bool check_required(Body *b, const Model *model, const Expr *block, const ModelOp *op) {
    Buf missing = {0};
    for (size_t i = 2; i < model->columns.count; i++) {
        const Column *column = &model->columns.items[i];
        bool given = column->type->kind == TYPE_NULLABLE || column->default_value != NULL ||
                     column->is_generated || type_is_error(column->type);
        for (size_t j = 0; j < op->writes.count; j++) {
            given = given || op->writes.items[j].field == i;
        }
        for (size_t j = 0; j < block->block.members.count; j++) {
            const Expr *key = block->block.members.items[j].key;
            given = given ||
                    (key->kind == EXPR_PATH && str_equal(key->path.parts[0].text, column->name));
        }
        if (!given) {
            buf_format(&missing, "%s`" STR_FMT "`", missing.len == 0 ? "" : ", ",
                       STR_ARG(column->name));
        }
    }
    bool good = missing.len == 0;
    if (!good) {
        diagnostic_add(b->c->diagnostics, CODE_C005, block->span, "a new `" STR_FMT "` needs %s",
                       STR_ARG(model->record->name), missing.data);
    }
    buf_done(&missing);
    return good;
}

/* ---- the operations ---- */

/* update and delete: an id, or a query block. */
static bool check_target(Body *b, Model *model, const Expr *e, ModelOp *op) {
    if (without_parens(e)->kind == EXPR_BLOCK) {
        return check_query(b, model, without_parens(e), op);
    }
    op->id = check_value(b, e, model->id);
    return !xexpr_is_error(op->id);
}

static bool check_arguments(Body *b, Model *model, const Expr *e, ModelOp *op) {
    const ExprList *arguments = &e->call.arguments;
    const Expr *block = NULL;
    switch (op->kind) {
    case MODEL_CREATE:
        block = require_block(b, arguments->items[0], "a block with the fields of the new row");
        if (block == NULL) {
            return false;
        }
        {
            bool good = check_writes(b, model, block, op);
            return check_required(b, model, block, op) && good;
        }
    case MODEL_GET:
        if (without_parens(arguments->items[0])->kind == EXPR_BLOCK) {
            Diagnostic *message =
                diagnostic_add(b->c->diagnostics, CODE_C005, arguments->items[0]->span,
                               "`get` takes an id, found a block");
            diagnostic_help(b->c->diagnostics, message, "write `first({ where = … })`");
            return false;
        }
        op->id = check_value(b, arguments->items[0], model->id);
        return !xexpr_is_error(op->id);
    case MODEL_FIRST:
    case MODEL_LIST:
    case MODEL_COUNT:
    case MODEL_EXISTS:
        if (arguments->count == 0) {
            return true;
        }
        block = require_block(b, arguments->items[0], "a query block");
        return block != NULL && check_query(b, model, block, op);
    case MODEL_UPDATE: {
        bool good = check_target(b, model, arguments->items[0], op);
        block = require_block(b, arguments->items[1], "a block with the fields to change");
        if (block == NULL) {
            return false;
        }
        if (block->block.members.count == 0) {
            diagnostic_add(b->c->diagnostics, CODE_C005, block->span,
                           "an update changes at least one field");
            return false;
        }
        return check_writes(b, model, block, op) && good;
    }
    case MODEL_DELETE:
        return check_target(b, model, arguments->items[0], op);
    }
    return false;
}

static Type *result_type(Body *b, const Model *model, ModelOpKind kind) {
    switch (kind) {
    case MODEL_CREATE:
    case MODEL_GET:
        return model->record->type;
    case MODEL_FIRST:
        return type_nullable(b->c, model->record->type);
    case MODEL_LIST:
        return model->page->type;
    case MODEL_EXISTS:
        return type_builtin(b->c, TYPE_BOOL);
    case MODEL_COUNT:
    case MODEL_UPDATE:
    case MODEL_DELETE:
        return type_builtin(b->c, TYPE_INT);
    }
    return b->c->error_type;
}

/* What a call that is refused as a whole would have read. */
static XExpr *touched(Body *b, const Expr *e) {
    body_touch(b, e);
    return xexpr_error(b->c, e->span);
}

static XExpr *unknown_operation(Body *b, const Model *model, const Name *name, const Expr *e) {
    for (size_t i = 0; i < COUNT_OF(later); i++) {
        if (str_equal(later[i], name->text)) {
            Str what =
                str_format(b->c->arena, "the operation `" STR_FMT "` is", STR_ARG(name->text));
            not_supported(b->c, name->span, what.ptr);
            return touched(b, e);
        }
    }
    Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C004, name->span,
                                         "`" STR_FMT "` has no operation `" STR_FMT "`",
                                         STR_ARG(model->package), STR_ARG(name->text));
    Nearest nearest = nearest_begin(name->text);
    for (size_t i = 0; i < COUNT_OF(operations); i++) {
        nearest_offer(&nearest, operations[i].name);
    }
    nearest_help(b->c, message, &nearest);
    return touched(b, e);
}

XExpr *check_model_op(Body *b, Model *model, const Name *name, const Expr *e) {
    const Operation *operation = NULL;
    for (size_t i = 0; i < COUNT_OF(operations); i++) {
        operation = str_equal(operations[i].name, name->text) ? &operations[i] : operation;
    }
    if (b->file->role != ROLE_APP || !same_domain(b->file, model->file)) {
        Diagnostic *message =
            diagnostic_add(b->c->diagnostics, CODE_C006, e->call.callee->span,
                           "only the App of " STR_FMT "." STR_FMT " may use this Model",
                           STR_ARG(model->file->component), STR_ARG(model->file->domain));
        diagnostic_help(b->c->diagnostics, message, "call an App function of that domain");
        return touched(b, e);
    }
    if (operation == NULL) {
        return unknown_operation(b, model, name, e);
    }
    size_t count = e->call.arguments.count;
    if (count < operation->least || count > operation->most) {
        diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                       "`" STR_FMT "` takes %s%zu argument%s, found %zu", STR_ARG(name->text),
                       operation->least < operation->most ? "at most " : "", operation->most,
                       operation->most == 1 ? "" : "s", count);
        return touched(b, e);
    }
    XExpr *x = xexpr_new(b->c, X_MODEL, result_type(b, model, operation->kind), e->span);
    x->model = arena_make(b->c->arena, ModelOp);
    x->model->kind = operation->kind;
    x->model->model = model;
    EffectSource effect = {EFFECT_DATABASE | (operation->writes ? EFFECT_WRITE : 0),
                           span_text(e->call.callee->span), e->span};
    vec_push(b->c->arena, &b->info->effects, effect);
    b->info->database_errors = true;
    b->info->model = b->info->model == NULL ? model : b->info->model;
    if (model->database.len > 0) {
        use_database(b->c, b->info, model->database, e->call.callee->span);
    }
    if (!check_arguments(b, model, e, x->model)) {
        return touched(b, e);
    }
    complete_order(b, x->model);
    return x;
}
