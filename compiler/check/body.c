/* compiler/check/body.c: the statements of a clause: straight lines of assignments and calls. */
#include "compiler/check/check_internal.h"

#include <string.h>

static BodyLocal *add_local(Body *b, Local *local, bool is_set) {
    BodyLocal *entry = arena_make(b->c->arena, BodyLocal);
    *entry = (BodyLocal){.local = local, .is_set = is_set};
    map_put(b->c->arena, &b->locals, local->name, entry);
    return entry;
}

BodyLocal *body_local(Body *b, Str name) {
    return map_find(&b->locals, name);
}

void body_read(Body *b, BodyLocal *local) {
    (void)b;
    local->local->is_read = true;
    local->has_unread_write = false;
}

static void touch_list(Body *b, const ExprList *list) {
    for (size_t i = 0; i < list->count; i++) {
        body_touch(b, list->items[i]);
    }
}

void body_touch(Body *b, const Expr *e) {
    switch (e->kind) {
    case EXPR_PATH: {
        BodyLocal *local = body_local(b, e->path.parts[0].text);
        if (local != NULL) {
            body_read(b, local);
        }
        break;
    }
    case EXPR_FIELD:
        body_touch(b, e->field.host);
        break;
    case EXPR_CALL:
        touch_list(b, &e->call.arguments);
        break;
    case EXPR_RECORD:
    case EXPR_BLOCK:
        for (size_t i = 0; i < e->block.members.count; i++) {
            body_touch(b, e->block.members.items[i].value);
        }
        break;
    case EXPR_LIST:
        touch_list(b, &e->list);
        break;
    case EXPR_PAREN:
        body_touch(b, e->inner);
        break;
    case EXPR_UNARY:
        body_touch(b, e->unary.operand);
        break;
    case EXPR_BINARY:
        body_touch(b, e->binary.left);
        body_touch(b, e->binary.right);
        break;
    case EXPR_CHANNEL:
        body_touch(b, e->channel.capacity);
        break;
    default:
        break;
    }
}

/* ---- assignment ---- */

static void warn_unread(Body *b, const BodyLocal *local, bool at_end) {
    Diagnostic *message =
        diagnostic_add(b->c->diagnostics, CODE_W001, local->write,
                       at_end ? "the value of `" STR_FMT "` is never read"
                              : "the value of `" STR_FMT "` is overwritten before it is read",
                       STR_ARG(local->local->name));
    if (at_end && local->local->kind == LOCAL_VARIABLE) {
        diagnostic_help(b->c->diagnostics, message, "write `_ = …` to evaluate and discard");
    }
}

static bool is_constant(const XExpr *x) {
    return x->kind == X_INT || x->kind == X_DECIMAL || x->kind == X_BOOL;
}

static void note_write(Body *b, BodyLocal *local, Span span, XExpr *value) {
    if (local->has_unread_write) {
        warn_unread(b, local, false);
    }
    local->has_unread_write = true;
    local->write = span;
    local->is_set = true;
    local->constant = is_constant(value) ? value : NULL;
}

static XStatement *add_statement(Body *b, XStatementKind kind, XExpr *value, Span span) {
    XStatement *statement = arena_make(b->c->arena, XStatement);
    *statement = (XStatement){.kind = kind, .value = value, .span = span};
    vec_push(b->c->arena, &b->clause->statements, statement);
    return statement;
}

static void assign_new(Body *b, const StatementNode *node) {
    const Name *name = &node->target.parts[0];
    XExpr *value = require_value(b, check_expr(b, node->value, NULL));
    check_snake_case(b->c, name, "locals");
    Local *local = arena_make(b->c->arena, Local);
    *local = (Local){.kind = LOCAL_VARIABLE,
                     .name = name->text,
                     .type = xexpr_is_error(value) ? b->c->error_type : value->type,
                     .span = name->span};
    vec_push(b->c->arena, &b->clause->locals, local);
    BodyLocal *entry = add_local(b, local, true);
    note_write(b, entry, name->span, value);
    if (xexpr_is_error(value)) {
        entry->has_unread_write = false; /* what reads it may be the next mistake */
    }
    add_statement(b, XSTATEMENT_ASSIGN, value, node->span)->local = local;
}

static void assign_known(Body *b, BodyLocal *local, const StatementNode *node) {
    XExpr *value = type_is_error(local->local->type)
                       ? require_value(b, check_expr(b, node->value, NULL))
                       : check_value(b, node->value, local->local->type);
    note_write(b, local, node->target.span, value);
    add_statement(b, XSTATEMENT_ASSIGN, value, node->span)->local = local->local;
}

static const Field *find_field(const Record *record, Str name, size_t *out_index) {
    for (size_t i = 0; i < record->fields.count; i++) {
        if (str_equal(record->fields.items[i].name, name)) {
            *out_index = i;
            return &record->fields.items[i];
        }
    }
    return NULL;
}

/* local.a.b = value */
static void assign_field(Body *b, BodyLocal *local, const StatementNode *node) {
    XStatement statement = {
        .kind = XSTATEMENT_ASSIGN_FIELD, .local = local->local, .span = node->span};
    Type *type = local->local->type;
    for (size_t i = 1; i < node->target.count && !type_is_error(type); i++) {
        const Name *name = &node->target.parts[i];
        if (type->kind != TYPE_RECORD) {
            diagnostic_add(b->c->diagnostics, CODE_C005, name->span,
                           "a field can be set only on a record, and this is " STR_FMT,
                           STR_ARG(type->name));
            type = b->c->error_type;
            break;
        }
        size_t index = 0;
        const Field *field = find_field(type->record, name->text, &index);
        if (field == NULL) {
            Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C004, name->span,
                                                 "`" STR_FMT "` has no field `" STR_FMT "`",
                                                 STR_ARG(type->record->name), STR_ARG(name->text));
            Nearest nearest = nearest_begin(name->text);
            for (size_t j = 0; j < type->record->fields.count; j++) {
                nearest_offer(&nearest, type->record->fields.items[j].name);
            }
            nearest_help(b->c, message, &nearest);
            type = b->c->error_type;
            break;
        }
        if (field->is_private && type->record->file != b->file) {
            diagnostic_add(b->c->diagnostics, CODE_C006, name->span,
                           "the field `" STR_FMT "` is private to the file of `" STR_FMT "`",
                           STR_ARG(name->text), STR_ARG(type->record->name));
        }
        vec_push(b->c->arena, &statement.fields, index);
        type = field->type;
    }
    statement.value = type_is_error(type) ? require_value(b, check_expr(b, node->value, NULL))
                                          : check_value(b, node->value, type);
    if (!local->is_set) {
        diagnostic_add(b->c->diagnostics, CODE_C004, node->target.parts[0].span,
                       "`" STR_FMT "` has no value yet", STR_ARG(local->local->name));
        local->is_set = true;
    }
    local->constant = NULL;
    local->has_unread_write = true;
    local->write = node->target.span;
    XStatement *added = add_statement(b, statement.kind, statement.value, statement.span);
    *added = statement;
}

static void check_assign(Body *b, const StatementNode *node) {
    const Name *name = &node->target.parts[0];
    if (str_equal(name->text, STR("_"))) {
        if (node->target.count > 1) {
            diagnostic_add(b->c->diagnostics, CODE_C004, node->target.span, "`_` has no fields");
            return;
        }
        XExpr *value = require_value(b, check_expr(b, node->value, NULL));
        add_statement(b, XSTATEMENT_DISCARD, value, node->span);
        return;
    }
    BodyLocal *local = body_local(b, name->text);
    if (local != NULL && node->target.count > 1) {
        assign_field(b, local, node);
    } else if (local != NULL) {
        assign_known(b, local, node);
    } else if (node->target.count > 1) {
        diagnostic_add(b->c->diagnostics, CODE_C004, name->span, "`" STR_FMT "` has no value yet",
                       STR_ARG(name->text));
        check_expr(b, node->value, NULL);
    } else {
        assign_new(b, node);
    }
}

/* ---- fail and calls ---- */

static bool is_named_call(const Expr *e, const char *name) {
    e = without_parens(e);
    return e->kind == EXPR_CALL && e->call.callee->kind == EXPR_PATH &&
           e->call.callee->path.count == 1 &&
           str_equal(e->call.callee->path.parts[0].text, str_from(name));
}

/* The error variant that a fail names: `Type.Variant` or `Type.Variant(…)`, written out. */
static XExpr *check_failure(Body *b, const Expr *e) {
    const Expr *argument = without_parens(e);
    const Expr *callee = argument->kind == EXPR_CALL ? argument->call.callee : argument;
    Choice *choice = NULL;
    const Variant *variant = NULL;
    if (callee->kind == EXPR_PATH) {
        variant = find_variant(b->c, b->file, &callee->path, &choice);
    }
    if (choice == NULL) {
        Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, argument->span,
                                             "`fail` takes an error variant that is written out");
        diagnostic_help(b->c->diagnostics, message, "write `fail(Choice.Variant)`");
        return xexpr_error(b->c, argument->span);
    }
    Path head = path_head(&callee->path, callee->path.count - 1);
    if (!check_type_visible(b->c, b->file, find_type(b->c, b->file, &head), head.span)) {
        return xexpr_error(b->c, argument->span);
    }
    if (variant == NULL) {
        const Name *name = &callee->path.parts[callee->path.count - 1];
        Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C004, name->span,
                                             "`" STR_FMT "` has no variant `" STR_FMT "`",
                                             STR_ARG(choice->name), STR_ARG(name->text));
        Nearest nearest = nearest_begin(name->text);
        for (size_t i = 0; i < choice->variants.count; i++) {
            nearest_offer(&nearest, choice->variants.items[i]->name);
        }
        nearest_help(b->c, message, &nearest);
        return xexpr_error(b->c, argument->span);
    }
    if (!variant->is_error) {
        Diagnostic *message =
            diagnostic_add(b->c->diagnostics, CODE_C005, argument->span,
                           "`" STR_FMT "` is no error variant", STR_ARG(variant->name));
        diagnostic_note(b->c->diagnostics, message, variant->span, "declared here");
        diagnostic_help(b->c->diagnostics, message, "mark it `error " STR_FMT "` in the choice",
                        STR_ARG(variant->name));
        return xexpr_error(b->c, argument->span);
    }
    static const ExprList none = {0};
    return check_variant_call(b, variant, argument,
                              argument->kind == EXPR_CALL ? &argument->call.arguments : &none);
}

static void check_fail(Body *b, const StatementNode *node, bool last) {
    const Expr *call = without_parens(node->value);
    if (call->call.arguments.count != 1) {
        diagnostic_add(b->c->diagnostics, CODE_P001, call->span,
                       "`fail` takes exactly one argument");
        return;
    }
    XExpr *value = check_failure(b, call->call.arguments.items[0]);
    if (!last) {
        Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, call->span,
                                             "`fail` must be the last statement");
        diagnostic_help(b->c->diagnostics, message, "remove what stands behind it");
    }
    if (!xexpr_is_error(value)) {
        FailureSource source = {value->choice.variant, call->span};
        vec_push(b->c->arena, &b->info->fails, source);
    }
    b->clause->fails = true;
    add_statement(b, XSTATEMENT_FAIL, value, node->span);
}

static void check_call_statement(Body *b, const StatementNode *node) {
    XExpr *value = check_expr(b, node->value, NULL);
    if (!xexpr_is_error(value) && value->type != NULL) {
        Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, node->span,
                                             "the result of this call (" STR_FMT ") is not used",
                                             STR_ARG(value->type->name));
        diagnostic_help(b->c->diagnostics, message, "write `_ = …` to discard it");
    }
    add_statement(b, XSTATEMENT_CALL, value, node->span);
}

/* ---- the clause ---- */

static void check_end(Body *b) {
    for (size_t i = 0; i < b->clause->outputs.count; i++) {
        const Local *output = b->clause->outputs.items[i];
        BodyLocal *entry = body_local(b, output->name);
        if (entry != NULL && entry->local == output && !entry->is_set && !b->clause->fails) {
            Diagnostic *message =
                diagnostic_add(b->c->diagnostics, CODE_C004, output->span,
                               "the output `" STR_FMT "` is never assigned", STR_ARG(output->name));
            diagnostic_help(b->c->diagnostics, message, "add `" STR_FMT " = …`",
                            STR_ARG(output->name));
        }
    }
    for (size_t i = 0; i < b->locals.entries.count; i++) {
        const BodyLocal *entry = b->locals.entries.items[i].value;
        bool output = entry->local->kind == LOCAL_OUTPUT && !b->clause->fails;
        if (entry->has_unread_write && !output) {
            warn_unread(b, entry, true);
        }
    }
}

/* An input that may hold a failure must go somewhere: on to a call, into an output, or the clause fails. */
static bool admits_failure(const Clause *clause, size_t input) {
    const InputNode *node = clause->node->inputs.items[input];
    const Type *type = type_plain(clause->inputs.items[input]->type);
    if (!type_holds_failure(type)) {
        return false;
    }
    if (node->kind != PATTERN_VARIANT && node->kind != PATTERN_TYPE) {
        return node->kind == PATTERN_OTHER;
    }
    if (type->kind != TYPE_CHOICE) {
        return true;
    }
    const Name *last = &node->type->path.parts[node->type->path.count - 1];
    for (size_t i = 0; i < type->choice->variants.count; i++) {
        const Variant *variant = type->choice->variants.items[i];
        if (str_equal(variant->name, last->text) && node->type->path.count >= 2) {
            return variant->is_error;
        }
    }
    return true;
}

static void check_duties(Body *b) {
    if (b->info->function.has_recover || b->clause->fails) {
        return;
    }
    for (size_t i = 0; i < b->clause->inputs.count; i++) {
        const Local *input = b->clause->inputs.items[i];
        bool used = input->is_read;
        for (size_t j = 0; j < b->clause->bindings.count; j++) {
            used = used || (b->clause->bindings.items[j]->input == i &&
                            b->clause->bindings.items[j]->is_read);
        }
        if (!type_is_error(input->type) && !used && admits_failure(b->clause, i)) {
            Diagnostic *message = diagnostic_add(
                b->c->diagnostics, CODE_C012, input->span,
                "`" STR_FMT "` may hold a failure, and this clause drops it", STR_ARG(input->name));
            diagnostic_note(b->c->diagnostics, message, b->clause->span, "in this function");
            diagnostic_help(b->c->diagnostics, message,
                            "handle each error variant by a clause, pass it on, fail again, or say "
                            "`recover(\"why it may be dropped\")`");
        }
    }
}

static void check_clause(Checker *c, FunctionInfo *info, Clause *clause) {
    Body b = {.c = c, .file = info->function.file, .info = info, .clause = clause};
    for (size_t i = 0; i < clause->inputs.count; i++) {
        add_local(&b, clause->inputs.items[i], true);
    }
    for (size_t i = 0; i < clause->bindings.count; i++) {
        add_local(&b, clause->bindings.items[i], true);
    }
    for (size_t i = 0; i < clause->outputs.count; i++) {
        add_local(&b, clause->outputs.items[i], false);
    }
    const StatementList *body = &clause->node->body;
    for (size_t i = 0; i < body->count; i++) {
        const StatementNode *node = body->items[i];
        if (node->value->kind == EXPR_ERROR) {
            continue;
        }
        if (node->kind == STATEMENT_ASSIGN) {
            check_assign(&b, node);
        } else if (is_named_call(node->value, "fail")) {
            check_fail(&b, node, i + 1 == body->count);
        } else {
            check_call_statement(&b, node);
        }
    }
    check_end(&b);
    check_duties(&b);
}

void check_bodies(Checker *c) {
    for (size_t i = 0; i < c->program->functions.count; i++) {
        Function *function = c->program->functions.items[i];
        for (size_t j = 0; j < function->clauses.count; j++) {
            check_clause(c, (FunctionInfo *)(void *)function, function->clauses.items[j]);
        }
    }
    for (size_t i = 0; i < c->program->jobs.count; i++) {
        Function *body = c->program->jobs.items[i]->body;
        for (size_t j = 0; j < body->clauses.count; j++) {
            check_clause(c, (FunctionInfo *)(void *)body, body->clauses.items[j]);
        }
    }
}
