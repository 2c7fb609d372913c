/* runtime/value/text.h: between dv_text of the door and the texts of base. */
#ifndef RUNTIME_VALUE_TEXT_H
#define RUNTIME_VALUE_TEXT_H

#include <dever/collection.h>

#include "base/buf.h"

/* The same bytes as a slice. */
Str text_str(dv_text text);
/* A copy in the scope's arena, followed by a hidden NUL; false after a fault. */
bool text_copy(dv_scope *s, Str text, dv_text *out);
/* An empty buffer that can grow to what an arena can hold. */
Buf text_buf(void);
/* A copy of a buffer's content in the arena; empties the buffer in any case. */
bool text_take(dv_scope *s, Buf *buf, dv_text *out);

#endif
