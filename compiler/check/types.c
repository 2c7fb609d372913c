/* compiler/check/types.c: types are interned by the name that people read, which is unique. */
#include "compiler/check/check_internal.h"

static const struct {
    Str name;
    TypeKind kind;
} scalars[] = {
    {STR_INIT("Bool"), TYPE_BOOL},         {STR_INIT("Int"), TYPE_INT},
    {STR_INIT("Decimal"), TYPE_DECIMAL},   {STR_INIT("Float"), TYPE_FLOAT},
    {STR_INIT("Text"), TYPE_TEXT},         {STR_INIT("Id"), TYPE_ID},
    {STR_INIT("Bytes"), TYPE_BYTES},       {STR_INIT("Secret"), TYPE_SECRET},
    {STR_INIT("Uuid"), TYPE_UUID},         {STR_INIT("DateTime"), TYPE_DATETIME},
    {STR_INIT("Date"), TYPE_DATE},         {STR_INIT("Time"), TYPE_TIME},
    {STR_INIT("Duration"), TYPE_DURATION}, {STR_INIT("Json"), TYPE_JSON},
};

/* The type of a name, made when it is new; later parts of program->types may contain earlier ones. */
static Type *intern(Checker *c, Str name, TypeKind kind) {
    Type *type = map_find(&c->types, name);
    if (type == NULL) {
        type = arena_make(c->arena, Type);
        type->kind = kind;
        type->name = name;
        map_put(c->arena, &c->types, name, type);
        vec_push(c->arena, &c->program->types, type);
    }
    return type;
}

Type *type_builtin(Checker *c, TypeKind kind) {
    for (size_t i = 0; i < COUNT_OF(scalars); i++) {
        if (scalars[i].kind == kind) {
            return intern(c, scalars[i].name, kind);
        }
    }
    return c->error_type;
}

Type *type_builtin_named(Checker *c, Str name) {
    for (size_t i = 0; i < COUNT_OF(scalars); i++) {
        if (str_equal(scalars[i].name, name)) {
            return intern(c, name, scalars[i].kind);
        }
    }
    return NULL;
}

bool type_name_is_builtin(Str name) {
    static const Str others[] = {STR_INIT("List"),        STR_INIT("Map"),    STR_INIT("MapEntry"),
                                 STR_INIT("Stream"),      STR_INIT("Channel"), STR_INIT("Task"),
                                 STR_INIT("AsyncStream"), STR_INIT("Group")};
    for (size_t i = 0; i < COUNT_OF(scalars); i++) {
        if (str_equal(scalars[i].name, name)) {
            return true;
        }
    }
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        if (str_equal(others[i], name)) {
            return true;
        }
    }
    return false;
}

Type *type_nullable(Checker *c, Type *item) {
    if (item->kind == TYPE_NULLABLE || item->kind == TYPE_ERROR) {
        return item;
    }
    Type *type = intern(c, str_format(c->arena, STR_FMT "?", STR_ARG(item->name)), TYPE_NULLABLE);
    type->item = item;
    return type;
}

Type *type_list(Checker *c, Type *item) {
    if (item->kind == TYPE_ERROR) {
        return item;
    }
    Type *type = intern(c, str_format(c->arena, "List<" STR_FMT ">", STR_ARG(item->name)), TYPE_LIST);
    type->item = item;
    return type;
}

Type *type_of_record(Checker *c, Record *record) {
    Type *type = intern(c, record->qualified, TYPE_RECORD);
    type->record = record;
    return type;
}

Type *type_of_choice(Checker *c, Choice *choice) {
    Type *type = intern(c, choice->qualified, TYPE_CHOICE);
    type->choice = choice;
    return type;
}

Type *type_of_model_id(Checker *c, Model *model) {
    Type *type =
        intern(c, str_format(c->arena, STR_FMT ".id", STR_ARG(model->package)), TYPE_MODEL_ID);
    type->model = model;
    return type;
}

Type *type_plain(Type *type) {
    return type->kind == TYPE_NULLABLE ? type->item : type;
}

bool type_is_error(const Type *type) {
    return type->kind == TYPE_ERROR;
}

bool type_is_numeric(const Type *type) {
    return type->kind == TYPE_INT || type->kind == TYPE_DECIMAL || type->kind == TYPE_FLOAT;
}

/* Does `test` hold for some type inside? Types have no cycles once they are resolved. */
static bool holds(const Type *type, bool (*test)(const Type *)) {
    if (test(type)) {
        return true;
    }
    switch (type->kind) {
    case TYPE_NULLABLE:
    case TYPE_LIST:
        return holds(type->item, test);
    case TYPE_RECORD:
        for (size_t i = 0; i < type->record->fields.count; i++) {
            if (holds(type->record->fields.items[i].type, test)) {
                return true;
            }
        }
        return false;
    case TYPE_CHOICE:
        for (size_t i = 0; i < type->choice->variants.count; i++) {
            const Variant *variant = type->choice->variants.items[i];
            for (size_t j = 0; j < variant->fields.count; j++) {
                if (holds(variant->fields.items[j].type, test)) {
                    return true;
                }
            }
        }
        return false;
    case TYPE_OUTPUTS:
        for (size_t i = 0; i < type->function->outputs.count; i++) {
            if (holds(type->function->outputs.items[i].type, test)) {
                return true;
            }
        }
        return false;
    default:
        return false;
    }
}

static bool is_incomparable(const Type *type) {
    return type->kind == TYPE_SECRET || type->kind == TYPE_OUTPUTS;
}

static bool is_secret(const Type *type) {
    return type->kind == TYPE_SECRET;
}

static bool has_error_variant(const Type *type) {
    if (type->kind != TYPE_CHOICE) {
        return false;
    }
    for (size_t i = 0; i < type->choice->variants.count; i++) {
        if (type->choice->variants.items[i]->is_error) {
            return true;
        }
    }
    return false;
}

bool type_is_comparable(const Type *type) {
    return !holds(type, is_incomparable);
}

bool type_holds_secret(const Type *type) {
    return holds(type, is_secret);
}

bool type_holds_failure(const Type *type) {
    return holds(type, has_error_variant);
}

static const char *wire_problem(Checker *c, Str path, const char *reason) {
    if (path.len == 0) {
        return reason;
    }
    return str_format(c->arena, "its field `" STR_FMT "` is %s", STR_ARG(path), reason).ptr;
}

const char *type_wire_problem(Checker *c, const Type *type, bool as_input, Str path) {
    switch (type->kind) {
    case TYPE_NULLABLE:
    case TYPE_LIST:
        return type_wire_problem(c, type->item, as_input, path);
    case TYPE_SECRET:
        return as_input ? NULL : wire_problem(c, path, "a Secret");
    case TYPE_BYTES:
        return wire_problem(c, path, "Bytes");
    case TYPE_CHOICE:
        return wire_problem(c, path, "a choice");
    case TYPE_MAP:
    case TYPE_MAP_ENTRY:
        return wire_problem(c, path, "a Map");
    case TYPE_OUTPUTS:
        return wire_problem(c, path, "several outputs");
    case TYPE_RECORD:
        if (type->record->origin != RECORD_DECLARED) {
            return wire_problem(c, path, "a Model's record");
        }
        for (size_t i = 0; i < type->record->fields.count; i++) {
            const Field *field = &type->record->fields.items[i];
            Str inner = path.len == 0
                            ? field->name
                            : str_format(c->arena, STR_FMT "." STR_FMT, STR_ARG(path), STR_ARG(field->name));
            if (field->is_private) {
                return wire_problem(c, inner, "private");
            }
            if (field->has_bounds) {
                return wire_problem(c, inner, "bounded");
            }
            const char *problem = type_wire_problem(c, field->type, as_input, inner);
            if (problem != NULL) {
                return problem;
            }
        }
        return NULL;
    default:
        return NULL;
    }
}
