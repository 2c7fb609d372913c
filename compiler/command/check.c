/* compiler/command/check.c: `dever check`: silence, or everything that is wrong. */
#include <string.h>

#include "compiler/command/command.h"
#include "compiler/command/compile.h"

int command_check(Arena *arena, int argc, char **argv) {
    static const char *const options[] = {"--json", NULL};
    const char *root = NULL;
    bool json = false;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            json = true;
        } else if (argv[i][0] == '-') {
            return command_unknown_option("check", argv[i], options);
        } else if (root == NULL) {
            root = argv[i];
        } else {
            return command_fail("check takes one project, found `%s` too", argv[i]);
        }
    }
    if (root == NULL) {
        return command_fail("check needs a project: `dever check <root>`");
    }
    Compilation compilation;
    if (!compile_load(arena, root, false, &compilation)) {
        return 1;
    }
    compile_check(&compilation);
    compile_check_settings(&compilation, root, false);
    return compile_report(&compilation, json);
}
