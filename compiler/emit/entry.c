/* compiler/emit/entry.c: jobs, commands and the program as the runtime sees it. */
#include "compiler/emit/emit_internal.h"

#include <inttypes.h>

void emit_job(Emitter *e, Unit *unit, const Job *job) {
    Out *out = &unit->code;
    Str body = c_function(e, job->body);
    Str name = c_job(e, job);
    out_line(out, "/* job " STR_FMT " */", STR_ARG(job->target));
    out_open(out, "static bool " STR_FMT "__handler(dv_scope *s, const void *input) {",
             STR_ARG(body));
    if (job->input == NULL) {
        out_line(out, "(void)input;");
        out_line(out, "return " STR_FMT "(s);", STR_ARG(body));
    } else {
        Str type = c_record(e, job->input);
        out_line(out, "return " STR_FMT "(s, *(const " STR_FMT " *)input);", STR_ARG(body),
                 STR_ARG(type));
    }
    out_close(out, "");
    out_line(out, "%s", "");
    Str target = c_string(e, job->target);
    Str schema = c_string(e, job->schema);
    Str fingerprint = c_string(e, job->fingerprint);
    Str component = c_string(e, job->file->component);
    Str database = c_string(e, job->database);
    Str input = job->input == NULL ? STR("NULL") : c_description(e, job->input->type);
    Str place = c_place(e, job->span);
    out_line(&e->header, "extern const dv_job " STR_FMT ";", STR_ARG(name));
    out_open(out, "const dv_job " STR_FMT " = {", STR_ARG(name));
    out_line(out, ".target = " STR_FMT ",", STR_ARG(target));
    out_line(out, ".schema = " STR_FMT ",", STR_ARG(schema));
    out_line(out, ".fingerprint = " STR_FMT ",", STR_ARG(fingerprint));
    out_line(out, ".connection = {" STR_FMT ", " STR_FMT "},", STR_ARG(database),
             STR_ARG(component));
    out_line(out, ".input = " STR_FMT ",", STR_ARG(input));
    out_line(out, ".max_attempts = %" PRId64 ",", job->retry);
    out_line(out, ".timeout_ms = %" PRId64 ",", job->timeout_ms);
    out_line(out, ".completes_in_transaction = %s,",
             job->completes_in_transaction ? "true" : "false");
    out_line(out, ".handler = " STR_FMT "__handler,", STR_ARG(body));
    out_line(out, ".place = " STR_FMT ",", STR_ARG(place));
    out_close(out, ";");
    out_line(out, "%s", "");
}

/* ---- commands ---- */

/* The record of a command's parameters, its description, and the call with its fields. */
static void emit_command(Emitter *e, Out *out, const Command *command) {
    const Function *function = command->function;
    size_t count = function->inputs.count;
    Str name = c_path(e, command->name);
    Str text = c_string(e, command->name);
    out_open(out, "typedef struct " STR_FMT "__input {", STR_ARG(name));
    for (size_t i = 0; i < count; i++) {
        Str type = c_type(e, function->inputs.items[i].type);
        Str field = c_field(e, function->inputs.items[i].name);
        out_line(out, STR_FMT " " STR_FMT ";", STR_ARG(type), STR_ARG(field));
    }
    if (count == 0) {
        out_line(out, "char unused_;");
    }
    out->indent--;
    out_line(out, "} " STR_FMT "__input;", STR_ARG(name));
    out_line(out, "%s", "");
    if (count > 0) {
        out_open(out, "static const dv_field " STR_FMT "__fields[] = {", STR_ARG(name));
        for (size_t i = 0; i < count; i++) {
            Str shown = c_string(e, function->inputs.items[i].name);
            Str field = c_field(e, function->inputs.items[i].name);
            Str type = c_description(e, function->inputs.items[i].type);
            out_line(out, "{" STR_FMT ", " STR_FMT ", offsetof(" STR_FMT "__input, " STR_FMT ")},",
                     STR_ARG(shown), STR_ARG(type), STR_ARG(name), STR_ARG(field));
        }
        out_close(out, ";");
    }
    out_open(out, "static const dv_type " STR_FMT "__input_type = {", STR_ARG(name));
    out_line(out, ".kind = DV_RECORD,");
    out_line(out, ".size = sizeof(" STR_FMT "__input),", STR_ARG(name));
    out_line(out, ".name = " STR_FMT ",", STR_ARG(text));
    if (count > 0) {
        out_line(out, ".count = %zu,", count);
        out_line(out, ".fields = " STR_FMT "__fields,", STR_ARG(name));
    }
    out_close(out, ";");
    Str call = str_format(e->arena, STR_FMT "(s", STR_ARG(c_function(e, function)));
    for (size_t i = 0; i < count; i++) {
        Str field = c_field(e, function->inputs.items[i].name);
        call = str_format(e->arena, STR_FMT ", in->" STR_FMT, STR_ARG(call), STR_ARG(field));
    }
    out_open(out, "static bool " STR_FMT "__call(dv_scope *s, const void *input, void *output) {",
             STR_ARG(name));
    if (count == 0) {
        out_line(out, "(void)input;");
    } else {
        out_line(out, "const " STR_FMT "__input *in = input;", STR_ARG(name));
    }
    out_line(out, "return " STR_FMT ", output);", STR_ARG(call));
    out_close(out, "");
    out_line(out, "%s", "");
}

/* ---- the program ---- */

static void emit_tables(Emitter *e, Out *out) {
    const Program *program = e->program;
    if (program->models.count > 0) {
        out_open(out, "static const dv_model *const models[] = {");
        for (size_t i = 0; i < program->models.count; i++) {
            Str name = c_model(e, program->models.items[i]);
            out_line(out, "&" STR_FMT ",", STR_ARG(name));
        }
        out_close(out, ";");
    }
    if (program->jobs.count > 0) {
        out_open(out, "static const dv_job *const jobs[] = {");
        for (size_t i = 0; i < program->jobs.count; i++) {
            Str name = c_job(e, program->jobs.items[i]);
            out_line(out, "&" STR_FMT ",", STR_ARG(name));
        }
        out_close(out, ";");
    }
    if (program->schedules.count > 0) {
        out_open(out, "static const dv_schedule schedules[] = {");
        for (size_t i = 0; i < program->schedules.count; i++) {
            Str name = c_job(e, program->schedules.items[i].job);
            Str cron = c_string(e, program->schedules.items[i].cron);
            out_line(out, "{&" STR_FMT ", " STR_FMT "},", STR_ARG(name), STR_ARG(cron));
        }
        out_close(out, ";");
    }
    if (program->commands.count > 0) {
        out_open(out, "static const dv_command commands[] = {");
        for (size_t i = 0; i < program->commands.count; i++) {
            const Command *command = &program->commands.items[i];
            Str name = c_path(e, command->name);
            Str text = c_string(e, command->name);
            Str output = c_description(e, command->function->outputs.items[0].type);
            out_line(out,
                     "{" STR_FMT ", &" STR_FMT "__input_type, " STR_FMT ", " STR_FMT "__call, %s},",
                     STR_ARG(text), STR_ARG(name), STR_ARG(output), STR_ARG(name),
                     (command->function->effects & EFFECT_WRITE) != 0 ? "true" : "false");
        }
        out_close(out, ";");
    }
    out_line(out, "%s", "");
}

static void emit_table_entry(Out *out, const char *name, size_t count, const char *singular) {
    if (count > 0) {
        out_line(out, ".%s = %s,", name, name);
        out_line(out, ".%s_count = %zu,", singular, count);
    }
}

void emit_entry(Emitter *e, Unit *unit) {
    const Program *program = e->program;
    Out *out = &unit->code;
    for (size_t i = 0; i < program->commands.count; i++) {
        emit_command(e, out, &program->commands.items[i]);
    }
    emit_tables(e, out);
    bool serves = program->main != NULL && (program->main->effects & EFFECT_SERVE) != 0;
    out_open(out, "static const dv_program program = {");
    out_line(out, ".abi = DV_ABI,");
    if (e->options->root != NULL) {
        Str root = c_string(e, str_from(e->options->root));
        out_line(out, ".root = " STR_FMT ",", STR_ARG(root));
    }
    out_line(out, ".built_at = INT64_C(%" PRId64 "),", e->options->built_at);
    emit_table_entry(out, "models", program->models.count, "model");
    emit_table_entry(out, "jobs", program->jobs.count, "job");
    emit_table_entry(out, "schedules", program->schedules.count, "schedule");
    emit_table_entry(out, "commands", program->commands.count, "command");
    if (program->main != NULL) {
        out_line(out, ".main = main_dever,");
    }
    out_line(out, ".serves_jobs = %s,", serves ? "true" : "false");
    out_close(out, ";");
    out_line(out, "%s", "");
    out_open(out, "int main(int argc, char **argv) {");
    out_line(out, "return dv_main(argc, argv, &program);");
    out_close(out, "");
}
