/* compiler/command/job.c: `dever job schema`: the stored form of every job's input, and its fingerprint. */
#include <stdio.h>
#include <string.h>

#include "compiler/command/command.h"
#include "compiler/command/compile.h"

int command_job(Arena *arena, int argc, char **argv) {
    if (argc != 2 || strcmp(argv[0], "schema") != 0) {
        return command_fail("expected `dever job schema <root>`");
    }
    Compilation compilation;
    if (!compile_load(arena, argv[1], false, &compilation)) {
        return 1;
    }
    compile_check(&compilation);
    int status = compile_report(&compilation, false);
    for (size_t i = 0; status == 0 && i < compilation.program->jobs.count; i++) {
        const Job *job = compilation.program->jobs.items[i];
        printf(STR_FMT "\n  " STR_FMT "\n  " STR_FMT "\n", STR_ARG(job->target),
               STR_ARG(job->fingerprint), STR_ARG(job->schema));
    }
    return status;
}
