#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buf_done(Buf *buf) {
    free(buf->data);
    *buf = (Buf){0};
}

void buf_clear(Buf *buf) {
    buf->len = 0;
    buf->failed = false;
    if (buf->data != NULL) {
        buf->data[0] = 0;
    }
}

/* Makes room for `more` bytes and a NUL; false and failed when that cannot be. */
static bool reserve(Buf *buf, size_t more) {
    if (buf->failed) {
        return false;
    }
    if (more > SIZE_MAX / 4 - buf->len || (buf->limit != 0 && more > buf->limit - buf->len)) {
        buf->failed = true;
        return false;
    }
    size_t needed = buf->len + more + 1;
    if (needed <= buf->capacity) {
        return true;
    }
    size_t capacity = buf->capacity == 0 ? 64 : buf->capacity;
    while (capacity < needed) {
        capacity *= 2;
    }
    char *data = realloc(buf->data, capacity);
    if (data == NULL) {
        buf->failed = true;
        return false;
    }
    buf->data = data;
    buf->capacity = capacity;
    return true;
}

void buf_add(Buf *buf, Str text) {
    if (!reserve(buf, text.len)) {
        return;
    }
    if (text.len > 0) {
        memcpy(buf->data + buf->len, text.ptr, text.len);
    }
    buf->len += text.len;
    buf->data[buf->len] = 0;
}

void buf_add_char(Buf *buf, char c) {
    buf_add(buf, (Str){&c, 1});
}

void buf_format(Buf *buf, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        buf->failed = true;
        return;
    }
    if (!reserve(buf, (size_t)length)) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(buf->data + buf->len, (size_t)length + 1, format, arguments);
    va_end(arguments);
    buf->len += (size_t)length;
}

bool buf_ok(const Buf *buf) {
    return !buf->failed;
}

Str buf_str(const Buf *buf) {
    return (Str){buf->data == NULL ? "" : buf->data, buf->len};
}
