/* compiler/command/build.c: `dever build`: one native program, to be copied where it shall run. */
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "compiler/check/check.h"
#include "compiler/command/command.h"
#include "compiler/command/compile.h"
#include "compiler/command/make.h"

enum { PROGRAM_BYTES_MOST = 512 * 1024 * 1024 };

/* Programs of ours hold a mark (runtime/lifecycle/main.c). It is put together here, so that the compiler
 * itself does not hold it. */
static bool may_replace(Arena *arena, const char *path) {
    Str mark = str_format(arena, "%s-v%d", "dever-program", 1);
    Str bytes;
    if (!file_exists(path)) {
        return true;
    }
    return !file_is_folder(path) && file_read(arena, path, PROGRAM_BYTES_MOST, &bytes) &&
           str_find(bytes, mark, NULL);
}

static int check_output(Arena *arena, const char *output, bool force) {
    const char *slash = strrchr(output, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - output);
    const char *folder = str_cstr(arena, (Str){output, length == 0 && slash != NULL ? 1 : length});
    if (slash != NULL && !file_is_folder(folder)) {
        return command_fail("there is no folder %s for the program", folder);
    }
    if (file_is_folder(output)) {
        return command_fail("%s is a folder: --output names the program itself", output);
    }
    if (!force && !may_replace(arena, output)) {
        return command_fail(
            "%s is there and was not made by `dever build`: choose another file, or "
            "say --force",
            output);
    }
    return 0;
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
    if (check_output(arena, arguments.output, arguments.force) != 0) {
        return 1;
    }
    MakeOptions options = {.emit = {.built_at = clock_wall_ms(), .lines = true},
                           .output = arguments.output,
                           .cache = file_join(arena, arguments.root, ".dever/build"),
                           .keep_c = arguments.emit_c};
    return make_program(arena, compilation.program, &options) != NULL ? 0 : 1;
}
