/* compiler/source/source.h: the files of a project, and places in them.
 *
 * A file's path decides what it is: component, domain, role and topic. Places are byte offsets;
 * lines and columns are counted only when something is printed. */
#ifndef COMPILER_SOURCE_SOURCE_H
#define COMPILER_SOURCE_SOURCE_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

typedef enum Role {
    ROLE_NONE, /* the path does not say; reported as C003 */
    ROLE_APP,
    ROLE_DOMAIN,
    ROLE_MODEL,
    ROLE_PORT,
    ROLE_ADAPTER,
    ROLE_API,
    ROLE_JOB,
    ROLE_TEST,
    ROLE_MAIN,
    ROLE_LIBRARY, /* a signature file of a standard package */
    ROLE_COUNT
} Role;

/* "app", "domain", … as written in paths; static. */
Str role_name(Role role);

typedef struct SourceFile {
    Str path; /* shown to people: "module/content/article/app.dever"; arena */
    Str text; /* the whole file, UTF-8; arena */
    Role role;
    Str component;  /* "content"; empty for main and library files */
    Str domain;     /* "article" */
    Str topic;      /* "" for a role file, else the path below the role, dots between the parts */
    Str package;    /* "content.article.app" + ".topic"; library: "text", "dever.time" */
    uint32_t index; /* position in Project.files */
    const uint32_t
        *lines; /* offsets of line starts; NULL: counted by scanning. source_index_lines */
    uint32_t line_count;
} SourceFile;

/* A file of the given path and text (both borrowed), lines indexed; the other fields are empty. */
SourceFile *source_file_new(Arena *arena, Str path, Str text);
/* Builds the table of line starts, which makes source_place fast. A line ends with LF, CR LF or CR. */
void source_index_lines(Arena *arena, SourceFile *file);

/* The bytes [from, to) of a file. A Span of zeros means "no place". */
typedef struct Span {
    const SourceFile *file;
    uint32_t from;
    uint32_t to;
} Span;

/* The smallest span that holds both (of one file). */
Span span_join(Span a, Span b);
/* The bytes of the span: view of the file's text. */
Str span_text(Span span);

typedef struct Place {
    uint32_t line;   /* from 1 */
    uint32_t column; /* from 1, in Unicode scalar values */
} Place;

/* Where an offset stands in its file. */
Place source_place(const SourceFile *file, uint32_t offset);
/* The line (without its end) that holds the offset: view of the file's text. */
Str source_line(const SourceFile *file, uint32_t offset);

typedef struct Project {
    Str root;                /* as given on the command line */
    VEC(SourceFile *) files; /* in order of path; module/ first, then test/ */
} Project;

#endif
