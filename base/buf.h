/* base/buf.h: a growing byte buffer on the heap, with a limit.
 *
 * A buffer remembers its first failure (no memory, limit reached): later writes do nothing, and
 * buf_ok() tells at the end. So writers need no check at each step. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/base.h"
#include "base/str.h"

typedef struct Buf {
    char *data; /* NUL-terminated when not NULL */
    size_t len;
    size_t capacity;
    size_t limit; /* 0: no limit but memory */
    bool failed;
} Buf;

/* A Buf of zeros is a valid empty buffer without a limit; buf_done() frees it. */
void buf_done(Buf *buf);
void buf_clear(Buf *buf); /* keeps the memory, forgets the failure */

void buf_add(Buf *buf, Str text);
void buf_add_char(Buf *buf, char c);
void buf_format(Buf *buf, const char *format, ...) PRINTF_LIKE(2, 3);

bool buf_ok(const Buf *buf);
/* View of the content, valid until the next write. */
Str buf_str(const Buf *buf);

#endif
