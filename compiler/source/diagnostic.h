/* compiler/source/diagnostic.h: what the compiler says about a program.
 *
 * Every code stands once, in codes.def. A message names what is wrong and, where it can, a help line
 * says what to write instead. One mistake gives one message: whoever reports marks what failed (an
 * error type, a NULL declaration), and whoever meets that mark is silent. */
#ifndef COMPILER_SOURCE_DIAGNOSTIC_H
#define COMPILER_SOURCE_DIAGNOSTIC_H

#include "base/buf.h"
#include "compiler/source/source.h"

typedef enum Code {
#define CODE(id, severity, title) CODE_##id,
#include "compiler/source/codes.def"
#undef CODE
    CODE_COUNT
} Code;

typedef enum Severity { SEVERITY_ERROR, SEVERITY_WARNING } Severity;

Str code_name(Code code); /* "C009"; static */
Severity code_severity(Code code);
Str code_title(Code code); /* a few words on the family; static */
bool code_find(Str name, Code *out_code);

typedef struct Note {
    Span span;
    Str text;
} Note;

typedef struct Diagnostic {
    Code code;
    Span span; /* the smallest text that is wrong */
    Str text;
    Str help; /* empty when there is none */
    VEC(Note) notes;
} Diagnostic;

/* All messages of one compilation. The arena must be unlimited. */
typedef struct Diagnostics {
    Arena *arena;
    VEC(Diagnostic *) items;
    size_t errors;
    size_t warnings;
} Diagnostics;

/* Adds a message; the text is printf-formatted into the arena. Never NULL. */
Diagnostic *diagnostic_add(Diagnostics *all, Code code, Span span, const char *format, ...)
    PRINTF_LIKE(4, 5);
/* Sets the help line ("add a clause such as `grade(score: Int >= 60)`"). */
void diagnostic_help(Diagnostics *all, Diagnostic *diagnostic, const char *format, ...)
    PRINTF_LIKE(3, 4);
/* Adds a second place ("first declared here"). */
void diagnostic_note(Diagnostics *all, Diagnostic *diagnostic, Span span, const char *format, ...)
    PRINTF_LIKE(4, 5);

/* Sorts by file, start, end, code and drops exact doubles. Call once before rendering. */
void diagnostics_sort(Diagnostics *all);

typedef enum DiagnosticStyle {
    DIAGNOSTIC_UNICODE, /* box lines and a caret, for people */
    DIAGNOSTIC_ASCII,   /* the same without characters beyond ASCII */
    DIAGNOSTIC_JSON     /* one object a line, for editors */
} DiagnosticStyle;

/* Renders one message: header line, place, source line with a caret under the span, notes, help. The
 * styles for people end with an empty line, so that messages can be printed one after another. Long
 * lines are cut around the span; control characters of the source never reach the terminal. */
void diagnostic_render(Buf *out, const Diagnostic *diagnostic, DiagnosticStyle style, bool colour);

#endif
