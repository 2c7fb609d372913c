/* compiler/check/declare.c: records and choices: registered first, then their fields, then cycles. */
#include "compiler/check/check_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- registering ---- */

static void report_twice(Checker *c, Span span, Str name, Span first) {
    Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C002, span,
                                         "`" STR_FMT "` is declared twice", STR_ARG(name));
    diagnostic_note(c->diagnostics, message, first, "first declared here");
}

static Span decl_name_span(const TypeDecl *decl) {
    return decl->decl == NULL ? (Span){0} : decl->decl->name.span;
}

static void declare_type(Checker *c, const SourceFile *file, const Decl *decl) {
    check_camel_case(c, &decl->name, "types");
    if (file->role != ROLE_LIBRARY && type_name_is_builtin(decl->name.text)) {
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_C002, decl->name.span,
                           "`" STR_FMT "` is a built-in type", STR_ARG(decl->name.text));
        diagnostic_help(c->diagnostics, message, "choose another name");
        return;
    }
    Str key = name_key(c, file, decl->name.text);
    TypeDecl *known = map_find(&c->type_decls, key);
    if (known != NULL) {
        report_twice(c, decl->name.span, decl->name.text, decl_name_span(known));
        return;
    }
    TypeDecl *made = arena_make(c->arena, TypeDecl);
    made->decl = decl;
    made->file = file;
    if (decl->kind == DECL_RECORD) {
        Record *record = arena_make(c->arena, Record);
        record->name = decl->name.text;
        record->qualified = key;
        record->file = file;
        record->span = decl->name.span;
        record->type = type_of_record(c, record);
        made->type = record->type;
    } else {
        Choice *choice = arena_make(c->arena, Choice);
        choice->name = decl->name.text;
        choice->qualified = key;
        choice->file = file;
        choice->span = decl->name.span;
        choice->type = type_of_choice(c, choice);
        made->type = choice->type;
    }
    map_put(c->arena, &c->type_decls, key, made);
}

static void declare_types_of(Checker *c, const FileTree *tree) {
    for (size_t i = 0; i < tree->decls.count; i++) {
        const Decl *decl = tree->decls.items[i];
        if (decl->kind == DECL_RECORD || decl->kind == DECL_CHOICE) {
            declare_type(c, tree->file, decl);
        }
    }
}

void declare_types(Checker *c) {
    for (size_t i = 0; i < c->library_count; i++) {
        declare_types_of(c, c->library[i]);
    }
    for (size_t i = 0; i < c->tree_count; i++) {
        declare_types_of(c, c->trees[i]);
    }
}

/* ---- fields ---- */

void refuse_storage(Checker *c, const FieldNode *node) {
    if (node->type->parameters.count > 0) {
        diagnostic_add(c->diagnostics, CODE_C014, node->type->span,
                       "a length or precision belongs to the fields of a Model");
    }
    if (node->modifiers.count > 0) {
        diagnostic_add(c->diagnostics, CODE_C014, node->modifiers.items[0].span,
                       "`" STR_FMT "` belongs to the fields of a Model",
                       STR_ARG(span_text(node->modifiers.items[0].span)));
    }
    if (node->is_owner) {
        not_supported(c, node->span, "`owner` is");
    }
}

static bool bound_number(Checker *c, const Bound *bound, Type *type, Interval *value) {
    bool point = str_find_char(bound->number, '.', NULL);
    bool exponent =
        str_find_char(bound->number, 'e', NULL) || str_find_char(bound->number, 'E', NULL);
    Str text =
        str_format(c->arena, "%s" STR_FMT, bound->negative ? "-" : "", STR_ARG(bound->number));
    if (type->kind == TYPE_INT) {
        errno = 0;
        value->low = strtoll(text.ptr, NULL, 10);
        if (point || exponent || errno != 0) {
            diagnostic_add(c->diagnostics, CODE_C005, bound->span,
                           "a bound of Int is a whole number of 64 bits");
            return false;
        }
        return true;
    }
    if (exponent || !decimal_parse(text, &value->decimal_low)) {
        diagnostic_add(c->diagnostics, CODE_C005, bound->span,
                       "a bound of Decimal is a number of at most 34 digits without exponent");
        return false;
    }
    return true;
}

/* Narrows the interval by one bound; open bounds become the neighbouring value. */
static bool apply_bound(const Bound *bound, const Interval *number, Type *type, Interval *out) {
    bool upper = bound->op == BOUND_LESS || bound->op == BOUND_LESS_EQUAL;
    bool open = bound->op == BOUND_LESS || bound->op == BOUND_GREATER;
    if (type->kind == TYPE_INT) {
        int64_t value = number->low;
        if (open && value == (upper ? INT64_MIN : INT64_MAX)) {
            return false;
        }
        value += open ? (upper ? -1 : 1) : 0;
        *(upper ? &out->high : &out->low) = value;
    } else {
        Decimal value = number->decimal_low;
        if (open &&
            !(upper ? decimal_next_below(value, &value) : decimal_next_above(value, &value))) {
            return false;
        }
        *(upper ? &out->decimal_high : &out->decimal_low) = value;
    }
    *(upper ? &out->has_high : &out->has_low) = true;
    return true;
}

bool resolve_bounds(Checker *c, const BoundList *bounds, Type *type, Interval *out) {
    *out = (Interval){.is_decimal = type->kind == TYPE_DECIMAL};
    if (type_is_error(type)) {
        return false;
    }
    if (type->kind != TYPE_INT && type->kind != TYPE_DECIMAL) {
        diagnostic_add(c->diagnostics, CODE_C005, bounds->items[0].span,
                       "a range needs plain Int or Decimal, found " STR_FMT, STR_ARG(type->name));
        return false;
    }
    for (size_t i = 0; i < bounds->count; i++) {
        const Bound *bound = &bounds->items[i];
        Interval number = {0};
        bool upper = bound->op == BOUND_LESS || bound->op == BOUND_LESS_EQUAL;
        if (upper ? out->has_high : out->has_low) {
            diagnostic_add(c->diagnostics, CODE_C009, bound->span, "there is %s bound already",
                           upper ? "an upper" : "a lower");
            return false;
        }
        if (!bound_number(c, bound, type, &number)) {
            return false;
        }
        if (!apply_bound(bound, &number, type, out)) {
            diagnostic_add(c->diagnostics, CODE_C009, bound->span, "no value is within this bound");
            return false;
        }
    }
    return true;
}

bool interval_is_empty(const Interval *interval) {
    if (!interval->has_low || !interval->has_high) {
        return false;
    }
    return interval->is_decimal ? decimal_compare(interval->decimal_low, interval->decimal_high) > 0
                                : interval->low > interval->high;
}

bool resolve_field(Checker *c, const SourceFile *file, const FieldNode *node, Field *out) {
    check_snake_case(c, &node->name, "fields");
    *out = (Field){.name = node->name.text,
                   .type = resolve_type(c, file, node->type),
                   .is_private = node->is_private,
                   .span = node->name.span};
    if (file->role !=
        ROLE_MODEL) { /* a record of a Model file that is not its own has its message */
        refuse_storage(c, node);
    }
    if (node->bounds.count > 0) {
        Interval bounds;
        if (resolve_bounds(c, &node->bounds, out->type, &bounds)) {
            if (interval_is_empty(&bounds)) {
                diagnostic_add(c->diagnostics, CODE_C011, node->bounds.items[0].span,
                               "no value is within these bounds");
            } else {
                not_supported(c,
                              span_join(node->bounds.items[0].span,
                                        node->bounds.items[node->bounds.count - 1].span),
                              "a bound on a field or output is");
            }
        }
    }
    return !type_is_error(out->type);
}

static void check_field_twice(Checker *c, const Field *fields, size_t count, const Field *next) {
    for (size_t i = 0; i < count; i++) {
        if (str_equal(fields[i].name, next->name)) {
            report_twice(c, next->span, next->name, fields[i].span);
            return;
        }
    }
}

/* App types are public: what they show must be public too (C006). */
static void check_public(Checker *c, const SourceFile *file, const Field *field) {
    const Type *type = type_plain(field->type);
    while (type->kind == TYPE_LIST) {
        type = type_plain(type->item);
    }
    const SourceFile *owner = type->kind == TYPE_RECORD   ? type->record->file
                              : type->kind == TYPE_CHOICE ? type->choice->file
                                                          : NULL;
    if (file->role == ROLE_APP && owner != NULL && !field->is_private &&
        (owner->role == ROLE_DOMAIN || owner->role == ROLE_PORT)) {
        diagnostic_add(c->diagnostics, CODE_C006, field->span,
                       "a public type of App cannot show `" STR_FMT
                       "`, which is private to its domain",
                       STR_ARG(type->name));
    }
}

static void resolve_record(Checker *c, const TypeDecl *decl) {
    Record *record = decl->type->record;
    for (size_t i = 0; i < decl->decl->fields.count; i++) {
        Field field;
        resolve_field(c, decl->file, decl->decl->fields.items[i], &field);
        check_field_twice(c, record->fields.items, record->fields.count, &field);
        check_public(c, decl->file, &field);
        vec_push(c->arena, &record->fields, field);
    }
}

static void resolve_variant(Checker *c, const TypeDecl *decl, const VariantNode *node) {
    Choice *choice = decl->type->choice;
    Variant *variant = arena_make(c->arena, Variant);
    check_camel_case(c, &node->name, "variants");
    *variant = (Variant){.name = node->name.text,
                         .is_error = node->is_error,
                         .tag = (int32_t)choice->variants.count,
                         .choice = choice,
                         .has_label = node->has_label,
                         .label = node->label,
                         .span = node->name.span};
    for (size_t i = 0; i < choice->variants.count; i++) {
        if (str_equal(choice->variants.items[i]->name, variant->name)) {
            report_twice(c, variant->span, variant->name, choice->variants.items[i]->span);
        }
    }
    if (node->has_label && decl->file->role != ROLE_MODEL) {
        diagnostic_add(c->diagnostics, CODE_C014, node->name.span,
                       "a label belongs to the choices of a Model");
    }
    for (size_t i = 0; i < node->fields.count; i++) {
        Field field;
        resolve_field(c, decl->file, node->fields.items[i], &field);
        check_field_twice(c, variant->fields.items, variant->fields.count, &field);
        check_public(c, decl->file, &field);
        vec_push(c->arena, &variant->fields, field);
    }
    choice->has_payload = choice->has_payload || variant->fields.count > 0;
    vec_push(c->arena, &choice->variants, variant);
}

static void resolve_choice(Checker *c, const TypeDecl *decl) {
    for (size_t i = 0; i < decl->decl->variants.count; i++) {
        resolve_variant(c, decl, decl->decl->variants.items[i]);
    }
}

/* ---- cycles ---- */

static bool visit(Checker *c, TypeDecl *decl);

static bool visit_type(Checker *c, Type *type, Span span) {
    while (type->kind == TYPE_NULLABLE || type->kind == TYPE_LIST) {
        type = type->item;
    }
    if (type->kind != TYPE_RECORD && type->kind != TYPE_CHOICE) {
        return true;
    }
    Str key = type->kind == TYPE_RECORD ? type->record->qualified : type->choice->qualified;
    TypeDecl *inner = map_find(&c->type_decls, key);
    if (inner == NULL || visit(c, inner)) {
        return true;
    }
    Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C007, span,
                                         "`" STR_FMT "` contains itself", STR_ARG(type->name));
    diagnostic_help(c->diagnostics, message, "hold the id of the other value instead of the value");
    return false;
}

/* Depth first; lists a type after those it contains. False when the type is open: a cycle. */
static bool visit(Checker *c, TypeDecl *decl) {
    if (decl->visit == 1) {
        return false;
    }
    if (decl->visit == 2) {
        return true;
    }
    decl->visit = 1;
    if (decl->type->kind == TYPE_RECORD) {
        Record *record = decl->type->record;
        for (size_t i = 0; i < record->fields.count; i++) {
            if (!visit_type(c, record->fields.items[i].type, record->fields.items[i].span)) {
                record->fields.items[i].type = c->error_type;
            }
        }
        vec_push(c->arena, &c->program->records, record);
    } else if (decl->type->kind == TYPE_CHOICE) {
        Choice *choice = decl->type->choice;
        for (size_t i = 0; i < choice->variants.count; i++) {
            Variant *variant = choice->variants.items[i];
            for (size_t j = 0; j < variant->fields.count; j++) {
                if (!visit_type(c, variant->fields.items[j].type, variant->fields.items[j].span)) {
                    variant->fields.items[j].type = c->error_type;
                }
            }
        }
        vec_push(c->arena, &c->program->choices, choice);
    }
    decl->visit = 2;
    return true;
}

void resolve_types(Checker *c) {
    for (size_t i = 0; i < c->type_decls.entries.count; i++) {
        TypeDecl *decl = c->type_decls.entries.items[i].value;
        if (decl->decl == NULL) {
            continue; /* a Model's own: model.c */
        }
        if (decl->type->kind == TYPE_CHOICE) {
            resolve_choice(c, decl);
        } else if (decl->type->record->origin == RECORD_DECLARED) {
            resolve_record(c, decl);
        }
    }
    resolve_models(c);
    for (size_t i = 0; i < c->type_decls.entries.count; i++) {
        visit(c, c->type_decls.entries.items[i].value);
    }
}
