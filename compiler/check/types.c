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
    static const Str others[] = {STR_INIT("List"),        STR_INIT("Map"),     STR_INIT("MapEntry"),
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
    Type *type =
        intern(c, str_format(c->arena, "List<" STR_FMT ">", STR_ARG(item->name)), TYPE_LIST);
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

/* Records in records, as deep as the codec reads. */
enum { WIRE_LEVELS_MOST = 64 };

/* A field on the way to what is looked at; the first is the type itself and has no name. */
typedef struct WirePlace {
    const struct WirePlace *outer;
    const Field *field;
    size_t level;
} WirePlace;

static void add_place(const WirePlace *place, Buf *out) {
    if (place->outer != NULL && place->outer->field != NULL) {
        add_place(place->outer, out);
        buf_add_char(out, '.');
    }
    buf_add(out, place->field->name);
}

static bool wire_problem(Checker *c, const WirePlace *place, const char *reason, WireProblem *out) {
    *out = (WireProblem){.text = reason};
    if (place->field != NULL) {
        Buf path = {0};
        add_place(place, &path);
        out->text =
            str_format(c->arena, "its field `" STR_FMT "` is %s", STR_ARG(buf_str(&path)), reason)
                .ptr;
        out->span = place->field->span;
        buf_done(&path);
    }
    return true;
}

static bool find_problem(Checker *c, const Type *type, WireUse use, const WirePlace *place,
                         WireProblem *out) {
    switch (type->kind) {
    case TYPE_NULLABLE:
    case TYPE_LIST:
        return find_problem(c, type->item, use, place, out);
    case TYPE_SECRET:
        return use != WIRE_INPUT && wire_problem(c, place, "a Secret", out);
    case TYPE_BYTES:
        return wire_problem(c, place, "Bytes", out);
    case TYPE_CHOICE:
        return wire_problem(c, place, "a choice", out);
    case TYPE_MAP:
    case TYPE_MAP_ENTRY:
        return wire_problem(c, place, "a Map", out);
    case TYPE_OUTPUTS:
        return wire_problem(c, place, "several outputs", out);
    case TYPE_RECORD:
        break;
    default:
        return false;
    }
    if (type->record->origin == RECORD_PAGE ||
        (type->record->origin == RECORD_MODEL && use != WIRE_OUTPUT)) {
        return wire_problem(c, place, "a value of a Model", out);
    }
    if (place->level == WIRE_LEVELS_MOST) {
        return wire_problem(c, place, "nested too deep", out);
    }
    for (size_t i = 0; i < type->record->fields.count; i++) {
        const Field *field = &type->record->fields.items[i];
        WirePlace inner = {place, field, place->level + 1};
        if (field->is_private) {
            return wire_problem(c, &inner, "private", out);
        }
        if (field->has_bounds) {
            return wire_problem(c, &inner, "bounded", out);
        }
        if (find_problem(c, field->type, use, &inner, out)) {
            return true;
        }
    }
    return false;
}

bool type_wire_problem(Checker *c, const Type *type, WireUse use, WireProblem *out) {
    WirePlace place = {.level = 1};
    return find_problem(c, type, use, &place, out);
}
