/* runtime/lifecycle/main.c: the program from its arguments to its exit status. */
#include <dever/program.h>

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "contract/job_limits.h"
#include "runtime/lifecycle/command.h"
#include "runtime/lifecycle/environment.h"
#include "runtime/lifecycle/start.h"
#include "runtime/process/log.h"
#include "runtime/process/stop.h"
#include "runtime/task/scope.h"

/* How `dever build` knows a program that it made, and so may replace. */
static const char mark[] = "dever-program-v1";

static int complain(const char *program, const char *format, ...) PRINTF_LIKE(2, 3);
static int complain(const char *program, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", program);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return 1;
}

static int print_help(const char *name, const dv_program *program) {
    printf("Usage: %s                      start the services of module/main.dever\n", name);
    printf("       %s <command> '<json>'   run one command; - reads the JSON from standard input\n",
           name);
    if (program->command_count > 0) {
        puts("\nCommands:");
    }
    for (uint32_t i = 0; i < program->command_count; i++) {
        const dv_command *command = &program->commands[i];
        printf("  %s {", command->name);
        for (uint32_t j = 0; j < command->input->count; j++) {
            const dv_field *field = &command->input->fields[j];
            printf("%s\"%s\": %s", j == 0 ? " " : ", ", field->name, field->type->name);
        }
        puts(command->input->count == 0 ? "}" : " }");
    }
    return 0;
}

/* ---- services ---- */

static void cancel_root(void *scope) {
    scope_cancel(scope);
}

static int run_main(const dv_program *program, dv_scope *s) {
    bool ok = program->main(s);
    if (!ok) {
        Buf trace = {0};
        scope_failure_trace(s, &trace);
        log_write(LOG_ERROR, buf_str(&trace), NULL, 0);
        buf_done(&trace);
    }
    return ok && !stop_was_forced() ? 0 : 1;
}

/* The thread for signals lives until everything is closed: it bounds how long that may take. */
static int serve(const dv_program *program) {
    Started started;
    int status = 1;
    bool ready = start_begin(&started, program, true);
    dv_scope *s = ready ? scope_new() : NULL;
    if (s != NULL && stop_start(started.settings.runtime.shutdown_ms, cancel_root, s)) {
        status = run_main(program, s);
    } else if (ready) {
        log_write(LOG_ERROR, STR("the system refuses a thread for signals"), NULL, 0);
    }
    start_end(&started);
    if (ready) {
        log_write(LOG_INFO, STR("shutdown: done"), NULL, 0);
    }
    stop_finish();
    scope_free(s);
    return status;
}

/* ---- one command ---- */

static bool read_input(const char *name, Buf *out) {
    char chunk[65536];
    out->limit = WIRE_BYTES_MAX;
    for (;;) {
        ssize_t got = read(STDIN_FILENO, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            complain(name, "standard input cannot be read: %s", strerror(errno));
            return false;
        }
        if (got == 0) {
            return true;
        }
        buf_add(out, (Str){chunk, (size_t)got});
        if (!buf_ok(out)) {
            complain(name, "standard input has more than %d bytes", WIRE_BYTES_MAX);
            return false;
        }
    }
}

static int unknown_command(const char *name, const dv_program *program, const char *wanted) {
    const char *nearest = command_nearest(program, str_from(wanted));
    if (nearest != NULL) {
        return complain(name, "there is no command `%s`; did you mean `%s`?", wanted, nearest);
    }
    return complain(name, "there is no command `%s`; `%s --help` lists them", wanted, name);
}

static int run_command(const char *name, const dv_program *program, const char *wanted,
                       const char *json) {
    const dv_command *command = command_find(program, str_from(wanted));
    if (command == NULL && str_starts_with(str_from(wanted), STR("dever."))) {
        return complain(name, "`%s` is not supported yet", wanted);
    }
    if (command == NULL) {
        return unknown_command(name, program, wanted);
    }
    Buf input = {0};
    bool from_input = strcmp(json, "-") == 0;
    int status = 1;
    if (!from_input || read_input(name, &input)) {
        Started started;
        if (start_begin(&started, program, false)) {
            status = command_run(command, from_input ? buf_str(&input) : str_from(json));
        }
        start_end(&started);
    }
    buf_done(&input);
    return status;
}

int dv_main(int argc, char **argv, const dv_program *program) {
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *name = argc == 0 ? "program" : slash == NULL ? argv[0] : slash + 1;
    environment_clean();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of write() */
    if (program->abi != DV_ABI) {
        return complain(name, "compiled for another version of the runtime: build it again");
    }
    if (argc == 2 && strcmp(argv[1], "--dever-mark") == 0) {
        return puts(mark) < 0 ? 1 : 0;
    }
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        return print_help(name, program);
    }
    if (argc <= 1) {
        return program->main != NULL
                   ? serve(program)
                   : complain(name,
                              "nothing to serve: add module/main.dever with "
                              "`main() () { dever.job.serve() }`, or give a command "
                              "(`%s --help` lists them)",
                              name);
    }
    if (argc == 2 && command_find(program, str_from(argv[1])) == NULL) {
        return unknown_command(name, program, argv[1]);
    }
    if (argc == 2) {
        return complain(name,
                        "the command `%s` needs its input: a JSON object such as '{}', or - for "
                        "standard input",
                        argv[1]);
    }
    if (argc > 3) {
        return complain(name, "expected a command and one JSON object, found %d arguments",
                        argc - 1);
    }
    return run_command(name, program, argv[1], argv[2]);
}
