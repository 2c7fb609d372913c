#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "compiler/check/check.h"
#include "compiler/command/command.h"
#include "compiler/command/compile.h"
#include "compiler/command/make.h"

/* Stands in every program of ours (runtime/lifecycle/main.c), so that a build replaces only those. */
static const char mark[] = "dever-program-v1";

enum { PROGRAM_BYTES_MOST = 512 * 1024 * 1024 };

static bool may_replace(Arena *arena, const char *path) {
    Str bytes;
    if (!file_exists(path)) {
        return true;
    }
    return !file_is_folder(path) && file_read(arena, path, PROGRAM_BYTES_MOST, &bytes) &&
           str_find(bytes, str_from(mark), NULL);
}

typedef struct BuildArguments {
    const char *root;
    const char *output;
    const char *emit_c;
    bool force;
} BuildArguments;

static int read_arguments(int argc, char **argv, BuildArguments *out) {
    static const char *const options[] = {"--output", "--emit-c", "--force", NULL};
    for (int i = 0; i < argc; i++) {
        bool output = strcmp(argv[i], "--output") == 0 || strcmp(argv[i], "-o") == 0;
        bool emit_c = strcmp(argv[i], "--emit-c") == 0;
        if (output || emit_c) {
            if (i + 1 == argc) {
                return command_fail("build: `%s` needs a path behind it", argv[i]);
            }
            *(output ? &out->output : &out->emit_c) = argv[++i];
        } else if (strcmp(argv[i], "--force") == 0) {
            out->force = true;
        } else if (argv[i][0] == '-') {
            return command_unknown_option("build", argv[i], options);
        } else if (out->root == NULL) {
            out->root = argv[i];
        } else {
            return command_fail("build takes one project, found `%s` too", argv[i]);
        }
    }
    if (out->root == NULL || out->output == NULL) {
        return command_fail(
            "build needs a project and an output: `dever build <root> --output <file>`");
    }
    return 0;
}

int command_build(Arena *arena, int argc, char **argv) {
    BuildArguments arguments = {0};
    Compilation compilation;
    if (read_arguments(argc, argv, &arguments) != 0 ||
        !compile_load(arena, arguments.root, false, &compilation)) {
        return 1;
    }
    compile_check(&compilation);
    compile_check_settings(&compilation, arguments.root, false);
    if (compilation.program != NULL) {
        check_hygiene(&compilation.diagnostics, compilation.program);
    }
    int status = compile_report(&compilation, false);
    if (status != 0) {
        return status;
    }
    if (!arguments.force && !may_replace(arena, arguments.output)) {
        return command_fail(
            "%s is there and was not made by `dever build`: choose another file, or say --force",
            arguments.output);
    }
    MakeOptions options = {.emit = {.built_at = clock_wall_ms(), .lines = true},
                           .output = arguments.output,
                           .cache = file_join(arena, arguments.root, ".dever/build"),
                           .keep_c = arguments.emit_c};
    return make_program(arena, compilation.program, &options) ? 0 : 1;
}
