/* compiler/command/run.c: `dever run`: from the last edit to the result, as fast as it goes. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "compiler/check/check.h"
#include "compiler/command/command.h"
#include "compiler/command/compile.h"
#include "compiler/command/make.h"

int command_run(Arena *arena, int argc, char **argv) {
    static const char *const options[] = {"--", NULL};
    const char *root = NULL;
    int i = 0;
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (argv[i][0] == '-') {
            return command_unknown_option("run", argv[i], options);
        }
        if (root != NULL) {
            return command_fail(
                "run takes one project; what is meant for the program stands behind `--`: "
                "`dever run %s -- %s`",
                root, argv[i]);
        }
        root = argv[i];
    }
    if (root == NULL) {
        return command_fail("run needs a project: `dever run <root> [-- <command> '<json>']`");
    }
    Compilation compilation;
    if (!compile_load(arena, root, false, &compilation)) {
        return 1;
    }
    compile_check(&compilation);
    compile_check_settings(&compilation, root, true);
    int status = compile_report(&compilation, false);
    if (status != 0) {
        return status;
    }
    const char *absolute = file_absolute(arena, root);
    const char *cache = file_join(arena, root, ".dever/run");
    MakeOptions make = {
        .emit = {.root = absolute, .lines = true}, .cache = cache, .fast_compile = true};
    const char *program = make_program(arena, compilation.program, &make);
    if (program == NULL) {
        return 1;
    }
    /* The program takes over this process: signals and the exit status are its own. */
    int rest = i < argc ? argc - i - 1 : 0;
    char **arguments = arena_make_n(arena, char *, (size_t)rest + 2);
    arguments[0] = (char *)(uintptr_t)program;
    for (int j = 0; j < rest; j++) {
        arguments[j + 1] = argv[i + 1 + j];
    }
    execv(program, arguments);
    return command_fail("%s cannot be started: %s", program, strerror(errno));
}
