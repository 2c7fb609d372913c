/* compiler/command/make.h: from a checked program to a native one. */
#ifndef COMPILER_COMMAND_MAKE_H
#define COMPILER_COMMAND_MAKE_H

#include "compiler/emit/emit.h"

typedef struct MakeOptions {
    EmitOptions emit;
    const char *output; /* the program; NULL: it stands in the cache too */
    const char *cache;  /* folder of objects, kept between calls */
    const char *keep_c; /* folder to leave the C in; NULL: none */
    bool fast_compile;  /* tcc where it is installed, else cc -O0; otherwise cc -O2 */
} MakeOptions;

/* Emits, compiles and links; what is in the cache is not made again. Returns the path of the program, or
 * NULL after a line on standard error. */
const char *make_program(Arena *arena, const Program *program, const MakeOptions *options);

#endif
