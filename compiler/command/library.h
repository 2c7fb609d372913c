/* compiler/command/library.h: the standard packages' signatures, embedded in the compiler. */
#ifndef COMPILER_COMMAND_LIBRARY_H
#define COMPILER_COMMAND_LIBRARY_H

#include "base/str.h"

typedef struct LibraryFile {
    Str package; /* "text", "dever.time" */
    Str path;    /* for messages */
    Str text;
} LibraryFile;

/* Made from library/ when the compiler is built. */
extern const LibraryFile library_files[];
extern const size_t library_file_count;

#endif
