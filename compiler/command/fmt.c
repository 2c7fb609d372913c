/* compiler/command/fmt.c: all files or none: nothing is written when one does not parse. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "compiler/command/command.h"
#include "compiler/command/compile.h"
#include "compiler/syntax/formatter.h"

/* Formats every file into `texts`; false after a message. */
static bool format_all(const Compilation *compilation, Buf *texts) {
    for (size_t i = 0; i < compilation->trees.count; i++) {
        if (!formatter_format(compilation->trees.items[i], &texts[i]) || !buf_ok(&texts[i])) {
            command_fail(STR_FMT " cannot be formatted",
                         STR_ARG(compilation->trees.items[i]->file->path));
            return false;
        }
    }
    return true;
}

static int write_all(Arena *arena, const Compilation *compilation, const char *root,
                     const Buf *texts, bool check) {
    int status = 0;
    for (size_t i = 0; i < compilation->trees.count; i++) {
        const SourceFile *file = compilation->trees.items[i]->file;
        if (str_equal(file->text, buf_str(&texts[i]))) {
            continue;
        }
        if (check) {
            printf(STR_FMT "\n", STR_ARG(file->path));
            status = 1;
            continue;
        }
        const char *path = file_join(arena, root, str_cstr(arena, file->path));
        if (!file_write(path, buf_str(&texts[i]), 0644)) {
            return command_fail("%s cannot be written: %s", path, strerror(errno));
        }
    }
    return status;
}

int command_fmt(Arena *arena, int argc, char **argv) {
    static const char *const options[] = {"--check", NULL};
    const char *root = NULL;
    bool check = false;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--check") == 0) {
            check = true;
        } else if (argv[i][0] == '-') {
            return command_unknown_option("fmt", argv[i], options);
        } else if (root == NULL) {
            root = argv[i];
        } else {
            return command_fail("fmt takes one project, found `%s` too", argv[i]);
        }
    }
    if (root == NULL) {
        return command_fail("fmt needs a project: `dever fmt <root> [--check]`");
    }
    Compilation compilation;
    if (!compile_load(arena, root, true, &compilation)) {
        return 1;
    }
    int status = compile_report(&compilation, false);
    if (status != 0) {
        return status;
    }
    Buf *texts = arena_make_n(arena, Buf, compilation.trees.count);
    status =
        format_all(&compilation, texts) ? write_all(arena, &compilation, root, texts, check) : 1;
    for (size_t i = 0; i < compilation.trees.count; i++) {
        buf_done(&texts[i]);
    }
    return status;
}
