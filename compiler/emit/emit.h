/* compiler/emit/emit.h: from the checked program to C text. */
#ifndef COMPILER_EMIT_EMIT_H
#define COMPILER_EMIT_EMIT_H

#include "base/buf.h"
#include "compiler/program/program.h"

typedef struct EmitOptions {
    const char *root; /* put into the program as the place of config/ and data/; NULL: beside it */
    int64_t built_at; /* epoch milliseconds; 0: time of the start */
    bool lines;       /* #line directives that point at the .dever files */
} EmitOptions;

/* One generated file. The text belongs to the caller (buf_done). */
typedef struct EmittedFile {
    Str name; /* "content_article.c", "program.h", "main.c", "program.sql"; arena */
    Buf text;
} EmittedFile;

typedef VEC(EmittedFile) EmittedFiles;

/* Writes the whole program. The same program and options give the same bytes. */
EmittedFiles emit_program(const Program *program, const EmitOptions *options);

#endif
