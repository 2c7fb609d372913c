/* compiler/check/model.c: Model files: the stored record, its columns and indexes. */
#include "compiler/check/check_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- registering ---- */

/* `seed_bed` is SeedBed. */
static Str record_name(Checker *c, Str table) {
    Buf name = {0};
    bool up = true;
    for (size_t i = 0; i < table.len; i++) {
        char ch = table.ptr[i];
        if (ch != '_') {
            buf_add_char(&name, up && ch >= 'a' && ch <= 'z' ? (char)(ch - 'a' + 'A') : ch);
        }
        up = ch == '_';
    }
    Str text = str_dup(c->arena, buf_str(&name));
    buf_done(&name);
    return text;
}

/* The types that every Model has by itself. */
static const char *const made_types[] = {"id", "Page", "Cursor"};

static bool is_made_type(Str name) {
    for (size_t i = 0; i < COUNT_OF(made_types); i++) {
        if (str_equal(name, str_from(made_types[i]))) {
            return true;
        }
    }
    return false;
}

static TypeDecl *add_type(Checker *c, const SourceFile *file, const char *name, Type *type) {
    Str key = str_format(c->arena, STR_FMT ".%s", STR_ARG(file->package), name);
    TypeDecl *decl = arena_make(c->arena, TypeDecl);
    decl->type = type;
    decl->file = file;
    map_put(c->arena, &c->type_decls, key, decl);
    return decl;
}

static void declare_model(Checker *c, const FileTree *tree) {
    const SourceFile *file = tree->file;
    Str table = file->topic.len > 0 ? file->topic : file->domain;
    Str wanted = record_name(c, table);
    Str key = str_format(c->arena, STR_FMT "." STR_FMT, STR_ARG(file->package), STR_ARG(wanted));
    TypeDecl *decl = map_find(&c->type_decls, key);
    if (decl == NULL || decl->type->kind != TYPE_RECORD) {
        const Decl *other = NULL;
        for (size_t i = 0; i < tree->decls.count && other == NULL; i++) {
            other = tree->decls.items[i]->kind == DECL_RECORD ? tree->decls.items[i] : NULL;
        }
        if (!tree->failed) {
            Span span = other != NULL ? other->name.span : (Span){file, 0, 0};
            Diagnostic *message = diagnostic_add(
                c->diagnostics, CODE_C014, span,
                "the stored record of this file must be named `" STR_FMT "`", STR_ARG(wanted));
            diagnostic_help(c->diagnostics, message, "write `type " STR_FMT " { … }`",
                            STR_ARG(wanted));
        }
        return;
    }
    Model *model = arena_make(c->arena, Model);
    model->package = file->package;
    model->table = table;
    model->file = file;
    model->record = decl->type->record;
    model->record->origin = RECORD_MODEL;
    model->record->model = model;
    model->span = decl->decl->name.span;
    model->id = type_of_model_id(c, model);
    model->page = arena_make(c->arena, Record);
    *model->page =
        (Record){.name = STR("Page"),
                 .qualified = str_format(c->arena, STR_FMT ".Page", STR_ARG(file->package)),
                 .file = file,
                 .origin = RECORD_PAGE,
                 .model = model,
                 .span = model->span};
    model->page->type = type_of_record(c, model->page);
    add_type(c, file, "id", model->id);
    add_type(c, file, "Page", model->page->type);
    map_put(c->arena, &c->models, model->package, model);
    vec_push(c->arena, &c->program->models, model);
}

/* All Models share one connection, and a table belongs to one of them. */
static void check_tables(Checker *c) {
    Map tables = {0};
    for (size_t i = 0; i < c->program->models.count; i++) {
        Model *model = c->program->models.items[i];
        const Model *known = map_find(&tables, model->table);
        if (known == NULL) {
            map_put(c->arena, &tables, model->table, model);
            continue;
        }
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_C014, model->span,
                           STR_FMT " and " STR_FMT " have the same table, `" STR_FMT "`",
                           STR_ARG(model->package), STR_ARG(known->package), STR_ARG(model->table));
        diagnostic_note(c->diagnostics, message, known->span, "the other one");
        Str topic = str_format(c->arena, STR_FMT "_" STR_FMT, STR_ARG(model->file->component),
                               STR_ARG(model->table));
        Str record = record_name(c, topic);
        diagnostic_help(c->diagnostics, message,
                        "name one of them for what it is: `type " STR_FMT "` in " STR_FMT
                        "/" STR_FMT "/model/" STR_FMT ".dever",
                        STR_ARG(record), STR_ARG(model->file->component),
                        STR_ARG(model->file->domain), STR_ARG(topic));
    }
}

void declare_models(Checker *c) {
    for (size_t i = 0; i < c->tree_count; i++) {
        if (c->trees[i]->file->role == ROLE_MODEL) {
            declare_model(c, c->trees[i]);
        }
    }
    check_tables(c);
}

/* ---- columns ---- */

static bool parse_parameter(const Name *number, int64_t *out) {
    char digits[16] = "";
    if (number->text.len >= sizeof digits || str_find_char(number->text, '.', NULL) ||
        str_find_char(number->text, 'e', NULL)) {
        return false;
    }
    memcpy(digits, number->text.ptr, number->text.len);
    *out = strtoll(digits, NULL, 10);
    return true;
}

static void resolve_decimal(Checker *c, const TypeNode *node, Column *column) {
    int64_t precision = 0;
    int64_t scale = 0;
    if (node->parameters.count != 2) {
        Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C014, node->span,
                                             "a stored Decimal needs its precision and scale");
        diagnostic_help(c->diagnostics, message, "write `Decimal(12, 2)`");
        return;
    }
    if (!parse_parameter(&node->parameters.items[0], &precision) ||
        !parse_parameter(&node->parameters.items[1], &scale) || precision < 1 ||
        precision > DECIMAL_DIGITS || scale > precision) {
        diagnostic_add(c->diagnostics, CODE_C014, node->span,
                       "the precision is 1 to 34 digits, and the scale is no larger");
        return;
    }
    column->precision = (int32_t)precision;
    column->scale = (int32_t)scale;
}

static void resolve_length(Checker *c, const TypeNode *node, Column *column) {
    int64_t numbers[2] = {0, 0};
    size_t count = node->parameters.count;
    bool good = count <= 2;
    for (size_t i = 0; good && i < count; i++) {
        good = parse_parameter(&node->parameters.items[i], &numbers[i]) && numbers[i] <= INT32_MAX;
    }
    int64_t most = numbers[count == 2 ? 1 : 0];
    int64_t least = count == 2 ? numbers[0] : 0;
    if (!good || (count > 0 && most < 1) || least > most) {
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_C014, node->span,
                           "a length is at least 1, and the least is no more than the most");
        diagnostic_help(c->diagnostics, message, "write `Text(200)` or `Text(1, 200)`");
        return;
    }
    column->least = (int32_t)least;
    column->most = (int32_t)most;
}

/* The type of a stored field, or the error type after a message. */
static Type *resolve_stored(Checker *c, const SourceFile *file, const FieldNode *node,
                            Column *column) {
    Type *type = resolve_type(c, file, node->type);
    const Type *plain = type_plain(type);
    switch (plain->kind) {
    case TYPE_DECIMAL:
        resolve_decimal(c, node->type, column);
        return type;
    case TYPE_TEXT:
    case TYPE_BYTES:
        resolve_length(c, node->type, column);
        return type;
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_UUID:
    case TYPE_DATETIME:
    case TYPE_DATE:
    case TYPE_TIME:
    case TYPE_DURATION:
    case TYPE_JSON:
        break;
    case TYPE_MODEL_ID:
        column->foreign = plain->model;
        break;
    case TYPE_CHOICE: {
        const Choice *choice = plain->choice;
        bool stored = choice->file == file;
        for (size_t i = 0; i < choice->variants.count; i++) {
            stored = stored && choice->variants.items[i]->fields.count == 0 &&
                     !choice->variants.items[i]->is_error;
        }
        if (!stored) {
            diagnostic_add(
                c->diagnostics, CODE_C014, node->type->span,
                "a stored choice is declared in this file, without payloads and error variants");
            return c->error_type;
        }
        break;
    }
    case TYPE_ERROR:
        return type;
    case TYPE_RECORD: {
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_C014, node->type->span,
                           STR_FMT " cannot be stored in a field", STR_ARG(type->name));
        if (plain->record->origin != RECORD_DECLARED) {
            diagnostic_help(c->diagnostics, message, "store the id: `" STR_FMT ".id`",
                            STR_ARG(plain->record->model->package));
        }
        return c->error_type;
    }
    default: {
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_C014, node->type->span,
                           STR_FMT " cannot be stored in a field", STR_ARG(type->name));
        if (plain->kind == TYPE_LIST) {
            diagnostic_help(c->diagnostics, message, "use Json, or a Model of its own");
        }
        return c->error_type;
    }
    }
    if (node->type->parameters.count > 0) {
        diagnostic_add(c->diagnostics, CODE_C014, node->type->span, STR_FMT " takes no parameters",
                       STR_ARG(plain->name));
    }
    return type;
}

/* ---- a field ---- */

static void add_index(Checker *c, Model *model, bool unique, const size_t *columns, size_t count,
                      Span span) {
    for (size_t i = 0; i < model->indexes.count; i++) {
        ModelIndex *known = &model->indexes.items[i];
        if (known->columns.count == count &&
            memcmp(known->columns.items, columns, count * sizeof columns[0]) == 0) {
            if (known->is_unique == unique && span.file != NULL) {
                diagnostic_add(c->diagnostics, CODE_C002, span, "this index is declared twice");
            }
            known->is_unique = known->is_unique || unique;
            return;
        }
    }
    ModelIndex index = {.is_unique = unique};
    for (size_t i = 0; i < count; i++) {
        vec_push(c->arena, &index.columns, columns[i]);
    }
    vec_push(c->arena, &model->indexes, index);
}

static void resolve_modifiers(Checker *c, Model *model, const FieldNode *node, Column *column) {
    size_t place = model->columns.count;
    bool index = false;
    bool unique = false;
    for (size_t i = 0; i < node->modifiers.count; i++) {
        const Modifier *modifier = &node->modifiers.items[i];
        switch (modifier->kind) {
        case MODIFIER_GENERATED:
            column->is_generated = true;
            if (!type_is_error(column->type) && column->type->kind != TYPE_UUID) {
                diagnostic_add(c->diagnostics, CODE_C014, modifier->span,
                               "only a Uuid that is never null can be generated");
            }
            break;
        case MODIFIER_DEFAULT:
            if (!type_is_error(column->type)) {
                column->default_value = check_default(c, model->file, modifier->value, column);
            }
            break;
        case MODIFIER_INDEX:
            index = true;
            break;
        case MODIFIER_UNIQUE:
            unique = true;
            break;
        case MODIFIER_FROM:
            not_supported(c, modifier->span, "`from` is");
            break;
        case MODIFIER_CREATE:
        case MODIFIER_REPLACE:
        case MODIFIER_SEARCH:
            not_supported(c, modifier->span, "`rest` is");
            break;
        }
    }
    if (index && unique) {
        diagnostic_add(c->diagnostics, CODE_C014, node->name.span,
                       "a field is indexed once: `unique` is an index too");
    }
    if (column->is_generated && column->default_value != NULL) {
        diagnostic_add(c->diagnostics, CODE_C014, node->name.span,
                       "a generated field has no default");
    }
    if (index || unique || column->foreign != NULL) {
        add_index(c, model, unique, &place, 1, (Span){0});
    }
}

static void add_column(Checker *c, Model *model, const Column *column) {
    Field field = {.name = column->name, .type = column->type, .span = column->span};
    vec_push(c->arena, &model->columns, *column);
    vec_push(c->arena, &model->record->fields, field);
}

static void resolve_column(Checker *c, Model *model, const FieldNode *node) {
    Column column = {.name = node->name.text, .span = node->name.span};
    check_snake_case(c, &node->name, "fields");
    if (str_equal(column.name, STR("id")) || str_equal(column.name, STR("created_at"))) {
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_C014, node->name.span,
                           "every Model has `" STR_FMT "` by itself", STR_ARG(column.name));
        diagnostic_help(c->diagnostics, message, "remove this field");
        return;
    }
    for (size_t i = 0; i < model->columns.count; i++) {
        if (str_equal(model->columns.items[i].name, column.name)) {
            Diagnostic *message =
                diagnostic_add(c->diagnostics, CODE_C002, node->name.span,
                               "`" STR_FMT "` is declared twice", STR_ARG(column.name));
            diagnostic_note(c->diagnostics, message, model->columns.items[i].span,
                            "first declared here");
            return;
        }
    }
    if (node->is_owner || node->is_private) {
        not_supported(c, node->span,
                      node->is_owner ? "`owner` is" : "a private field of a Model is");
    }
    if (node->bounds.count > 0) {
        diagnostic_add(c->diagnostics, CODE_C014, node->bounds.items[0].span,
                       "a stored field has no range: check it by clauses before it is stored");
    }
    column.type = resolve_stored(c, model->file, node, &column);
    resolve_modifiers(c, model, node, &column);
    add_column(c, model, &column);
}

/* ---- the file ---- */

static const Decl *find_tree_decl(const FileTree *tree, DeclKind kind, size_t *from) {
    for (; *from < tree->decls.count; (*from)++) {
        if (tree->decls.items[*from]->kind == kind) {
            return tree->decls.items[(*from)++];
        }
    }
    return NULL;
}

static void resolve_index(Checker *c, Model *model, const Decl *decl) {
    size_t columns[64];
    size_t count = 0;
    for (size_t i = 0; i < decl->index.fields.count && count < COUNT_OF(columns); i++) {
        const Name *name = &decl->index.fields.items[i];
        size_t at = 0;
        while (at < model->columns.count && !str_equal(model->columns.items[at].name, name->text)) {
            at++;
        }
        if (at == model->columns.count) {
            Diagnostic *message =
                diagnostic_add(c->diagnostics, CODE_C004, name->span,
                               "this Model has no field `" STR_FMT "`", STR_ARG(name->text));
            Nearest nearest = nearest_begin(name->text);
            for (size_t j = 0; j < model->columns.count; j++) {
                nearest_offer(&nearest, model->columns.items[j].name);
            }
            nearest_help(c, message, &nearest);
            return;
        }
        for (size_t j = 0; j < count; j++) {
            if (columns[j] == at) {
                diagnostic_add(c->diagnostics, CODE_C002, name->span, "`" STR_FMT "` stands twice",
                               STR_ARG(name->text));
                return;
            }
        }
        columns[count++] = at;
    }
    add_index(c, model, decl->index.is_unique, columns, count, decl->span);
}

static int by_columns(const void *a, const void *b) {
    const ModelIndex *left = a;
    const ModelIndex *right = b;
    for (size_t i = 0; i < left->columns.count && i < right->columns.count; i++) {
        if (left->columns.items[i] != right->columns.items[i]) {
            return left->columns.items[i] < right->columns.items[i] ? -1 : 1;
        }
    }
    return (left->columns.count > right->columns.count) -
           (left->columns.count < right->columns.count);
}

static void check_labels(Checker *c, const FileTree *tree) {
    for (size_t i = 0; i < tree->decls.count; i++) {
        const Decl *decl = tree->decls.items[i];
        size_t labels = 0;
        for (size_t j = 0; decl->kind == DECL_CHOICE && j < decl->variants.count; j++) {
            labels += decl->variants.items[j]->has_label ? 1 : 0;
        }
        if (decl->kind == DECL_CHOICE && labels != 0 && labels != decl->variants.count) {
            diagnostic_add(c->diagnostics, CODE_C014, decl->name.span,
                           "either every variant of `" STR_FMT "` has a label or none",
                           STR_ARG(decl->name.text));
        }
    }
}

static void resolve_file(Checker *c, Model *model, const FileTree *tree) {
    static const struct {
        DeclKind kind;
        const char *what;
    } later[] = {{DECL_RELATION, "`relation` is"},
                 {DECL_SEED, "`seed` is"},
                 {DECL_MIGRATE, "`migrate` is"},
                 {DECL_SQL, "`sql` is"}};
    for (size_t i = 0; i < tree->decls.count; i++) {
        const Decl *decl = tree->decls.items[i];
        for (size_t j = 0; j < COUNT_OF(later); j++) {
            if (decl->kind == later[j].kind) {
                not_supported(c, decl->span, later[j].what);
            }
        }
        if (decl->is_global) {
            not_supported(c, decl->name.span, "`global` is");
        }
        if (is_made_type(decl->name.text) &&
            (decl->kind == DECL_RECORD || decl->kind == DECL_CHOICE)) {
            diagnostic_add(c->diagnostics, CODE_C002, decl->name.span,
                           "every Model has `" STR_FMT "` by itself", STR_ARG(decl->name.text));
        } else if (decl->kind == DECL_RECORD && !str_equal(decl->name.text, model->record->name)) {
            diagnostic_add(c->diagnostics, CODE_C014, decl->name.span,
                           "a Model file has one record, `" STR_FMT "`",
                           STR_ARG(model->record->name));
        }
    }
    size_t from = 0;
    for (const Decl *decl; (decl = find_tree_decl(tree, DECL_DATABASE, &from)) != NULL;) {
        if (model->database.len > 0) {
            diagnostic_add(c->diagnostics, CODE_C002, decl->span, "a file names its database once");
        } else if (!str_equal(decl->name.text, STR("default"))) {
            not_supported(c, decl->name.span, "a connection beside `default` is");
        }
        model->database = decl->name.text;
    }
    from = 0;
    for (const Decl *decl; (decl = find_tree_decl(tree, DECL_INDEX, &from)) != NULL;) {
        resolve_index(c, model, decl);
    }
    check_labels(c, tree);
    if (model->indexes.count > 0) {
        qsort(model->indexes.items, model->indexes.count, sizeof model->indexes.items[0],
              by_columns);
    }
}

static void resolve_page(Checker *c, Model *model) {
    static const char *const numbers[] = {"page", "size", "total", "pages"};
    Field items = {
        .name = STR("items"), .type = type_list(c, model->record->type), .span = model->span};
    vec_push(c->arena, &model->page->fields, items);
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        Field field = {
            .name = str_from(numbers[i]), .type = type_builtin(c, TYPE_INT), .span = model->span};
        vec_push(c->arena, &model->page->fields, field);
    }
}

void resolve_models(Checker *c) {
    for (size_t i = 0; i < c->tree_count; i++) {
        const FileTree *tree = c->trees[i];
        Model *model =
            tree->file->role == ROLE_MODEL ? map_find(&c->models, tree->file->package) : NULL;
        if (model == NULL) {
            continue;
        }
        Column id = {.name = STR("id"), .type = model->id, .span = model->span};
        Column created_at = {
            .name = STR("created_at"), .type = type_builtin(c, TYPE_DATETIME), .span = model->span};
        add_column(c, model, &id);
        add_column(c, model, &created_at);
        for (size_t j = 0; j < tree->decls.count; j++) {
            const Decl *decl = tree->decls.items[j];
            for (size_t k = 0;
                 decl->kind == DECL_RECORD && str_equal(decl->name.text, model->record->name) &&
                 k < decl->fields.count;
                 k++) {
                resolve_column(c, model, decl->fields.items[k]);
            }
        }
        resolve_file(c, model, tree);
        resolve_page(c, model);
    }
}
