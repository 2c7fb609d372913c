/* runtime/value/text.c: Text and the package `text`. A Text is always valid UTF-8. */
#include "runtime/value/text.h"

#include <dever/package.h>

#include <string.h>

#include "base/utf8.h"
#include "runtime/task/scope.h"
#include "runtime/value/letter.h"
#include "runtime/value/list.h"

Str text_str(dv_text text) {
    return (Str){text.ptr == NULL ? "" : text.ptr, text.len};
}

static dv_text text_of(Str s) {
    return (dv_text){s.ptr, s.len};
}

bool text_copy(dv_scope *s, Str text, dv_text *out) {
    char *copy = dv_new(s, text.len + 1);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, text.ptr, text.len);
    *out = (dv_text){copy, text.len};
    return true;
}

Buf text_buf(void) {
    return (Buf){.limit = SCOPE_MEMORY_MOST};
}

bool text_take(dv_scope *s, Buf *buf, dv_text *out) {
    bool ok = buf_ok(buf) ? text_copy(s, buf_str(buf), out) : dv_fault(s, DV_FAULT_MEMORY, "Text");
    buf_done(buf);
    return ok;
}

/* ---- of the language ---- */

bool dv_text_equal(dv_text a, dv_text b) {
    return str_equal(text_str(a), text_str(b));
}

int64_t dv_text_length(dv_text text) {
    return (int64_t)utf8_count(text_str(text));
}

bool dv_text_concat(dv_scope *s, dv_text a, dv_text b, dv_text *out) {
    if (b.len == 0 || a.len == 0) {
        *out = b.len == 0 ? a : b;
        return true;
    }
    size_t length = a.len + b.len;
    char *joined = (char *)(uintptr_t)a.ptr; /* bytes behind a are free when a is the newest */
    if (!arena_extend(s->arena, joined, a.len, length)) {
        joined = dv_new(s, length * 2);
        if (joined == NULL) {
            return false;
        }
        arena_extend(s->arena, joined, length * 2, length); /* leaves room for the next one */
        memcpy(joined, a.ptr, a.len);
    }
    memcpy(joined + a.len, b.ptr, b.len);
    *out = (dv_text){joined, length};
    return true;
}

/* ---- package text ---- */

bool dv_text_trim(dv_scope *s, dv_text value, dv_text *result) {
    (void)s;
    Str text = text_str(value);
    size_t from = text.len;
    size_t to = 0;
    uint32_t scalar;
    for (size_t at = 0, start = 0; utf8_next(text, &at, &scalar); start = at) {
        if (!letter_is_white(scalar)) {
            from = start < from ? start : from;
            to = at;
        }
    }
    *result = text_of(str_slice(text, from, to));
    return true;
}

bool dv_text_lower(dv_scope *s, dv_text value, dv_text *result) {
    Buf out = text_buf();
    letter_lower(text_str(value), &out);
    return text_take(s, &out, result);
}

bool dv_text_upper(dv_scope *s, dv_text value, dv_text *result) {
    Buf out = text_buf();
    uint32_t scalar;
    for (size_t at = 0; utf8_next(text_str(value), &at, &scalar);) {
        letter_upper(scalar, &out);
    }
    return text_take(s, &out, result);
}

bool dv_text_contains(dv_scope *s, dv_text value, dv_text part, bool *result) {
    (void)s;
    *result = str_find(text_str(value), text_str(part), NULL);
    return true;
}

bool dv_text_starts_with(dv_scope *s, dv_text value, dv_text part, bool *result) {
    (void)s;
    *result = str_starts_with(text_str(value), text_str(part));
    return true;
}

bool dv_text_ends_with(dv_scope *s, dv_text value, dv_text part, bool *result) {
    (void)s;
    *result = str_ends_with(text_str(value), text_str(part));
    return true;
}

bool dv_text_index_of(dv_scope *s, dv_text value, dv_text part, dv_maybe_int *result) {
    (void)s;
    size_t at = 0;
    bool found = str_find(text_str(value), text_str(part), &at);
    *result =
        (dv_maybe_int){.present = found,
                       .value = found ? (int64_t)utf8_count(str_slice(text_str(value), 0, at)) : 0};
    return true;
}

bool dv_text_slice(dv_scope *s, dv_text value, int64_t start, int64_t end, dv_maybe_text *result) {
    (void)s;
    *result = (dv_maybe_text){0};
    Str text = text_str(value);
    if (start < 0 || start > end || end > (int64_t)utf8_count(text)) {
        return true;
    }
    Str part = str_slice(text, utf8_offset(text, (size_t)start), utf8_offset(text, (size_t)end));
    *result = (dv_maybe_text){.present = true, .value = text_of(part)};
    return true;
}

/* Where the next piece ends: at the separator, or behind one scalar when it is empty. */
static bool next_piece(Str rest, Str separator, size_t *out_end) {
    if (separator.len > 0) {
        return str_find(rest, separator, out_end);
    }
    *out_end = utf8_offset(rest, 1);
    return *out_end < rest.len;
}

bool dv_text_split(dv_scope *s, dv_text value, dv_text separator, dv_list *result) {
    Str rest = text_str(value);
    Str mark = text_str(separator);
    dv_list pieces = {0};
    size_t end;
    if (rest.len == 0 && mark.len == 0) {
        *result = pieces;
        return true;
    }
    while (next_piece(rest, mark, &end)) {
        dv_text piece = text_of(str_slice(rest, 0, end));
        if (!dv_step(s) || !list_push(s, &dv_type_text, &pieces, &piece)) {
            return false;
        }
        rest = str_slice(rest, end + mark.len, rest.len);
    }
    dv_text last = text_of(rest);
    if (!list_push(s, &dv_type_text, &pieces, &last)) {
        return false;
    }
    *result = pieces;
    return true;
}

bool dv_text_join(dv_scope *s, dv_list parts, dv_text separator, dv_text *result) {
    Buf out = text_buf();
    for (int64_t i = 0; i < parts.length; i++) {
        if (i > 0) {
            buf_add(&out, text_str(separator));
        }
        buf_add(&out, text_str(DV_ITEM(parts, dv_text, i)));
    }
    return text_take(s, &out, result);
}

bool dv_text_replace(dv_scope *s, dv_text value, dv_text from, dv_text to, dv_text *result) {
    Buf out = text_buf();
    Str rest = text_str(value);
    Str pattern = text_str(from);
    size_t end;
    if (pattern.len == 0) { /* around every scalar */
        buf_add(&out, text_str(to));
    }
    while (rest.len > 0 && (pattern.len == 0 ? (end = utf8_offset(rest, 1), true)
                                             : str_find(rest, pattern, &end))) {
        buf_add(&out, str_slice(rest, 0, end));
        buf_add(&out, text_str(to));
        rest = str_slice(rest, end + pattern.len, rest.len);
    }
    buf_add(&out, rest);
    return text_take(s, &out, result);
}

bool dv_text_is_empty(dv_scope *s, dv_text value, bool *result) {
    (void)s;
    *result = value.len == 0;
    return true;
}
