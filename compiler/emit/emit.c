/* compiler/emit/emit.c: the files of a generated program: one for each domain, one for the types, one
 * for the entry, a header, and all SQL in one listing. */
#include "compiler/emit/emit.h"

#include "compiler/emit/emit_internal.h"

static const char banner[] = "/* Generated from Dever source: do not edit. */";

static Unit *unit_find(Emitter *e, Str name) {
    for (size_t i = 0; i < e->units.count; i++) {
        if (str_equal(e->units.items[i]->name, name)) {
            return e->units.items[i];
        }
    }
    Unit *unit = arena_make(e->arena, Unit);
    unit->name = name;
    vec_push(e->arena, &e->units, unit);
    return unit;
}

static Unit *unit_of(Emitter *e, const SourceFile *file) {
    if (file->component.len == 0) {
        return unit_find(e, STR("main.c"));
    }
    Str domain =
        str_format(e->arena, STR_FMT "." STR_FMT, STR_ARG(file->component), STR_ARG(file->domain));
    domain = c_path(e, domain);
    return unit_find(e, str_format(e->arena, STR_FMT ".c", STR_ARG(domain)));
}

static void add_function_name(Emitter *e, const Function *function) {
    Str name = c_function(e, function);
    if (map_find(&e->globals, name) == NULL) {
        map_put(e->arena, &e->globals, name, (void *)(uintptr_t)function);
    }
}

static void collect_globals(Emitter *e) {
    for (size_t i = 0; i < e->program->functions.count; i++) {
        add_function_name(e, e->program->functions.items[i]);
    }
    for (size_t i = 0; i < e->program->models.count; i++) {
        map_put(e->arena, &e->globals, c_model(e, e->program->models.items[i]), e);
    }
    for (size_t i = 0; i < e->program->jobs.count; i++) {
        add_function_name(e, e->program->jobs.items[i]->body);
    }
}

static void add_file(EmittedFiles *files, Emitter *e, Str name, Buf text) {
    EmittedFile file = {name, text};
    vec_push(e->arena, files, file);
}

static Buf finish_unit(Unit *unit) {
    Buf text = {0};
    buf_format(&text, "%s\n#include \"program.h\"\n\n", banner);
    buf_add(&text, buf_str(&unit->tables.buf));
    if (unit->tables.buf.len > 0) {
        buf_add_char(&text, '\n');
    }
    Str code = buf_str(&unit->code.buf);
    buf_add(&text, str_ends_with(code, STR("\n\n")) ? str_slice(code, 0, code.len - 1) : code);
    buf_done(&unit->tables.buf);
    buf_done(&unit->code.buf);
    return text;
}

EmittedFiles emit_program(const Program *program, const EmitOptions *options) {
    Emitter e = {.arena = program->arena, .program = program, .options = options};
    EmittedFiles files = {0};
    out_line(&e.header, "%s", banner);
    out_line(&e.header, "#ifndef PROGRAM_H");
    out_line(&e.header, "#define PROGRAM_H");
    out_line(&e.header, "%s", "");
    out_line(&e.header, "#include <dever/dever.h>");
    out_line(&e.header, "%s", "");
    collect_globals(&e);
    emit_types(&e, unit_find(&e, STR("types.c")));
    for (size_t i = 0; i < program->models.count; i++) {
        emit_model(&e, unit_of(&e, program->models.items[i]->file), program->models.items[i]);
    }
    out_line(&e.header, "%s", "");
    for (size_t i = 0; i < program->functions.count; i++) {
        emit_prototype(&e, program->functions.items[i]);
    }
    for (size_t i = 0; i < program->jobs.count; i++) {
        emit_prototype(&e, program->jobs.items[i]->body);
    }
    for (size_t i = 0; i < program->functions.count; i++) {
        const Function *function = program->functions.items[i];
        emit_function(&e, unit_of(&e, function->file), function);
    }
    for (size_t i = 0; i < program->jobs.count; i++) {
        const Job *job = program->jobs.items[i];
        emit_function(&e, unit_of(&e, job->file), job->body);
        emit_job(&e, unit_of(&e, job->file), job);
    }
    emit_entry(&e, unit_find(&e, STR("main.c")));
    out_line(&e.header, "%s", "");
    out_line(&e.header, "#endif");
    for (size_t i = 0; i < e.units.count; i++) {
        add_file(&files, &e, e.units.items[i]->name, finish_unit(e.units.items[i]));
    }
    add_file(&files, &e, STR("program.h"), e.header.buf);
    add_file(&files, &e, STR("program.sql"), e.sql.buf);
    return files;
}
