/* compiler/emit/types.c: structs of records, choices and nullables in program.h, and the description
 * of every type that the runtime may meet. */
#include "compiler/emit/emit_internal.h"

static bool is_library(const SourceFile *file) {
    return file->role == ROLE_LIBRARY;
}

/* ---- structs ---- */

static void struct_fields(Emitter *e, const Field *fields, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Str type = c_type(e, fields[i].type);
        Str name = c_field(e, fields[i].name);
        out_line(&e->header, STR_FMT " " STR_FMT ";", STR_ARG(type), STR_ARG(name));
    }
    if (count == 0) {
        out_line(&e->header, "char unused_;");
    }
}

static void emit_maybe(Emitter *e, Str name) {
    out_line(&e->header, "DV_MAYBE(" STR_FMT "_maybe, " STR_FMT ");", STR_ARG(name), STR_ARG(name));
    out_line(&e->header, "%s", "");
}

static void emit_record_struct(Emitter *e, const Record *record) {
    Str name = c_record(e, record);
    if (record->origin != RECORD_PAGE) {
        out_open(&e->header, "typedef struct " STR_FMT " {", STR_ARG(name));
        struct_fields(e, record->fields.items, record->fields.count);
        e->header.indent--;
        out_line(&e->header, "} " STR_FMT ";", STR_ARG(name));
        emit_maybe(e, name);
    }
}

static void emit_choice_struct(Emitter *e, const Choice *choice) {
    Str name = c_choice(e, choice);
    out_open(&e->header, "enum {");
    for (size_t i = 0; i < choice->variants.count; i++) {
        Str tag = c_tag(e, choice->variants.items[i]);
        out_line(&e->header, STR_FMT "%s", STR_ARG(tag), i + 1 < choice->variants.count ? "," : "");
    }
    if (choice->variants.count == 0) {
        out_line(&e->header, STR_FMT "_none", STR_ARG(name));
    }
    out_close(&e->header, ";");
    out_open(&e->header, "typedef struct " STR_FMT " {", STR_ARG(name));
    out_line(&e->header, "int32_t tag;");
    if (choice->has_payload) {
        out_open(&e->header, "union {");
        for (size_t i = 0; i < choice->variants.count; i++) {
            const Variant *variant = choice->variants.items[i];
            if (variant->fields.count == 0) {
                continue;
            }
            out_open(&e->header, "struct {");
            struct_fields(e, variant->fields.items, variant->fields.count);
            e->header.indent--;
            out_line(&e->header, "} " STR_FMT ";", STR_ARG(variant->name));
        }
        e->header.indent--;
        out_line(&e->header, "} as;");
    }
    e->header.indent--;
    out_line(&e->header, "} " STR_FMT ";", STR_ARG(name));
    emit_maybe(e, name);
}

static void emit_outputs_struct(Emitter *e, const Function *function) {
    if (function->outputs_type == NULL) {
        return;
    }
    Str name = c_type(e, function->outputs_type);
    out_open(&e->header, "typedef struct " STR_FMT " {", STR_ARG(name));
    for (size_t i = 0; i < function->outputs.count; i++) {
        Str type = c_type(e, function->outputs.items[i].type);
        Str field = c_field(e, function->outputs.items[i].name);
        out_line(&e->header, STR_FMT " " STR_FMT ";", STR_ARG(type), STR_ARG(field));
    }
    e->header.indent--;
    out_line(&e->header, "} " STR_FMT ";", STR_ARG(name));
    out_line(&e->header, "%s", "");
}

/* Records and choices, each after those it contains: both lists are in that order, so they are merged
 * by taking from each what no longer waits for the other. */
typedef struct Structs {
    Emitter *e;
    Map done;
} Structs;

static void emit_struct_of(Structs *structs, const Type *type);

static void emit_inner(Structs *structs, const Field *fields, size_t count) {
    for (size_t i = 0; i < count; i++) {
        emit_struct_of(structs, fields[i].type);
    }
}

static void emit_struct_of(Structs *structs, const Type *type) {
    Emitter *e = structs->e;
    while (type->kind == TYPE_NULLABLE || type->kind == TYPE_LIST) {
        type = type->item;
    }
    if ((type->kind != TYPE_RECORD && type->kind != TYPE_CHOICE) ||
        map_find(&structs->done, type->name) != NULL) {
        return;
    }
    map_put(e->arena, &structs->done, type->name, e);
    if (type->kind == TYPE_RECORD) {
        emit_inner(structs, type->record->fields.items, type->record->fields.count);
        emit_record_struct(e, type->record);
        return;
    }
    if (is_library(type->choice->file)) {
        return;
    }
    for (size_t i = 0; i < type->choice->variants.count; i++) {
        const Variant *variant = type->choice->variants.items[i];
        emit_inner(structs, variant->fields.items, variant->fields.count);
    }
    emit_choice_struct(e, type->choice);
}

/* ---- descriptions ---- */

static void field_rows(Emitter *e, Out *out, Str array, Str owner, const char *inside,
                       const Field *fields, size_t count) {
    out_open(out, "static const dv_field " STR_FMT "[] = {", STR_ARG(array));
    for (size_t i = 0; i < count; i++) {
        Str name = c_string(e, fields[i].name);
        Str type = c_description(e, fields[i].type);
        Str member = c_field(e, fields[i].name);
        out_line(out, "{" STR_FMT ", " STR_FMT ", offsetof(" STR_FMT ", %s" STR_FMT ")},",
                 STR_ARG(name), STR_ARG(type), STR_ARG(owner), inside, STR_ARG(member));
    }
    out_close(out, ";");
}

static Str description_name(Emitter *e, const Type *type) {
    Str reference = c_description(e, type);
    return str_slice(reference, 1, reference.len);
}

static void describe_record(Emitter *e, Out *out, const Type *type) {
    const Record *record = type->record;
    Str name = description_name(e, type);
    Str owner = c_record(e, record);
    Str array = str_format(e->arena, STR_FMT "_fields", STR_ARG(name));
    size_t count = record->fields.count;
    if (count > 0) {
        field_rows(e, out, array, owner, "", record->fields.items, count);
    }
    Str full = c_string(e, full_type_name(e, record->file, record->name));
    out_open(out, "const dv_type " STR_FMT " = {", STR_ARG(name));
    out_line(out, ".kind = DV_RECORD,");
    out_line(out, ".size = sizeof(" STR_FMT "),", STR_ARG(owner));
    out_line(out, ".name = " STR_FMT ",", STR_ARG(full));
    if (count > 0) {
        out_line(out, ".count = %zu,", count);
        out_line(out, ".fields = " STR_FMT ",", STR_ARG(array));
    }
    out_close(out, ";");
}

static void describe_choice(Emitter *e, Out *out, const Type *type) {
    const Choice *choice = type->choice;
    Str name = description_name(e, type);
    Str owner = c_choice(e, choice);
    if (is_library(choice->file)) {
        return;
    }
    for (size_t i = 0; i < choice->variants.count; i++) {
        const Variant *variant = choice->variants.items[i];
        if (variant->fields.count > 0) {
            Str tag = c_tag(e, variant);
            Str array = str_format(e->arena, STR_FMT "_fields", STR_ARG(tag));
            Str inside = str_format(e->arena, "as." STR_FMT ".", STR_ARG(variant->name));
            field_rows(e, out, array, owner, inside.ptr, variant->fields.items,
                       variant->fields.count);
        }
    }
    out_open(out, "static const dv_variant " STR_FMT "_variants[] = {", STR_ARG(name));
    for (size_t i = 0; i < choice->variants.count; i++) {
        const Variant *variant = choice->variants.items[i];
        Str text = c_string(e, variant->name);
        Str tag = c_tag(e, variant);
        if (variant->fields.count > 0) {
            out_line(out, "{" STR_FMT ", %s, %zu, " STR_FMT "_fields},", STR_ARG(text),
                     variant->is_error ? "true" : "false", variant->fields.count, STR_ARG(tag));
        } else {
            out_line(out, "{" STR_FMT ", %s, 0, NULL},", STR_ARG(text),
                     variant->is_error ? "true" : "false");
        }
    }
    if (choice->variants.count == 0) {
        out_line(out, "{NULL, false, 0, NULL},");
    }
    out_close(out, ";");
    Str full = c_string(e, full_type_name(e, choice->file, choice->name));
    out_open(out, "const dv_type " STR_FMT " = {", STR_ARG(name));
    out_line(out, ".kind = DV_CHOICE,");
    out_line(out, ".size = sizeof(" STR_FMT "),", STR_ARG(owner));
    out_line(out, ".name = " STR_FMT ",", STR_ARG(full));
    out_line(out, ".count = %zu,", choice->variants.count);
    out_line(out, ".variants = " STR_FMT "_variants,", STR_ARG(name));
    out_close(out, ";");
}

static void describe_simple(Emitter *e, Out *out, const Type *type, const char *kind) {
    Str name = description_name(e, type);
    Str c = c_type(e, type);
    Str text = c_string(e, type->kind == TYPE_MODEL_ID ? type->model->package : type->name);
    out_open(out, "const dv_type " STR_FMT " = {", STR_ARG(name));
    out_line(out, ".kind = %s,", kind);
    out_line(out, ".size = sizeof(" STR_FMT "),", STR_ARG(c));
    out_line(out, ".name = " STR_FMT ",", STR_ARG(text));
    if (type->kind == TYPE_NULLABLE) {
        out_line(out, ".value_offset = offsetof(" STR_FMT ", value),", STR_ARG(c));
    }
    if (type->kind != TYPE_MODEL_ID) {
        Str item = c_description(e, type->item);
        out_line(out, ".item = " STR_FMT ",", STR_ARG(item));
    }
    out_close(out, ";");
}

static void describe(Emitter *e, Out *out, const Type *type) {
    Str reference = c_description(e, type);
    if (str_starts_with(reference, STR("&dv_type_"))) {
        return; /* the door has it */
    }
    Str name = str_slice(reference, 1, reference.len);
    if (!str_starts_with(name, STR("dv_"))) {
        out_line(&e->header, "extern const dv_type " STR_FMT ";", STR_ARG(name));
    }
    switch (type->kind) {
    case TYPE_RECORD:
        describe_record(e, out, type);
        break;
    case TYPE_CHOICE:
        describe_choice(e, out, type);
        break;
    case TYPE_LIST:
        describe_simple(e, out, type, "DV_LIST");
        break;
    case TYPE_NULLABLE:
        describe_simple(e, out, type, "DV_NULLABLE");
        break;
    case TYPE_MODEL_ID:
        describe_simple(e, out, type, "DV_MODEL_ID");
        break;
    default:
        break;
    }
}

void emit_types(Emitter *e, Unit *unit) {
    const Program *program = e->program;
    Structs structs = {.e = e};
    for (size_t i = 0; i < program->choices.count; i++) {
        emit_struct_of(&structs, program->choices.items[i]->type);
    }
    for (size_t i = 0; i < program->records.count; i++) {
        emit_struct_of(&structs, program->records.items[i]->type);
    }
    for (size_t i = 0; i < program->functions.count; i++) {
        emit_outputs_struct(e, program->functions.items[i]);
    }
    for (size_t i = 0; i < program->types.count; i++) {
        describe(e, &unit->code, program->types.items[i]);
    }
    out_line(&e->header, "%s", "");
}
