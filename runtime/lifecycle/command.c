/* runtime/lifecycle/command.c: strict JSON in, an envelope out, nothing of the payload anywhere else. */
#include "runtime/lifecycle/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/json_writer.h"
#include "runtime/lifecycle/api_error.h"
#include "runtime/process/log.h"
#include "runtime/task/scope.h"
#include "runtime/wire/wire.h"

enum { CODE_OK = 0, CODE_INVALID = 400, CODE_FAILED = 500 };

const dv_command *command_find(const dv_program *program, Str name) {
    for (uint32_t i = 0; i < program->command_count; i++) {
        if (str_equal(name, str_from(program->commands[i].name))) {
            return &program->commands[i];
        }
    }
    return NULL;
}

/* Edits (insert, delete, replace) between two names, as far as names are sensible. */
static size_t distance(Str a, Str b) {
    enum { MOST = 128 };
    size_t row[MOST + 1];
    a = str_slice(a, 0, MOST);
    b = str_slice(b, 0, MOST);
    for (size_t j = 0; j <= b.len; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t replace = diagonal + (a.ptr[i - 1] == b.ptr[j - 1] ? 0 : 1);
            size_t edit = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replace < edit ? replace : edit;
        }
    }
    return row[b.len];
}

const char *command_nearest(const dv_program *program, Str name) {
    const char *nearest = NULL;
    size_t best = name.len / 2 + 1;
    for (uint32_t i = 0; i < program->command_count; i++) {
        size_t edits = distance(name, str_from(program->commands[i].name));
        if (edits < best) {
            best = edits;
            nearest = program->commands[i].name;
        }
    }
    return nearest;
}

/* ---- the envelope ---- */

static int print(int code, Str message, Str data) {
    Buf out = {0};
    buf_format(&out, "{\"code\":%d,\"message\":", code);
    json_write_string(&out, message);
    buf_add(&out, STR(",\"data\":"));
    buf_add(&out, data);
    buf_add(&out, STR("}\n"));
    Str text = buf_str(&out);
    bool printed =
        buf_ok(&out) && fwrite(text.ptr, 1, text.len, stdout) == text.len && fflush(stdout) == 0;
    buf_done(&out);
    if (!printed) {
        char problem[160];
        snprintf(problem, sizeof problem, "standard output cannot be written: %s", strerror(errno));
        log_write(LOG_ERROR, str_from(problem), NULL, 0);
    }
    return code == CODE_OK && printed ? 0 : 1;
}

static int print_invalid(const WireError *error) {
    char message[640];
    snprintf(message, sizeof message, "invalid input at %s: %s", error->path, error->message);
    return print(CODE_INVALID, str_from(message), STR("null"));
}

static int print_failure(const dv_command *command, const dv_scope *s) {
    Buf trace = {0};
    scope_failure_trace(s, &trace);
    const char *reason = s->failure.reason;
    LogField fields[] = {{STR("command"), str_from(command->name)},
                         {STR("reason"), str_from(reason)}};
    log_write(LOG_ERROR, buf_str(&trace), fields, reason != NULL ? 2 : 1);
    buf_done(&trace);
    char name[512];
    scope_failure_name(s, name, sizeof name);
    return print(api_error_code(s), str_from(name), STR("null"));
}

static int run(const dv_command *command, Str json, dv_scope *s) {
    WireError error = {0};
    void *input = dv_new(s, command->input->size + 1);
    void *output = dv_new(s, command->output->size);
    if (input == NULL || output == NULL) {
        return print_failure(command, s);
    }
    if (!wire_decode(s, command->input, json, input, &error)) {
        return scope_has_fault(s) ? print_failure(command, s) : print_invalid(&error);
    }
    if (!command->call(s, input, output)) {
        return print_failure(command, s);
    }
    Buf data = {0};
    int status;
    if (wire_encode(command->output, output, &data, &error)) {
        status = print(CODE_OK, STR("ok"), buf_str(&data));
    } else {
        LogField field = {STR("command"), str_from(command->name)};
        log_write(LOG_ERROR, str_from(error.message), &field, 1);
        status = print(CODE_FAILED, str_from(error.message), STR("null"));
    }
    buf_done(&data);
    return status;
}

int command_run(const dv_command *command, Str json) {
    dv_scope *s = scope_new();
    if (s == NULL) {
        return print(CODE_FAILED, STR("out of memory"), STR("null"));
    }
    int status = run(command, json, s);
    scope_free(s);
    return status;
}
