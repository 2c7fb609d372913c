/* compiler/emit/names.c: names in C spell the path. What the emitter adds to a name stands behind two
 * underscores, and what could clash gets one at its end: no name of Dever has either. Paths that spell
 * alike (a.b_c and a_b.c) are numbered. */
#include "compiler/emit/emit_internal.h"

#include <string.h>

/* Words of C, of its headers and of the generated code that a local or field may be called. */
static const char *const taken[] = {
    "auto",    "break",    "case",      "char",     "const",     "continue",    "default",
    "do",      "double",   "else",      "enum",     "extern",    "float",       "for",
    "goto",    "if",       "inline",    "int",      "long",      "register",    "restrict",
    "return",  "short",    "signed",    "sizeof",   "static",    "struct",      "switch",
    "typedef", "union",    "unsigned",  "void",     "volatile",  "while",       "asm",
    "typeof",  "bool",     "true",      "false",    "offsetof",  "linux",       "unix",
    "i386",    "s",        "tag",       "as",       "input",     "output",      "main",
    "errno",   "stdin",    "stdout",    "stderr",   "int8_t",    "int16_t",     "int32_t",
    "int64_t", "uint8_t",  "uint16_t",  "uint32_t", "uint64_t",  "size_t",      "ptrdiff_t",
    "wchar_t", "intptr_t", "uintptr_t", "intmax_t", "uintmax_t", "max_align_t", "unused_",
};

static bool is_taken(Str name) {
    for (size_t i = 0; i < COUNT_OF(taken); i++) {
        if (str_equal(name, str_from(taken[i]))) {
            return true;
        }
    }
    return str_starts_with(name, STR("dv_"));
}

Str c_field(Emitter *e, Str name) {
    return is_taken(name) ? str_format(e->arena, STR_FMT "_", STR_ARG(name)) : name;
}

Str c_local(Emitter *e, Str name) {
    bool hides = map_find(&e->globals, name) != NULL;
    return hides || is_taken(name) ? str_format(e->arena, STR_FMT "_", STR_ARG(name)) : name;
}

static Str underscored(Emitter *e, Str path) {
    char *copy = arena_alloc(e->arena, path.len + 1, 1);
    for (size_t i = 0; i < path.len; i++) {
        copy[i] = path.ptr[i] == '.' ? '_' : path.ptr[i];
    }
    copy[path.len] = '\0';
    return (Str){copy, path.len};
}

Str c_path(Emitter *e, Str path) {
    Str plain = underscored(e, path);
    Str name = plain;
    for (int number = 2;; number++) {
        const Str *owner = map_find(&e->paths, name);
        if (owner == NULL) {
            Str *kept = arena_make(e->arena, Str);
            *kept = path;
            map_put(e->arena, &e->paths, name, kept);
            return name;
        }
        if (str_equal(*owner, path)) {
            return name;
        }
        name = str_format(e->arena, STR_FMT "__path_%d", STR_ARG(plain), number);
    }
}

/* The path of a declaration, or for a standard package the name that the door gives it. */
static Str c_declaration(Emitter *e, const SourceFile *file, Str package, Str name) {
    Str path = str_format(e->arena, STR_FMT "." STR_FMT, STR_ARG(package), STR_ARG(name));
    if (file->role != ROLE_LIBRARY) {
        return c_path(e, path);
    }
    if (str_starts_with(path, STR("dever."))) {
        path = str_slice(path, 6, path.len);
    }
    path = underscored(e, path);
    return str_format(e->arena, "dv_" STR_FMT, STR_ARG(path));
}

Str c_function(Emitter *e, const Function *function) {
    if (function->role == ROLE_MAIN) {
        return STR("main_dever");
    }
    Str name = c_declaration(e, function->file, function->package, function->name);
    /* The first of several functions of one name keeps it; the others are told apart by their inputs. */
    const Function *first = map_find(&e->globals, name);
    return first == NULL || first == function
               ? name
               : str_format(e->arena, STR_FMT "__of_%zu", STR_ARG(name), function->inputs.count);
}

static Str package_of(Emitter *e, const SourceFile *file) {
    if (file->role == ROLE_APP) {
        return str_format(e->arena, STR_FMT "." STR_FMT ".app", STR_ARG(file->component),
                          STR_ARG(file->domain));
    }
    return file->package;
}

Str full_type_name(Emitter *e, const SourceFile *file, Str name) {
    Str package = package_of(e, file);
    return str_format(e->arena, STR_FMT "." STR_FMT, STR_ARG(package), STR_ARG(name));
}

static Str c_declared(Emitter *e, const SourceFile *file, Str name) {
    return c_declaration(e, file, package_of(e, file), name);
}

Str c_record(Emitter *e, const Record *record) {
    return record->origin == RECORD_PAGE ? STR("dv_page")
                                         : c_declared(e, record->file, record->name);
}

Str c_choice(Emitter *e, const Choice *choice) {
    return c_declared(e, choice->file, choice->name);
}

Str c_tag(Emitter *e, const Variant *variant) {
    Str choice = c_choice(e, variant->choice);
    return str_format(e->arena, STR_FMT "_" STR_FMT, STR_ARG(choice), STR_ARG(variant->name));
}

Str c_model(Emitter *e, const Model *model) {
    return c_path(e, model->package);
}

Str c_job(Emitter *e, const Job *job) {
    Str target = c_path(e, job->target);
    return str_format(e->arena, STR_FMT "__job", STR_ARG(target));
}

/* The door's names of built-in types: the C type, that of `T?`, the word in dv_type_…. */
static const struct {
    TypeKind kind;
    Str type;
    Str maybe;
    Str word;
} scalars[] = {
    {TYPE_BOOL, STR_INIT("bool"), STR_INIT("dv_maybe_bool"), STR_INIT("bool")},
    {TYPE_INT, STR_INIT("int64_t"), STR_INIT("dv_maybe_int"), STR_INIT("int")},
    {TYPE_DECIMAL, STR_INIT("dv_decimal"), STR_INIT("dv_maybe_decimal"), STR_INIT("decimal")},
    {TYPE_FLOAT, STR_INIT("double"), STR_INIT("dv_maybe_float"), STR_INIT("float")},
    {TYPE_TEXT, STR_INIT("dv_text"), STR_INIT("dv_maybe_text"), STR_INIT("text")},
    {TYPE_ID, STR_INIT("dv_text"), STR_INIT("dv_maybe_text"), STR_INIT("id")},
    {TYPE_BYTES, STR_INIT("dv_text"), STR_INIT("dv_maybe_text"), STR_INIT("bytes")},
    {TYPE_SECRET, STR_INIT("dv_text"), STR_INIT("dv_maybe_text"), STR_INIT("secret")},
    {TYPE_UUID, STR_INIT("dv_uuid"), STR_INIT("dv_maybe_uuid"), STR_INIT("uuid")},
    {TYPE_DATETIME, STR_INIT("int64_t"), STR_INIT("dv_maybe_int"), STR_INIT("datetime")},
    {TYPE_DATE, STR_INIT("int64_t"), STR_INIT("dv_maybe_int"), STR_INIT("date")},
    {TYPE_TIME, STR_INIT("int64_t"), STR_INIT("dv_maybe_int"), STR_INIT("time")},
    {TYPE_DURATION, STR_INIT("int64_t"), STR_INIT("dv_maybe_int"), STR_INIT("duration")},
    {TYPE_JSON, STR_INIT("dv_text"), STR_INIT("dv_maybe_text"), STR_INIT("json")},
};

static size_t scalar_of(const Type *type) {
    size_t i = 0;
    while (i < COUNT_OF(scalars) && scalars[i].kind != type->kind) {
        i++;
    }
    return i;
}

Str c_type(Emitter *e, const Type *type) {
    size_t scalar = scalar_of(type);
    if (scalar < COUNT_OF(scalars)) {
        return scalars[scalar].type;
    }
    switch (type->kind) {
    case TYPE_MODEL_ID:
        return STR("int64_t");
    case TYPE_LIST:
        return STR("dv_list");
    case TYPE_RECORD:
        return c_record(e, type->record);
    case TYPE_CHOICE:
        return c_choice(e, type->choice);
    case TYPE_OUTPUTS: {
        Str function = c_function(e, type->function);
        return str_format(e->arena, STR_FMT "__outputs", STR_ARG(function));
    }
    case TYPE_NULLABLE: {
        scalar = scalar_of(type->item);
        if (scalar < COUNT_OF(scalars)) {
            return scalars[scalar].maybe;
        }
        if (type->item->kind == TYPE_MODEL_ID || type->item->kind == TYPE_LIST) {
            return type->item->kind == TYPE_LIST ? STR("dv_maybe_list") : STR("dv_maybe_int");
        }
        Str item = c_type(e, type->item);
        return str_format(e->arena, STR_FMT "_maybe", STR_ARG(item));
    }
    default:
        return STR("void");
    }
}

/* A word for the type that fits into a name. Prefixes keep List<T>? and List<T?> apart. */
static Str mangle(Emitter *e, const Type *type) {
    size_t scalar = scalar_of(type);
    if (scalar < COUNT_OF(scalars)) {
        return scalars[scalar].word;
    }
    switch (type->kind) {
    case TYPE_MODEL_ID: {
        Str model = c_model(e, type->model);
        return str_format(e->arena, STR_FMT "__id", STR_ARG(model));
    }
    case TYPE_LIST: {
        Str item = mangle(e, type->item);
        return str_format(e->arena, "list_of__" STR_FMT, STR_ARG(item));
    }
    case TYPE_NULLABLE: {
        Str item = mangle(e, type->item);
        return str_format(e->arena, "maybe__" STR_FMT, STR_ARG(item));
    }
    case TYPE_RECORD:
        return type->record->origin == RECORD_PAGE
                   ? str_format(e->arena, STR_FMT "_Page", STR_ARG(c_model(e, type->record->model)))
                   : c_record(e, type->record);
    default:
        return c_type(e, type);
    }
}

Str c_description(Emitter *e, const Type *type) {
    size_t scalar = scalar_of(type);
    if (scalar < COUNT_OF(scalars)) {
        return str_format(e->arena, "&dv_type_" STR_FMT, STR_ARG(scalars[scalar].word));
    }
    if (type->kind == TYPE_NULLABLE && scalar_of(type->item) < COUNT_OF(scalars)) {
        return str_format(e->arena, "&dv_type_maybe_" STR_FMT,
                          STR_ARG(scalars[scalar_of(type->item)].word));
    }
    Str name = mangle(e, type);
    return str_format(e->arena, "&" STR_FMT "_type", STR_ARG(name));
}

Str c_place(Emitter *e, Span span) {
    Place place = source_place(span.file, span.from);
    Str text =
        str_format(e->arena, STR_FMT ":%u:%u", STR_ARG(span.file->path), place.line, place.column);
    return c_string(e, text);
}
