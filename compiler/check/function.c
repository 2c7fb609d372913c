/* compiler/check/function.c: clauses become functions: grouping, signatures, what clauses agree on. */
#include "compiler/check/check_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static Span signature_name(const FunctionNode *node) {
    return node->name.span;
}

Function *function_new(Checker *c, const SourceFile *file, const FunctionNode *node, Str package) {
    FunctionInfo *info = arena_make(c->arena, FunctionInfo);
    Function *function = &info->function;
    function->name = node->name.parts[0].text;
    function->qualified = name_key(c, file, function->name);
    function->package = package;
    function->file = file;
    function->role = file->role;
    function->kind = node->kind;
    function->is_pure = node->is_pure;
    function->has_recover = node->has_recover;
    function->span = signature_name(node);
    return function;
}

static Clause *add_clause(Checker *c, Function *function, const FunctionNode *node) {
    Clause *clause = arena_make(c->arena, Clause);
    clause->function = function;
    clause->node = node;
    clause->span = node->signature;
    vec_push(c->arena, &function->clauses, clause);
    return clause;
}

/* ---- grouping ---- */

static void refuse_forms(Checker *c, const SourceFile *file, const FunctionNode *node) {
    check_snake_case(c, &node->name.parts[0], "functions");
    if (node->fails != NULL && file->role != ROLE_PORT && file->role != ROLE_LIBRARY) {
        diagnostic_add(c->diagnostics, CODE_C005, node->fails->span,
                       "`fails` belongs to the operations of a Port");
    }
    if (!node->has_body && file->role != ROLE_LIBRARY) {
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_C005, node->signature, "a function needs a body");
        diagnostic_help(c->diagnostics, message, "add `{ … }` behind the outputs");
    }
    if (node->kind == FUNCTION_TRANSACTION && file->role != ROLE_APP && file->role != ROLE_TEST) {
        diagnostic_add(c->diagnostics, CODE_C014, node->signature,
                       "only App functions can be transactions");
    }
    if (node->kind == FUNCTION_JOB) {
        diagnostic_add(c->diagnostics, CODE_C005, node->signature,
                       "a job stands in a file of its own role: <component>/<domain>/job.dever");
    }
}

static void declare_function(Checker *c, const SourceFile *file, const FunctionNode *node,
                             Function **last) {
    Str key = name_key(c, file, node->name.parts[0].text);
    Str with_arity = str_format(c->arena, STR_FMT "/%zu", STR_ARG(key), node->inputs.count);
    if (node->name.count > 1) {
        not_supported(c, node->name.span, "an implementation of a Port is");
        *last = NULL;
        return;
    }
    Function *known = map_find(&c->functions, with_arity);
    refuse_forms(c, file, node);
    if (known != NULL && known == *last) {
        add_clause(c, known, node);
        return;
    }
    if (known != NULL) {
        Diagnostic *message = diagnostic_add(
            c->diagnostics, CODE_C002, signature_name(node),
            known->file == file ? "the clauses of `" STR_FMT "` must stand together"
                                : "`" STR_FMT "` is declared in two files of the domain",
            STR_ARG(node->name.parts[0].text));
        diagnostic_note(c->diagnostics, message, known->span, "first declared here");
        ((FunctionInfo *)(void *)known)->is_broken = true;
        *last = NULL;
        return;
    }
    Function *function = function_new(c, file, node, name_package(c, file));
    add_clause(c, function, node);
    map_put(c->arena, &c->functions, with_arity, function);
    if (map_find(&c->function_names, key) == NULL) {
        map_put(c->arena, &c->function_names, key, function);
    }
    if (file->role != ROLE_LIBRARY) {
        vec_push(c->arena, &c->program->functions, function);
    }
    *last = function;
}

/* Declarations that a role has no place for. */
static bool check_role(Checker *c, const SourceFile *file, const Decl *decl) {
    bool fits = true;
    const char *what = "this";
    switch (file->role) {
    case ROLE_MODEL:
        fits = decl->kind != DECL_FUNCTION;
        what = "a function has no place in a Model file: write it in App or Domain";
        break;
    case ROLE_API:
        fits = decl->kind == DECL_ROUTE || decl->kind == DECL_COMMAND || decl->kind == DECL_REST;
        what = "an Api file holds only lines such as `cmd submit = app.submit`";
        break;
    case ROLE_JOB:
        fits = decl->kind == DECL_DATABASE || decl->kind == DECL_SCHEDULE ||
               (decl->kind == DECL_FUNCTION && decl->function->kind == FUNCTION_JOB);
        what = "a Job file holds only `database`, `job` and `schedule`: write it in App";
        break;
    case ROLE_MAIN:
        fits = decl->kind == DECL_FUNCTION &&
               str_equal(decl->function->name.parts[0].text, STR("main"));
        what = "main.dever holds nothing but `main`";
        break;
    case ROLE_APP:
    case ROLE_DOMAIN:
        fits =
            decl->kind == DECL_FUNCTION || decl->kind == DECL_RECORD || decl->kind == DECL_CHOICE;
        what = "App and Domain files hold types and functions";
        break;
    default:
        break;
    }
    if (!fits) {
        Span span = decl->kind == DECL_FUNCTION ? decl->function->signature : decl->span;
        diagnostic_add(c->diagnostics, CODE_C005, span, "%s", what);
    }
    return fits;
}

static void declare_functions_of(Checker *c, const FileTree *tree) {
    Function *last = NULL;
    if (tree->file->role == ROLE_PORT || tree->file->role == ROLE_ADAPTER) {
        if (tree->decls.count > 0) {
            not_supported(c, tree->decls.items[0]->span,
                          tree->file->role == ROLE_PORT ? "a Port is" : "an Adapter is");
        }
        return;
    }
    for (size_t i = 0; i < tree->decls.count; i++) {
        const Decl *decl = tree->decls.items[i];
        if (!check_role(c, tree->file, decl)) {
            last = NULL;
        } else if (decl->kind == DECL_FUNCTION && decl->function->kind != FUNCTION_JOB) {
            declare_function(c, tree->file, decl->function, &last);
        } else if (decl->kind == DECL_FUNCTION && tree->file->role != ROLE_JOB) {
            refuse_forms(c, tree->file, decl->function);
            last = NULL;
        } else {
            last = NULL;
        }
    }
}

/* ---- outputs ---- */

static void resolve_outputs(Checker *c, Function *function, const Clause *first) {
    const FieldList *nodes = &first->node->outputs;
    for (size_t i = 0; i < nodes->count; i++) {
        Field field;
        resolve_field(c, function->file, nodes->items[i], &field);
        Output output = {.name = field.name, .type = field.type, .span = field.span};
        vec_push(c->arena, &function->outputs, output);
    }
    if (function->outputs.count >= 2) {
        function->outputs_type = arena_make(c->arena, Type);
        function->outputs_type->kind = TYPE_OUTPUTS;
        function->outputs_type->name =
            str_format(c->arena, "the outputs of " STR_FMT, STR_ARG(function->qualified));
        function->outputs_type->function = function;
    }
}

/* Later clauses must have the same outputs: names, types, order (C005). */
static void check_outputs_agree(Checker *c, Function *function, const Clause *clause) {
    const FieldList *nodes = &clause->node->outputs;
    bool same = nodes->count == function->outputs.count;
    for (size_t i = 0; same && i < nodes->count; i++) {
        Str first = span_text(function->clauses.items[0]->node->outputs.items[i]->type->span);
        same = str_equal(nodes->items[i]->name.text, function->outputs.items[i].name) &&
               (str_equal(span_text(nodes->items[i]->type->span), first) ||
                resolve_type(c, function->file, nodes->items[i]->type) ==
                    function->outputs.items[i].type);
    }
    if (!same) {
        Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C005, clause->span,
                                             "the clauses of `" STR_FMT "` have different outputs",
                                             STR_ARG(function->name));
        diagnostic_note(c->diagnostics, message, function->clauses.items[0]->span,
                        "the first clause");
    }
}

static void check_modifiers_agree(Checker *c, Function *function, const Clause *clause) {
    const FunctionNode *first = function->clauses.items[0]->node;
    const FunctionNode *node = clause->node;
    const char *word = NULL;
    if (first->is_pure != node->is_pure) {
        word = "pure";
    } else if (first->has_recover != node->has_recover ||
               !str_equal(first->recover, node->recover)) {
        word = "recover(…)";
    } else if (first->kind != node->kind) {
        word = "transaction";
    }
    if (word != NULL) {
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_C013, clause->span,
                           "`%s` must stand on every clause of `" STR_FMT "` or on none", word,
                           STR_ARG(function->name));
        diagnostic_note(c->diagnostics, message, function->clauses.items[0]->span,
                        "the first clause");
    }
}

/* ---- inputs ---- */

/* A pattern that is written as a type but names a payload-free variant. */
static const Variant *pattern_variant(Checker *c, const Function *function, const InputNode *input,
                                      Choice **out_choice) {
    *out_choice = NULL;
    if (input->kind != PATTERN_TYPE && input->kind != PATTERN_VARIANT) {
        return NULL;
    }
    return find_variant(c, function->file, &input->type->path, out_choice);
}

static bool names_choice(Checker *c, const Function *function, const InputNode *input) {
    Choice *choice;
    pattern_variant(c, function, input, &choice);
    return choice != NULL;
}

/* The type that one pattern gives, without null; NULL when it gives none. */
static Type *pattern_type(Checker *c, const Function *function, const InputNode *input) {
    Choice *choice = NULL;
    if (input->kind == PATTERN_TYPE || input->kind == PATTERN_VARIANT) {
        const Variant *variant = pattern_variant(c, function, input, &choice);
        if (choice != NULL) {
            Path head = path_head(&input->type->path, input->type->path.count - 1);
            if (!check_type_visible(c, function->file, find_type(c, function->file, &head),
                                    head.span)) {
                return c->error_type;
            }
            if (variant == NULL) {
                const Name *name = &input->type->path.parts[input->type->path.count - 1];
                Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C004, name->span,
                                                     "`" STR_FMT "` has no variant `" STR_FMT "`",
                                                     STR_ARG(choice->name), STR_ARG(name->text));
                Nearest nearest = nearest_begin(name->text);
                for (size_t i = 0; i < choice->variants.count; i++) {
                    nearest_offer(&nearest, choice->variants.items[i]->name);
                }
                nearest_help(c, message, &nearest);
                return c->error_type;
            }
            return choice->type;
        }
        if (input->kind == PATTERN_VARIANT) {
            Path head = path_head(&input->type->path, input->type->path.count - 1);
            Str text = path_text(c, &head);
            diagnostic_add(c->diagnostics, CODE_C004, input->type->path.span,
                           "there is no choice `" STR_FMT "`", STR_ARG(text));
            return c->error_type;
        }
        if (input->type->parameters.count > 0) {
            diagnostic_add(c->diagnostics, CODE_C014, input->type->span,
                           "a length or precision belongs to the fields of a Model");
        }
        return type_plain(resolve_type(c, function->file, input->type));
    }
    return NULL;
}

static bool is_point_number(Str number) {
    return str_find_char(number, '.', NULL);
}

static bool is_exponent_number(Str number) {
    return str_find_char(number, 'e', NULL) || str_find_char(number, 'E', NULL);
}

/* The type that literals give when no clause writes one. */
static Type *literal_type(Checker *c, const Function *function, size_t input) {
    Type *type = NULL;
    for (size_t i = 0; i < function->clauses.count; i++) {
        const InputNode *node = function->clauses.items[i]->node->inputs.items[input];
        TypeKind kind;
        switch (node->kind) {
        case PATTERN_TRUE:
        case PATTERN_FALSE:
            kind = TYPE_BOOL;
            break;
        case PATTERN_TEXT:
            kind = TYPE_TEXT;
            break;
        case PATTERN_NUMBER:
            kind = is_exponent_number(node->number) ? TYPE_FLOAT
                   : is_point_number(node->number)  ? TYPE_DECIMAL
                                                    : TYPE_INT;
            break;
        default:
            continue;
        }
        if (type == NULL || (type->kind == TYPE_INT && kind == TYPE_DECIMAL)) {
            type = type_builtin(c, kind);
        }
    }
    return type;
}

static Type *input_type(Checker *c, const Function *function, size_t input) {
    Type *type = NULL;
    bool nullable = false;
    for (size_t i = 0; i < function->clauses.count; i++) {
        const InputNode *node = function->clauses.items[i]->node->inputs.items[input];
        if (node->kind == PATTERN_HANDLER) {
            not_supported(c, node->span, "a handler input is");
            return c->error_type;
        }
        nullable = nullable || node->kind == PATTERN_NULL ||
                   (node->kind == PATTERN_TYPE && node->type->nullable);
        Type *written = pattern_type(c, function, node);
        if (written == NULL) {
            continue;
        }
        if (type_is_error(written)) {
            return written;
        }
        if (type == NULL) {
            type = written;
        } else if (type != written) {
            Diagnostic *message =
                diagnostic_add(c->diagnostics, CODE_C005, node->pattern,
                               "the clauses disagree on the type of this input: " STR_FMT
                               " here, " STR_FMT " before",
                               STR_ARG(written->name), STR_ARG(type->name));
            diagnostic_note(c->diagnostics, message, function->clauses.items[0]->span,
                            "the first clause");
            return c->error_type;
        }
    }
    if (type == NULL) {
        type = literal_type(c, function, input);
    }
    if (type == NULL) {
        diagnostic_add(c->diagnostics, CODE_C005,
                       function->clauses.items[0]->node->inputs.items[input]->pattern,
                       "no clause tells the type of this input");
        return c->error_type;
    }
    return nullable ? type_nullable(c, type) : type;
}

static bool number_atom(Checker *c, const InputNode *node, const Type *type, Atom *out) {
    Str text = str_format(c->arena, "%s" STR_FMT, node->negative ? "-" : "", STR_ARG(node->number));
    *out = (Atom){.kind = ATOM_INTERVAL};
    out->interval =
        (Interval){.has_low = true, .has_high = true, .is_decimal = type->kind == TYPE_DECIMAL};
    if (type->kind == TYPE_DECIMAL && decimal_parse(text, &out->interval.decimal_low)) {
        out->interval.decimal_high = out->interval.decimal_low;
        return true;
    }
    errno = 0;
    out->interval.low = out->interval.high = strtoll(text.ptr, NULL, 10);
    if (type->kind == TYPE_INT && errno == 0 && !is_point_number(text) &&
        !is_exponent_number(text)) {
        return true;
    }
    diagnostic_add(c->diagnostics, CODE_C005, node->pattern, "this is no value of " STR_FMT,
                   STR_ARG(type->name));
    return false;
}

static bool literal_fits(Checker *c, const InputNode *node, const Type *type) {
    TypeKind kind = node->kind == PATTERN_TEXT ? TYPE_TEXT : TYPE_BOOL;
    if (type->kind == kind) {
        return true;
    }
    diagnostic_add(c->diagnostics, CODE_C005, node->pattern, "this is no value of " STR_FMT,
                   STR_ARG(type->name));
    return false;
}

static bool select_variant(Checker *c, const Function *function, const InputNode *node,
                           Selection *out) {
    Choice *choice;
    const Variant *variant = pattern_variant(c, function, node, &choice);
    size_t count = node->kind == PATTERN_VARIANT ? node->bindings.count : 0;
    if (variant->fields.count != count) {
        Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C005, node->pattern,
                                             "`" STR_FMT "` has a payload of %zu, found %zu names",
                                             STR_ARG(variant->name), variant->fields.count, count);
        diagnostic_help(c->diagnostics, message,
                        "name each part, or `_` for one that is not needed");
        return false;
    }
    Atom atom = {.kind = ATOM_VARIANT, .variant = variant};
    vec_push(c->arena, &out->atoms, atom);
    return true;
}

/* What one clause selects on one input. */
static bool select_pattern(Checker *c, const Function *function, const InputNode *node, Type *type,
                           Selection *out) {
    Type *plain = type_plain(type);
    Atom atom = {0};
    switch (node->kind) {
    case PATTERN_OTHER:
        out->other = true;
        return true;
    case PATTERN_NULL:
        out->only_null = true;
        return true;
    case PATTERN_TRUE:
    case PATTERN_FALSE:
        atom = (Atom){.kind = ATOM_BOOL, .boolean = node->kind == PATTERN_TRUE};
        vec_push(c->arena, &out->atoms, atom);
        return literal_fits(c, node, plain);
    case PATTERN_TEXT:
        atom = (Atom){.kind = ATOM_TEXT, .text = node->text};
        vec_push(c->arena, &out->atoms, atom);
        return literal_fits(c, node, plain);
    case PATTERN_NUMBER:
        if (plain->kind == TYPE_FLOAT) {
            not_supported(c, node->pattern, "a Float pattern is");
            return false;
        }
        if (!number_atom(c, node, plain, &atom)) {
            return false;
        }
        vec_push(c->arena, &out->atoms, atom);
        return true;
    case PATTERN_VARIANT:
        return select_variant(c, function, node, out);
    case PATTERN_TYPE:
        if (names_choice(c, function, node)) {
            return select_variant(c, function, node, out);
        }
        if (node->bounds.count == 0) {
            out->everything = true;
            out->null_too = node->type->nullable;
            return true;
        }
        if (node->type->nullable) {
            diagnostic_add(c->diagnostics, CODE_C005, node->pattern,
                           "a range needs plain Int or Decimal, found " STR_FMT,
                           STR_ARG(type->name));
            return false;
        }
        atom.kind = ATOM_INTERVAL;
        if (!resolve_bounds(c, &node->bounds, plain, &atom.interval)) {
            return false;
        }
        if (!interval_is_empty(&atom.interval)) {
            vec_push(c->arena, &out->atoms, atom);
        }
        return true;
    case PATTERN_HANDLER:
        return false;
    }
    return false;
}

/* ---- locals of a clause ---- */

static bool clause_excludes_null(const Selection *selection, bool other_has_null) {
    return !(selection->only_null || selection->null_too || (selection->other && other_has_null));
}

static void check_name_twice(Checker *c, const Clause *clause, const Name *name) {
    const Local *known = NULL;
    for (size_t i = 0; i < clause->inputs.count; i++) {
        known =
            str_equal(clause->inputs.items[i]->name, name->text) ? clause->inputs.items[i] : known;
    }
    for (size_t i = 0; i < clause->bindings.count; i++) {
        known = str_equal(clause->bindings.items[i]->name, name->text) ? clause->bindings.items[i]
                                                                       : known;
    }
    for (size_t i = 0; i < clause->outputs.count; i++) {
        known = str_equal(clause->outputs.items[i]->name, name->text) ? clause->outputs.items[i]
                                                                      : known;
    }
    if (known != NULL) {
        Diagnostic *message = diagnostic_add(
            c->diagnostics, CODE_C002, name->span,
            "the name `" STR_FMT "` stands twice in this signature", STR_ARG(name->text));
        diagnostic_note(c->diagnostics, message, known->span, "first here");
    }
}

static Local *local_new(Checker *c, LocalKind kind, const Name *name, Type *type, size_t input) {
    Local *local = arena_make(c->arena, Local);
    *local =
        (Local){.kind = kind, .name = name->text, .type = type, .input = input, .span = name->span};
    return local;
}

static void add_bindings(Checker *c, Clause *clause, size_t input, const InputNode *node) {
    Choice *choice;
    const Variant *variant = pattern_variant(c, clause->function, node, &choice);
    for (size_t i = 0; node->kind == PATTERN_VARIANT && variant != NULL &&
                       i < node->bindings.count && i < variant->fields.count;
         i++) {
        const Name *name = &node->bindings.items[i];
        if (str_equal(name->text, STR("_"))) {
            continue;
        }
        check_snake_case(c, name, "bindings");
        check_name_twice(c, clause, name);
        Local *local = local_new(c, LOCAL_BINDING, name, variant->fields.items[i].type, input);
        local->variant = variant;
        local->field = i;
        vec_push(c->arena, &clause->bindings, local);
    }
}

static void add_locals(Checker *c, Function *function, Clause *clause, const AxisList *axes,
                       size_t which) {
    for (size_t i = 0; i < function->inputs.count; i++) {
        const InputNode *node = clause->node->inputs.items[i];
        Type *type = function->inputs.items[i].type;
        const Axis *axis = &axes->items[i];
        bool null_taken = false; /* by a clause that is not `other` */
        for (size_t j = 0; j < axis->selections.count; j++) {
            null_taken = null_taken || axis->selections.items[j].only_null ||
                         axis->selections.items[j].null_too;
        }
        if (which < axis->selections.count &&
            clause_excludes_null(&axis->selections.items[which], !null_taken)) {
            type = type_plain(type);
        }
        check_snake_case(c, &node->name, "inputs");
        check_name_twice(c, clause, &node->name);
        Local *local = local_new(c, LOCAL_INPUT, &node->name, type, i);
        vec_push(c->arena, &clause->inputs, local);
        add_bindings(c, clause, i, node);
    }
    for (size_t i = 0; i < function->outputs.count && i < clause->node->outputs.count; i++) {
        const Name *name = &clause->node->outputs.items[i]->name;
        check_name_twice(c, clause, name);
        Local *local = local_new(c, LOCAL_OUTPUT, name, function->outputs.items[i].type, i);
        vec_push(c->arena, &clause->outputs, local);
    }
}

/* ---- public boundary ---- */

static const SourceFile *type_owner(const Type *type) {
    type = type_plain((Type *)(uintptr_t)type);
    while (type->kind == TYPE_LIST) {
        type = type_plain(type->item);
    }
    return type->kind == TYPE_RECORD   ? type->record->file
           : type->kind == TYPE_CHOICE ? type->choice->file
                                       : NULL;
}

static void check_shown(Checker *c, const Function *function, Type *type, Span span, bool output) {
    const SourceFile *owner = type_is_error(type) ? NULL : type_owner(type);
    if (function->role != ROLE_APP) {
        return;
    }
    if (owner != NULL && (owner->role == ROLE_DOMAIN || owner->role == ROLE_PORT)) {
        Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C006, span,
                                             "an App function is public and cannot show `" STR_FMT
                                             "`, which is private to its domain",
                                             STR_ARG(type->name));
        diagnostic_help(c->diagnostics, message, "declare a type in App for it");
    } else if (output && !type_is_error(type) && type_holds_secret(type)) {
        diagnostic_add(c->diagnostics, CODE_C006, span, "a Secret cannot leave an App function");
    }
}

static void check_boundary(Checker *c, const Function *function) {
    for (size_t i = 0; i < function->inputs.count; i++) {
        check_shown(c, function, function->inputs.items[i].type, function->inputs.items[i].span,
                    false);
    }
    for (size_t i = 0; i < function->outputs.count; i++) {
        check_shown(c, function, function->outputs.items[i].type, function->outputs.items[i].span,
                    true);
    }
}

/* ---- the whole signature ---- */

static void resolve_signature(Checker *c, Function *function) {
    AxisList axes = {0};
    bool good = true;
    for (size_t i = 0; i < function->clauses.items[0]->node->inputs.count; i++) {
        const InputNode *first = function->clauses.items[0]->node->inputs.items[i];
        Input input = {.name = first->name.text, .span = first->span};
        input.type = input_type(c, function, i);
        vec_push(c->arena, &function->inputs, input);
        Axis axis = {.type = input.type, .name = input.name};
        good = good && !type_is_error(input.type);
        for (size_t j = 0; !type_is_error(input.type) && j < function->clauses.count; j++) {
            Selection selection = {0};
            const InputNode *node = function->clauses.items[j]->node->inputs.items[i];
            good = select_pattern(c, function, node, input.type, &selection) && good;
            vec_push(c->arena, &axis.selections, selection);
        }
        vec_push(c->arena, &axes, axis);
    }
    resolve_outputs(c, function, function->clauses.items[0]);
    for (size_t i = 1; i < function->clauses.count; i++) {
        check_outputs_agree(c, function, function->clauses.items[i]);
        check_modifiers_agree(c, function, function->clauses.items[i]);
    }
    for (size_t i = 0; i < function->clauses.count; i++) {
        add_locals(c, function, function->clauses.items[i], &axes, i);
    }
    check_boundary(c, function);
    if (good && function->role != ROLE_LIBRARY && !((FunctionInfo *)(void *)function)->is_broken) {
        coverage_check(c, function, &axes);
    }
}

/* A function of a standard package: no clauses, effects as declared. */
static void finish_library(Function *function) {
    static const struct {
        Str name;
        Effect effect;
    } effects[] = {
        {STR_INIT("time"), EFFECT_TIME},         {STR_INIT("random"), EFFECT_RANDOM},
        {STR_INIT("stdout"), EFFECT_STDOUT},     {STR_INIT("log"), EFFECT_LOG},
        {STR_INIT("suspends"), EFFECT_SUSPENDS}, {STR_INIT("serve"), EFFECT_SERVE},
        {STR_INIT("process"), EFFECT_PROCESS},
    };
    const FunctionNode *node = function->clauses.items[0]->node;
    for (size_t i = 0; i < node->effects.count; i++) {
        for (size_t j = 0; j < COUNT_OF(effects); j++) {
            if (str_equal(node->effects.items[i].text, effects[j].name)) {
                function->effects |= (uint32_t)effects[j].effect;
            }
        }
    }
    function->clauses.count = 0;
}

void declare_functions(Checker *c) {
    for (size_t i = 0; i < c->library_count; i++) {
        declare_functions_of(c, c->library[i]);
    }
    for (size_t i = 0; i < c->tree_count; i++) {
        declare_functions_of(c, c->trees[i]);
    }
    for (size_t i = 0; i < c->functions.entries.count; i++) {
        Function *function = c->functions.entries.items[i].value;
        resolve_signature(c, function);
        if (function->role == ROLE_LIBRARY) {
            finish_library(function);
        }
        if (function->role == ROLE_MAIN) {
            c->program->main = function;
        }
    }
}
