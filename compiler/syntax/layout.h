/* compiler/syntax/layout.h: a small pretty-printer.
 *
 * A caller appends texts, breaks and groups; layout_print() then decides for each group whether it
 * stays on one line. Break marks act on the innermost group: soft breaks and indents mean something
 * only where it is broken.
 *
 * A group is printed flat when nothing in it forces a line end and it fits into LAYOUT_WIDTH
 * columns from where it starts; text behind it is not measured. */
#ifndef COMPILER_SYNTAX_LAYOUT_H
#define COMPILER_SYNTAX_LAYOUT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

enum { LAYOUT_WIDTH = 88, LAYOUT_INDENT = 2 };

typedef struct Layout Layout;

/* The arena must be unlimited; it holds the layout and must hold the texts. */
Layout *layout_new(Arena *arena);

void layout_text(Layout *layout, Str text);
void layout_space(Layout *layout);            /* nothing at the start of a line */
void layout_line(Layout *layout);             /* a line end; breaks every group around it */
void layout_blank(Layout *layout);            /* the same, and one empty line */
void layout_soft(Layout *layout, bool space); /* a line end, or a space or nothing when flat */
void layout_indent(Layout *layout);
void layout_dedent(Layout *layout);

/* A comment on a line of its own, and one behind what precedes; both end their line. */
void layout_comment(Layout *layout, Str text);
void layout_trailing(Layout *layout, Str text);

/* Groups nest; the number stays valid. A group closes with its indentation as it was. */
size_t layout_open(Layout *layout);
void layout_close(Layout *layout);

/* A list whose last element is a block may hug it: `f(a, {` members `})`. It does when it cannot be
 * flat and the part up to the brace fits. Call begin before the element, brace right behind its
 * opening brace with the block's group, end behind the element. */
void layout_hug_begin(Layout *layout, size_t list);
void layout_hug_brace(Layout *layout, size_t list, size_t block);
void layout_hug_end(Layout *layout, size_t list);

void layout_print(Layout *layout, Buf *out);

#endif
