/* base/str.c: slices never change the bytes they show; only the last functions copy. */
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

Str str_from(const char *text) {
    return text == NULL ? (Str){"", 0} : (Str){text, strlen(text)};
}

bool str_equal(Str a, Str b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

int str_compare(Str a, Str b) {
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common == 0 ? 0 : memcmp(a.ptr, b.ptr, common);
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

bool str_starts_with(Str s, Str prefix) {
    return s.len >= prefix.len && str_equal(str_slice(s, 0, prefix.len), prefix);
}

bool str_ends_with(Str s, Str suffix) {
    return s.len >= suffix.len && str_equal(str_slice(s, s.len - suffix.len, s.len), suffix);
}

Str str_slice(Str s, size_t from, size_t to) {
    if (to > s.len) {
        to = s.len;
    }
    if (from > to) {
        from = to;
    }
    return (Str){s.len == 0 ? s.ptr : s.ptr + from, to - from};
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

Str str_trim(Str s) {
    size_t from = 0;
    size_t to = s.len;
    while (from < to && is_blank(s.ptr[from])) {
        from++;
    }
    while (to > from && is_blank(s.ptr[to - 1])) {
        to--;
    }
    return str_slice(s, from, to);
}

bool str_find(Str s, Str needle, size_t *out_at) {
    if (needle.len > s.len) {
        return false;
    }
    const char *found = needle.len == 0 ? s.ptr : memmem(s.ptr, s.len, needle.ptr, needle.len);
    if (found == NULL && needle.len != 0) {
        return false;
    }
    if (out_at != NULL) {
        *out_at = needle.len == 0 ? 0 : (size_t)(found - s.ptr);
    }
    return true;
}

bool str_find_char(Str s, char wanted, size_t *out_at) {
    return str_find(s, (Str){&wanted, 1}, out_at);
}

bool str_find_last_char(Str s, char wanted, size_t *out_at) {
    for (size_t at = s.len; at > 0; at--) {
        if (s.ptr[at - 1] == wanted) {
            if (out_at != NULL) {
                *out_at = at - 1;
            }
            return true;
        }
    }
    return false;
}

Str str_dup(Arena *arena, Str s) {
    char *copy = arena_alloc(arena, s.len + 1, 1);
    if (copy == NULL) {
        return (Str){NULL, 0};
    }
    if (s.len > 0) {
        memcpy(copy, s.ptr, s.len);
    }
    return (Str){copy, s.len};
}

char *str_cstr(Arena *arena, Str s) {
    if (s.len > 0 && memchr(s.ptr, 0, s.len) != NULL) {
        return NULL;
    }
    char *copy = arena_alloc(arena, s.len + 1, 1);
    if (copy != NULL && s.len > 0) {
        memcpy(copy, s.ptr, s.len);
    }
    return copy;
}

Str str_format(Arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        return (Str){NULL, 0};
    }
    char *text = arena_alloc(arena, (size_t)length + 1, 1);
    if (text == NULL) {
        return (Str){NULL, 0};
    }
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return (Str){text, (size_t)length};
}

uint64_t str_hash(Str s) {
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < s.len; i++) {
        hash = (hash ^ (unsigned char)s.ptr[i]) * 1099511628211u;
    }
    return hash;
}
