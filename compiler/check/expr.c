/* compiler/check/expr.c: expressions: what a name, a literal, a field means, and conversions. */
#include "compiler/check/check_internal.h"

#include <string.h>

XExpr *xexpr_new(Checker *c, XKind kind, Type *type, Span span) {
    XExpr *x = arena_make(c->arena, XExpr);
    x->kind = kind;
    x->type = type;
    x->span = span;
    return x;
}

XExpr *xexpr_error(Checker *c, Span span) {
    return xexpr_new(c, X_ERROR, c->error_type, span);
}

bool xexpr_is_error(const XExpr *x) {
    return x->kind == X_ERROR || (x->type != NULL && x->type->kind == TYPE_ERROR);
}

const Expr *without_parens(const Expr *e) {
    while (e->kind == EXPR_PAREN) {
        e = e->inner;
    }
    return e;
}

XExpr *require_value(Body *b, XExpr *x) {
    if (xexpr_is_error(x) || x->type != NULL) {
        return x;
    }
    diagnostic_add(b->c->diagnostics, CODE_C005, x->span,
                   "this call has no outputs, so it is no value");
    return xexpr_error(b->c, x->span);
}

/* ---- conversions ---- */

XExpr *coerce(Body *b, XExpr *x, Type *type) {
    x = require_value(b, x);
    if (xexpr_is_error(x) || type_is_error(type) || x->type == type) {
        return x;
    }
    if (x->type->kind == TYPE_INT && type_plain(type)->kind == TYPE_DECIMAL) {
        XExpr *promoted = xexpr_new(b->c, X_PROMOTE, type_plain(type), x->span);
        promoted->operand = x;
        x = promoted;
    }
    if (type->kind == TYPE_NULLABLE && x->type == type->item) {
        XExpr *lifted = xexpr_new(b->c, X_LIFT, type, x->span);
        lifted->operand = x;
        return lifted;
    }
    if (x->type == type) {
        return x;
    }
    Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, x->span,
                                         "expected " STR_FMT ", found " STR_FMT,
                                         STR_ARG(type->name), STR_ARG(x->type->name));
    if (x->type->kind == TYPE_NULLABLE && x->type->item == type) {
        diagnostic_help(b->c->diagnostics, message,
                        "call a function with a clause for null and one for " STR_FMT,
                        STR_ARG(type->name));
    } else if (type->kind == TYPE_TEXT && x->type->kind == TYPE_INT) {
        diagnostic_help(b->c->diagnostics, message, "write `int.to_text(…)`");
    } else if (type->kind == TYPE_INT && x->type->kind == TYPE_DECIMAL) {
        diagnostic_help(b->c->diagnostics, message,
                        "`/` gives a Decimal; `//` divides whole numbers");
    }
    return xexpr_error(b->c, x->span);
}

XExpr *check_value(Body *b, const Expr *e, Type *type) {
    return coerce(b, check_expr(b, e, type_is_error(type) ? NULL : type), type);
}

/* ---- names ---- */

static XExpr *check_field(Body *b, XExpr *host, const Name *name) {
    if (xexpr_is_error(host)) {
        return host;
    }
    Type *type = host->type;
    Span span = span_join(host->span, name->span);
    Nearest nearest = nearest_begin(name->text);
    if (type->kind == TYPE_RECORD) {
        const Record *record = type->record;
        for (size_t i = 0; i < record->fields.count; i++) {
            const Field *field = &record->fields.items[i];
            if (!str_equal(field->name, name->text)) {
                nearest_offer(&nearest, field->name);
                continue;
            }
            if (field->is_private && record->file != b->file) {
                Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C006, name->span,
                                                     "the field `" STR_FMT
                                                     "` is private to the file of `" STR_FMT "`",
                                                     STR_ARG(name->text), STR_ARG(record->name));
                diagnostic_note(b->c->diagnostics, message, field->span, "declared here");
            }
            XExpr *x = xexpr_new(b->c, X_FIELD, field->type, span);
            x->field.host = host;
            x->field.index = i;
            return x;
        }
    } else if (type->kind == TYPE_OUTPUTS) {
        const Function *function = type->function;
        for (size_t i = 0; i < function->outputs.count; i++) {
            nearest_offer(&nearest, function->outputs.items[i].name);
            if (str_equal(function->outputs.items[i].name, name->text)) {
                XExpr *x = xexpr_new(b->c, X_FIELD, function->outputs.items[i].type, span);
                x->field.host = host;
                x->field.index = i;
                return x;
            }
        }
    } else {
        Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, name->span,
                                             STR_FMT " has no fields", STR_ARG(type->name));
        if (type->kind == TYPE_NULLABLE && type->item->kind == TYPE_RECORD) {
            diagnostic_help(
                b->c->diagnostics, message,
                "narrow it first: call a function with a clause for null and one for " STR_FMT,
                STR_ARG(type->item->name));
        }
        return xexpr_error(b->c, span);
    }
    Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C004, name->span,
                                         STR_FMT " has no field `" STR_FMT "`", STR_ARG(type->name),
                                         STR_ARG(name->text));
    nearest_help(b->c, message, &nearest);
    return xexpr_error(b->c, span);
}

static XExpr *read_local(Body *b, BodyLocal *local, Span span) {
    if (!local->is_set) {
        Diagnostic *message =
            diagnostic_add(b->c->diagnostics, CODE_C004, span, "`" STR_FMT "` has no value yet",
                           STR_ARG(local->local->name));
        diagnostic_note(b->c->diagnostics, message, local->local->span, "declared here");
        return xexpr_error(b->c, span);
    }
    body_read(b, local);
    XExpr *x = xexpr_new(b->c, X_LOCAL, local->local->type, span);
    x->local = local->local;
    return x;
}

static XExpr *unknown_name(Body *b, const Path *path) {
    const Name *name = &path->parts[0];
    Diagnostic *message;
    Choice *choice;
    const Variant *variant = find_variant(b->c, b->file, path, &choice);
    Nearest nearest = nearest_begin(name->text);
    if (choice != NULL && variant == NULL) {
        name = &path->parts[path->count - 1];
        message = diagnostic_add(b->c->diagnostics, CODE_C004, name->span,
                                 "`" STR_FMT "` has no variant `" STR_FMT "`",
                                 STR_ARG(choice->name), STR_ARG(name->text));
        nearest = nearest_begin(name->text);
        for (size_t i = 0; i < choice->variants.count; i++) {
            nearest_offer(&nearest, choice->variants.items[i]->name);
        }
    } else {
        message =
            diagnostic_add(b->c->diagnostics, CODE_C004, name->span,
                           str_equal(name->text, STR("_")) ? "`_` cannot be read"
                                                           : "there is no value `" STR_FMT "`",
                           STR_ARG(name->text));
        Str type = path->count > 1 ? type_spelling(b->c, b->file, name->text) : STR("");
        if (type.len > 0) {
            diagnostic_help(b->c->diagnostics, message, "write `" STR_FMT "`", STR_ARG(type));
            return xexpr_error(b->c, path->span);
        }
        for (size_t i = 0; i < b->locals.entries.count; i++) {
            nearest_offer(&nearest, b->locals.entries.items[i].key);
        }
    }
    nearest_help(b->c, message, &nearest);
    return xexpr_error(b->c, path->span);
}

static XExpr *check_path(Body *b, const Expr *e) {
    const Path *path = &e->path;
    Choice *choice;
    const Variant *variant = find_variant(b->c, b->file, path, &choice);
    if (variant != NULL) {
        static const ExprList none = {0};
        return check_variant_call(b, variant, e, &none);
    }
    BodyLocal *local = choice == NULL ? body_local(b, path->parts[0].text) : NULL;
    if (local == NULL) {
        Function *other;
        if (path->count == 1 &&
            (find_function(b->c, b->file, path, 0, &other) != NULL || other != NULL)) {
            Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                                                 "`" STR_FMT "` is a function, which is no value",
                                                 STR_ARG(path->parts[0].text));
            diagnostic_help(b->c->diagnostics, message, "call it: `" STR_FMT "(…)`",
                            STR_ARG(path->parts[0].text));
            return xexpr_error(b->c, e->span);
        }
        if (find_job(b->c, b->file, path) != NULL) {
            Diagnostic *message =
                diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                               "a job is no value: it cannot be stored or passed on");
            diagnostic_help(b->c->diagnostics, message,
                            "make a task of it with `dever.job.enqueue(…)`");
            return xexpr_error(b->c, e->span);
        }
        return unknown_name(b, path);
    }
    XExpr *x = read_local(b, local, path->parts[0].span);
    for (size_t i = 1; i < path->count; i++) {
        x = check_field(b, x, &path->parts[i]);
    }
    return x;
}

/* ---- literals ---- */

static XExpr *check_text(Body *b, const Expr *e, Type *hint) {
    if (hint != NULL && type_plain(hint)->kind == TYPE_UUID) {
        XExpr *x = xexpr_new(b->c, X_UUID, type_plain(hint), e->span);
        if (uuid_parse(e->text, &x->uuid)) {
            return x;
        }
        diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                       "expected a Uuid such as \"01890a5d-ac96-774b-bcce-b302099a8057\"");
        return xexpr_error(b->c, e->span);
    }
    XExpr *x = xexpr_new(b->c, X_TEXT, type_builtin(b->c, TYPE_TEXT), e->span);
    x->text = e->text;
    return x;
}

static XExpr *check_null(Body *b, const Expr *e, Type *hint) {
    if (hint == NULL || hint->kind != TYPE_NULLABLE) {
        Diagnostic *message =
            hint == NULL
                ? diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                                 "nothing here tells the type of this `null`")
                : diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                                 "expected " STR_FMT ", which is never null", STR_ARG(hint->name));
        (void)message;
        return xexpr_error(b->c, e->span);
    }
    return xexpr_new(b->c, X_NULL, hint, e->span);
}

/* The type that the items of a list have in common, without a hint. NULL after a message. */
static Type *join_items(Body *b, const Expr *e, XExpr **items) {
    Type *type = NULL;
    bool has_null = false;
    for (size_t i = 0; i < e->list.count; i++) {
        const Expr *item = without_parens(e->list.items[i]);
        if (item->kind == EXPR_NULL) {
            has_null = true;
            continue;
        }
        items[i] = require_value(b, check_expr(b, item, type));
        if (xexpr_is_error(items[i])) {
            return NULL;
        }
        Type *found = items[i]->type;
        has_null = has_null || found->kind == TYPE_NULLABLE;
        found = type_plain(found);
        if (type == NULL || (type->kind == TYPE_INT && found->kind == TYPE_DECIMAL)) {
            type = found;
        } else if (type != found && !(type->kind == TYPE_DECIMAL && found->kind == TYPE_INT)) {
            diagnostic_add(b->c->diagnostics, CODE_C005, item->span,
                           "the items of a list have one type: " STR_FMT " before, " STR_FMT
                           " here",
                           STR_ARG(type->name), STR_ARG(found->name));
            return NULL;
        }
    }
    if (type == NULL) {
        Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                                             "nothing here tells the type of this list's items");
        diagnostic_help(b->c->diagnostics, message,
                        "assign it to an output, or pass it where a `List<…>` is expected");
        return NULL;
    }
    return has_null ? type_nullable(b->c, type) : type;
}

static XExpr *check_list(Body *b, const Expr *e, Type *hint) {
    XExpr **items = arena_make_n(b->c->arena, XExpr *, e->list.count);
    Type *item =
        hint != NULL && type_plain(hint)->kind == TYPE_LIST ? type_plain(hint)->item : NULL;
    if (item == NULL) {
        item = join_items(b, e, items);
        if (item == NULL) {
            return xexpr_error(b->c, e->span);
        }
    }
    XExpr *list = xexpr_new(b->c, X_LIST, type_list(b->c, item), e->span);
    bool good = true;
    for (size_t i = 0; i < e->list.count; i++) {
        XExpr *value =
            items[i] != NULL ? coerce(b, items[i], item) : check_value(b, e->list.items[i], item);
        good = good && !xexpr_is_error(value);
        vec_push(b->c->arena, &list->list, value);
    }
    return good ? list : xexpr_error(b->c, e->span);
}

static const Field *record_field(const Record *record, Str name, size_t *out_index) {
    for (size_t i = 0; i < record->fields.count; i++) {
        if (str_equal(record->fields.items[i].name, name)) {
            *out_index = i;
            return &record->fields.items[i];
        }
    }
    return NULL;
}

static void check_record_member(Body *b, XExpr *x, const Record *record, const Member *member,
                                Span *given) {
    size_t index = 0;
    const Expr *key = member->key;
    if (key->kind != EXPR_PATH || key->path.count != 1) {
        diagnostic_add(b->c->diagnostics, CODE_C005, key->span, "expected the name of a field");
        return;
    }
    const Name *name = &key->path.parts[0];
    const Field *field = record_field(record, name->text, &index);
    if (field == NULL) {
        Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C004, name->span,
                                             "`" STR_FMT "` has no field `" STR_FMT "`",
                                             STR_ARG(record->name), STR_ARG(name->text));
        Nearest nearest = nearest_begin(name->text);
        for (size_t i = 0; i < record->fields.count; i++) {
            nearest_offer(&nearest, record->fields.items[i].name);
        }
        nearest_help(b->c, message, &nearest);
        check_expr(b, member->value, NULL);
        return;
    }
    if (given[index].file != NULL) {
        Diagnostic *message =
            diagnostic_add(b->c->diagnostics, CODE_C002, name->span,
                           "the field `" STR_FMT "` is given twice", STR_ARG(name->text));
        diagnostic_note(b->c->diagnostics, message, given[index], "first here");
    }
    given[index] = name->span;
    FieldValue value = {index, check_value(b, member->value, field->type)};
    vec_push(b->c->arena, &x->record.values, value);
}

static XExpr *check_record(Body *b, const Expr *e) {
    TypeDecl *decl = find_type(b->c, b->file, &e->block.path);
    if (decl == NULL) {
        TypeNode node = {.path = e->block.path, .span = e->block.path.span};
        resolve_type(b->c, b->file, &node); /* says what is unknown */
        return xexpr_error(b->c, e->span);
    }
    if (!check_type_visible(b->c, b->file, decl, e->block.path.span)) {
        return xexpr_error(b->c, e->span);
    }
    if (decl->type->kind != TYPE_RECORD || decl->type->record->origin != RECORD_DECLARED) {
        diagnostic_add(b->c->diagnostics, CODE_C005, e->block.path.span,
                       decl->type->kind == TYPE_CHOICE
                           ? "`" STR_FMT "` is a choice: write one of its variants"
                           : "a value of `" STR_FMT
                             "` comes from the database and cannot be written",
                       STR_ARG(decl->type->name));
        return xexpr_error(b->c, e->span);
    }
    const Record *record = decl->type->record;
    Span *given = arena_make_n(b->c->arena, Span, record->fields.count);
    XExpr *x = xexpr_new(b->c, X_RECORD, decl->type, e->span);
    bool hidden = false;
    for (size_t i = 0; i < record->fields.count; i++) {
        hidden = hidden || (record->fields.items[i].is_private && record->file != b->file);
    }
    if (hidden) {
        Diagnostic *message =
            diagnostic_add(b->c->diagnostics, CODE_C006, e->block.path.span,
                           "`" STR_FMT "` has private fields: only its own file can make one",
                           STR_ARG(record->name));
        diagnostic_note(b->c->diagnostics, message, record->span, "declared here");
        return xexpr_error(b->c, e->span);
    }
    for (size_t i = 0; i < e->block.members.count; i++) {
        check_record_member(b, x, record, &e->block.members.items[i], given);
    }
    Buf missing = {0};
    for (size_t i = 0; i < record->fields.count; i++) {
        if (given[i].file == NULL) {
            buf_format(&missing, "%s`" STR_FMT "`", missing.len == 0 ? "" : ", ",
                       STR_ARG(record->fields.items[i].name));
        }
    }
    if (missing.len > 0) {
        diagnostic_add(b->c->diagnostics, CODE_C005, e->block.path.span,
                       "this `" STR_FMT "` misses %s", STR_ARG(record->name), missing.data);
    }
    buf_done(&missing);
    return x;
}

XExpr *check_variant_call(Body *b, const Variant *variant, const Expr *e,
                          const ExprList *arguments) {
    XExpr *x = xexpr_new(b->c, X_CHOICE, variant->choice->type, e->span);
    x->choice.variant = variant;
    if (arguments->count != variant->fields.count) {
        diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                       "`" STR_FMT "` has a payload of %zu, found %zu", STR_ARG(variant->name),
                       variant->fields.count, arguments->count);
        return xexpr_error(b->c, e->span);
    }
    bool good = true;
    for (size_t i = 0; i < arguments->count; i++) {
        XExpr *argument = check_value(b, arguments->items[i], variant->fields.items[i].type);
        good = good && !xexpr_is_error(argument);
        vec_push(b->c->arena, &x->choice.arguments, argument);
    }
    return good ? x : xexpr_error(b->c, e->span);
}

/* ---- the expression ---- */

static XExpr *check_inner(Body *b, const Expr *e, Type *hint) {
    Type *boolean = type_builtin(b->c, TYPE_BOOL);
    switch (e->kind) {
    case EXPR_TRUE:
    case EXPR_FALSE: {
        XExpr *x = xexpr_new(b->c, X_BOOL, boolean, e->span);
        x->boolean = e->kind == EXPR_TRUE;
        return x;
    }
    case EXPR_NULL:
        return check_null(b, e, hint);
    case EXPR_NUMBER:
        return check_number(b, e, hint);
    case EXPR_TEXT:
        return check_text(b, e, hint);
    case EXPR_PATH:
        return check_path(b, e);
    case EXPR_FIELD:
        return check_field(b, require_value(b, check_expr(b, e->field.host, NULL)), &e->field.name);
    case EXPR_CALL:
        return check_call(b, e, hint);
    case EXPR_RECORD:
        return check_record(b, e);
    case EXPR_BLOCK:
        not_supported(b->c, e->span, "a Map literal is");
        return xexpr_error(b->c, e->span);
    case EXPR_LIST:
        return check_list(b, e, hint);
    case EXPR_PAREN:
        return check_expr(b, e->inner, hint);
    case EXPR_UNARY:
        return check_unary(b, e, hint);
    case EXPR_BINARY:
        return check_binary(b, e, hint);
    case EXPR_CHANNEL:
        not_supported(b->c, e->span, "a channel is");
        return xexpr_error(b->c, e->span);
    case EXPR_ERROR:
        break;
    }
    return xexpr_error(b->c, e->span);
}

XExpr *check_expr(Body *b, const Expr *e, Type *hint) {
    XExpr *x = check_inner(b, e, hint);
    /* An error variant as a plain value: found here, where the context is known. */
    if (x->kind == X_CHOICE && x->choice.variant->is_error) {
        Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                                             "`" STR_FMT "` is an error variant, which is no value",
                                             STR_ARG(x->choice.variant->name));
        diagnostic_help(b->c->diagnostics, message, "raise it with `fail(" STR_FMT "." STR_FMT ")`",
                        STR_ARG(x->choice.variant->choice->name), STR_ARG(x->choice.variant->name));
        return xexpr_error(b->c, e->span);
    }
    return x;
}
