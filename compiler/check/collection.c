/* compiler/check/collection.c: the operations on lists that the language knows by name.
 *
 * A handler is the name of a function; its signature must fit exactly, since it is called directly. */
#include "compiler/check/check_internal.h"

typedef struct Shape {
    Str name;
    CollectionOp op;
    size_t least, most; /* arguments */
} Shape;

static const Shape shapes[] = {
    {STR_INIT("each"), COLLECTION_EACH, 2, 3},
    {STR_INIT("filter"), COLLECTION_FILTER, 2, 3},
    {STR_INIT("find"), COLLECTION_FIND, 2, 3},
    {STR_INIT("sum"), COLLECTION_SUM, 1, 3},
    {STR_INIT("reduce"), COLLECTION_REDUCE, 3, 3},
    {STR_INIT("reduce_until"), COLLECTION_REDUCE_UNTIL, 3, 3},
    {STR_INIT("append"), COLLECTION_APPEND, 2, 2},
    {STR_INIT("first"), COLLECTION_FIRST, 1, 1},
    {STR_INIT("length"), COLLECTION_LENGTH, 1, 1},
};

static const Str map_operations[] = {STR_INIT("get"), STR_INIT("put"), STR_INIT("remove"),
                                     STR_INIT("entries")};

/* ---- handlers ---- */

static bool fits(const Function *function, Type *const *inputs, size_t count) {
    if (function->inputs.count != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (function->inputs.items[i].type != inputs[i] &&
            !type_is_error(function->inputs.items[i].type)) {
            return false;
        }
    }
    return true;
}

static Str inputs_text(Checker *c, Type *const *inputs, size_t count) {
    Str text = STR("");
    for (size_t i = 0; i < count; i++) {
        text = str_format(c->arena, STR_FMT "%s" STR_FMT, STR_ARG(text), i == 0 ? "" : ", ",
                          STR_ARG(inputs[i]->name));
    }
    return text;
}

/* The function that `e` names, taking exactly these inputs; NULL after a message. */
static Function *find_handler(Body *b, const Expr *e, Type *const *inputs, size_t count) {
    e = without_parens(e);
    if (e->kind != EXPR_PATH ||
        (e->path.count == 1 && body_local(b, e->path.parts[0].text) != NULL)) {
        Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                                             "expected the name of a function as handler");
        diagnostic_help(b->c->diagnostics, message, "write the name alone, without parentheses");
        return NULL;
    }
    if (find_job(b->c, b->file, &e->path) != NULL) {
        Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                                             "a job is no function and cannot be a handler");
        diagnostic_help(b->c->diagnostics, message,
                        "write a function that calls `dever.job.enqueue(…)` for one item");
        return NULL;
    }
    Path head = path_head(&e->path, e->path.count - 1);
    if (find_model(b->c, b->file, &head) != NULL) {
        Diagnostic *message =
            diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                           "a Model operation is no function and cannot be a handler");
        diagnostic_help(b->c->diagnostics, message, "write a function that calls it for one item");
        return NULL;
    }
    Function *other;
    Function *handler = find_function(b->c, b->file, &e->path, count, &other);
    Str wanted = inputs_text(b->c, inputs, count);
    if (handler == NULL && other == NULL) {
        Str text = path_text(b->c, &e->path);
        Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C004, e->span,
                                             "there is no function `" STR_FMT "`", STR_ARG(text));
        Nearest nearest = nearest_begin(e->path.parts[e->path.count - 1].text);
        for (size_t i = 0; i < b->c->function_names.entries.count; i++) {
            const Function *function = b->c->function_names.entries.items[i].value;
            if (same_domain(function->file, b->file)) {
                nearest_offer(&nearest, function->name);
            }
        }
        nearest_help(b->c, message, &nearest);
        return NULL;
    }
    if (handler == NULL || !fits(handler, inputs, count)) {
        const Function *shown = handler != NULL ? handler : other;
        Diagnostic *message =
            diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                           "this handler must take (" STR_FMT "), and `" STR_FMT "` does not",
                           STR_ARG(wanted), STR_ARG(shown->name));
        diagnostic_note(b->c->diagnostics, message, shown->span, "declared here");
        return NULL;
    }
    if (!check_call_visible(b->c, b->file, handler, e->span)) {
        return NULL;
    }
    CallEdge edge = {handler, e->span};
    vec_push(b->c->arena, &b->info->calls, edge);
    return handler;
}

static XExpr *bad_outputs(Body *b, const Expr *handler_expr, const Function *handler,
                          const char *wanted) {
    Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, handler_expr->span,
                                         "this handler must have %s", wanted);
    diagnostic_note(b->c->diagnostics, message, handler->span, "declared here");
    return xexpr_error(b->c, handler_expr->span);
}

/* ---- the operations ---- */

static XExpr *new_collection(Body *b, const Expr *e, CollectionOp op, Type *type, XExpr *sequence) {
    XExpr *x = xexpr_new(b->c, X_COLLECTION, type, e->span);
    x->collection.op = op;
    x->collection.sequence = sequence;
    return x;
}

static XExpr *check_sequence(Body *b, const Expr *e, Type *hint) {
    XExpr *sequence = require_value(b, check_expr(b, e, hint));
    if (xexpr_is_error(sequence)) {
        return sequence;
    }
    if (sequence->type->kind != TYPE_LIST) {
        diagnostic_add(b->c->diagnostics, CODE_C005, sequence->span,
                       "expected a List, found " STR_FMT, STR_ARG(sequence->type->name));
        return xexpr_error(b->c, sequence->span);
    }
    return sequence;
}

/* The type of the items that a handler takes first; lets `each(h, [])` know its items. */
static Type *handler_item(Body *b, const Expr *e, size_t inputs) {
    e = without_parens(e);
    Function *other;
    Function *handler =
        e->kind == EXPR_PATH ? find_function(b->c, b->file, &e->path, inputs, &other) : NULL;
    if (handler == NULL || handler->inputs.count == 0 ||
        type_is_error(handler->inputs.items[0].type)) {
        return NULL;
    }
    return type_list(b->c, handler->inputs.items[0].type);
}

/* each, filter, find, sum with a handler: (handler, list[, context]). */
static XExpr *check_mapping(Body *b, const Expr *e, CollectionOp op) {
    const ExprList *arguments = &e->call.arguments;
    const Expr *name = arguments->items[0];
    XExpr *sequence =
        check_sequence(b, arguments->items[1], handler_item(b, name, arguments->count - 1));
    XExpr *context = NULL;
    if (arguments->count == 3) {
        Function *other;
        const Expr *plain = without_parens(name);
        Function *named =
            plain->kind == EXPR_PATH ? find_function(b->c, b->file, &plain->path, 2, &other) : NULL;
        context = named != NULL ? check_value(b, arguments->items[2], named->inputs.items[1].type)
                                : require_value(b, check_expr(b, arguments->items[2], NULL));
    }
    if (xexpr_is_error(sequence) || (context != NULL && xexpr_is_error(context))) {
        return xexpr_error(b->c, e->span);
    }
    Type *inputs[2] = {sequence->type->item, context == NULL ? NULL : context->type};
    Function *handler = find_handler(b, name, inputs, context == NULL ? 1 : 2);
    if (handler == NULL) {
        return xexpr_error(b->c, e->span);
    }
    Type *item = sequence->type->item;
    Type *output = handler->outputs.count == 1 ? handler->outputs.items[0].type : NULL;
    Type *type = NULL;
    switch (op) {
    case COLLECTION_EACH:
        if (handler->outputs.count > 1) {
            return bad_outputs(b, name, handler, "one output or none");
        }
        type = output == NULL ? NULL : type_list(b->c, output);
        break;
    case COLLECTION_FILTER:
    case COLLECTION_FIND:
        if (output == NULL || output->kind != TYPE_BOOL) {
            return bad_outputs(b, name, handler, "one Bool output");
        }
        type = op == COLLECTION_FILTER ? sequence->type : type_nullable(b->c, item);
        break;
    default:
        if (output == NULL || !type_is_numeric(output)) {
            return bad_outputs(b, name, handler, "one output that is a number");
        }
        type = output;
        break;
    }
    XExpr *x = new_collection(b, e, op, type, sequence);
    x->collection.handler = handler;
    x->collection.argument = context;
    return x;
}

/* reduce and reduce_until: (handler, list, start). */
static XExpr *check_fold(Body *b, const Expr *e, CollectionOp op) {
    const ExprList *arguments = &e->call.arguments;
    const Expr *name = arguments->items[0];
    Function *other;
    const Expr *plain = without_parens(name);
    Function *named =
        plain->kind == EXPR_PATH ? find_function(b->c, b->file, &plain->path, 2, &other) : NULL;
    XExpr *sequence = check_sequence(b, arguments->items[1], handler_item(b, name, 2));
    XExpr *start = named != NULL ? check_value(b, arguments->items[2], named->inputs.items[1].type)
                                 : require_value(b, check_expr(b, arguments->items[2], NULL));
    if (xexpr_is_error(sequence) || xexpr_is_error(start)) {
        return xexpr_error(b->c, e->span);
    }
    Type *inputs[2] = {sequence->type->item, start->type};
    Function *handler = find_handler(b, name, inputs, 2);
    if (handler == NULL) {
        return xexpr_error(b->c, e->span);
    }
    bool until = op == COLLECTION_REDUCE_UNTIL;
    bool good = handler->outputs.count == (until ? 2u : 1u) &&
                handler->outputs.items[0].type == start->type;
    if (until) {
        good = good && str_equal(handler->outputs.items[1].name, STR("stop")) &&
               handler->outputs.items[1].type->kind == TYPE_BOOL;
    }
    if (!good) {
        Str wanted = str_format(b->c->arena,
                                until ? "two outputs: the state (" STR_FMT ") and `stop: Bool`"
                                      : "one output of the type of the start value, " STR_FMT,
                                STR_ARG(start->type->name));
        return bad_outputs(b, name, handler, wanted.ptr);
    }
    XExpr *x = new_collection(b, e, op, start->type, sequence);
    x->collection.handler = handler;
    x->collection.argument = start;
    return x;
}

static XExpr *check_sum(Body *b, const Expr *e, Type *hint) {
    XExpr *sequence =
        check_sequence(b, e->call.arguments.items[0], hint == NULL ? NULL : type_list(b->c, hint));
    if (xexpr_is_error(sequence)) {
        return sequence;
    }
    if (!type_is_numeric(sequence->type->item)) {
        diagnostic_add(b->c->diagnostics, CODE_C005, sequence->span,
                       "`sum` needs numbers, found " STR_FMT, STR_ARG(sequence->type->name));
        return xexpr_error(b->c, e->span);
    }
    return new_collection(b, e, COLLECTION_SUM, sequence->type->item, sequence);
}

static XExpr *check_append(Body *b, const Expr *e, Type *hint) {
    const Expr *list = without_parens(e->call.arguments.items[0]);
    XExpr *item = NULL;
    if (hint == NULL && list->kind == EXPR_LIST && list->list.count == 0) {
        item = require_value(b, check_expr(b, e->call.arguments.items[1], NULL));
        if (xexpr_is_error(item)) {
            return item;
        }
        hint = type_list(b->c, item->type);
    }
    XExpr *sequence = check_sequence(b, e->call.arguments.items[0], hint);
    if (xexpr_is_error(sequence)) {
        return sequence;
    }
    item = item != NULL ? coerce(b, item, sequence->type->item)
                        : check_value(b, e->call.arguments.items[1], sequence->type->item);
    if (xexpr_is_error(item)) {
        return item;
    }
    XExpr *x = new_collection(b, e, COLLECTION_APPEND, sequence->type, sequence);
    x->collection.argument = item;
    return x;
}

static XExpr *check_length(Body *b, const Expr *e) {
    XExpr *of = require_value(b, check_expr(b, e->call.arguments.items[0], NULL));
    if (xexpr_is_error(of)) {
        return of;
    }
    if (of->type->kind != TYPE_LIST && of->type->kind != TYPE_TEXT) {
        diagnostic_add(b->c->diagnostics, CODE_C005, of->span,
                       "`length` needs a List or a Text, found " STR_FMT, STR_ARG(of->type->name));
        return xexpr_error(b->c, e->span);
    }
    return new_collection(b, e, COLLECTION_LENGTH, type_builtin(b->c, TYPE_INT), of);
}

XExpr *check_collection(Body *b, const Expr *e, Str name, Type *hint) {
    const Shape *shape = NULL;
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        shape = str_equal(shapes[i].name, name) ? &shapes[i] : shape;
    }
    for (size_t i = 0; i < COUNT_OF(map_operations); i++) {
        if (str_equal(map_operations[i], name)) {
            Str what = str_format(b->c->arena, "`" STR_FMT "` on a Map is", STR_ARG(name));
            not_supported(b->c, e->span, what.ptr);
            return xexpr_error(b->c, e->span);
        }
    }
    if (shape == NULL) {
        return NULL;
    }
    size_t count = e->call.arguments.count;
    if (count < shape->least || count > shape->most) {
        diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                       shape->least == shape->most ? "`" STR_FMT "` takes %zu arguments, found %zu"
                                                   : "`" STR_FMT
                                                     "` takes at least %zu arguments, found %zu",
                       STR_ARG(name), shape->least, count);
        return xexpr_error(b->c, e->span);
    }
    switch (shape->op) {
    case COLLECTION_EACH:
    case COLLECTION_FILTER:
    case COLLECTION_FIND:
        return check_mapping(b, e, shape->op);
    case COLLECTION_SUM:
        return count == 1 ? check_sum(b, e, hint) : check_mapping(b, e, shape->op);
    case COLLECTION_REDUCE:
    case COLLECTION_REDUCE_UNTIL:
        return check_fold(b, e, shape->op);
    case COLLECTION_APPEND:
        return check_append(b, e, hint);
    case COLLECTION_FIRST: {
        XExpr *sequence = check_sequence(b, e->call.arguments.items[0],
                                         hint == NULL ? NULL : type_list(b->c, type_plain(hint)));
        return xexpr_is_error(sequence)
                   ? sequence
                   : new_collection(b, e, COLLECTION_FIRST,
                                    type_nullable(b->c, sequence->type->item), sequence);
    }
    case COLLECTION_LENGTH:
        return check_length(b, e);
    }
    return NULL;
}
