/* compiler/command/make.h: from a checked program to a native one. */
#ifndef COMPILER_COMMAND_MAKE_H
#define COMPILER_COMMAND_MAKE_H

#include "compiler/emit/emit.h"

typedef struct MakeOptions {
    EmitOptions emit;
    const char *output; /* the program */
    const char *cache;  /* folder of objects, kept between calls */
    const char *keep_c; /* folder to leave the C in; NULL: none */
    bool fast_compile;  /* tcc where it is installed, else cc -O0; otherwise cc -O2 */
} MakeOptions;

/* Emits, compiles and links. Objects are kept by the hash of their text, so that an unchanged domain is
 * not compiled again. False after a line on standard error. */
bool make_program(Arena *arena, const Program *program, const MakeOptions *options);

#endif
