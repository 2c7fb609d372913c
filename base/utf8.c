/* base/utf8.c: one strict decoder; everything that must not trust its bytes goes through utf8_next(). The
 * functions for valid text only count the bytes that start a sequence. */
#include "base/utf8.h"

bool utf8_next(Str s, size_t *at, uint32_t *out_scalar) {
    if (*at >= s.len) {
        return false;
    }
    const unsigned char *p = (const unsigned char *)s.ptr + *at;
    size_t left = s.len - *at;
    uint32_t scalar = p[0];
    size_t length = p[0] < 0x80   ? 1
                    : p[0] < 0xC2 ? 0
                    : p[0] < 0xE0 ? 2
                    : p[0] < 0xF0 ? 3
                    : p[0] < 0xF5 ? 4
                                  : 0;
    if (length == 0 || length > left) {
        return false;
    }
    if (length > 1) {
        scalar &= 0xFFu >> (length + 1);
        for (size_t i = 1; i < length; i++) {
            if ((p[i] & 0xC0) != 0x80) {
                return false;
            }
            scalar = scalar << 6 | (p[i] & 0x3Fu);
        }
    }
    if ((length == 3 && scalar < 0x800) ||
        (length == 4 && (scalar < 0x10000 || scalar > 0x10FFFF)) ||
        (scalar >= 0xD800 && scalar <= 0xDFFF)) {
        return false;
    }
    *at += length;
    *out_scalar = scalar;
    return true;
}

bool utf8_valid(Str s, size_t *out_at) {
    size_t at = 0;
    uint32_t scalar;
    while (at < s.len) {
        if (!utf8_next(s, &at, &scalar)) {
            if (out_at != NULL) {
                *out_at = at;
            }
            return false;
        }
    }
    return true;
}

size_t utf8_encode(uint32_t scalar, char out[4]) {
    if (scalar < 0x80) {
        out[0] = (char)scalar;
        return 1;
    }
    if (scalar < 0x800) {
        out[0] = (char)(0xC0 | scalar >> 6);
        out[1] = (char)(0x80 | (scalar & 0x3F));
        return 2;
    }
    if (scalar < 0x10000) {
        if (scalar >= 0xD800 && scalar <= 0xDFFF) {
            return 0;
        }
        out[0] = (char)(0xE0 | scalar >> 12);
        out[1] = (char)(0x80 | (scalar >> 6 & 0x3F));
        out[2] = (char)(0x80 | (scalar & 0x3F));
        return 3;
    }
    if (scalar > 0x10FFFF) {
        return 0;
    }
    out[0] = (char)(0xF0 | scalar >> 18);
    out[1] = (char)(0x80 | (scalar >> 12 & 0x3F));
    out[2] = (char)(0x80 | (scalar >> 6 & 0x3F));
    out[3] = (char)(0x80 | (scalar & 0x3F));
    return 4;
}

static bool starts_sequence(char c) {
    return ((unsigned char)c & 0xC0) != 0x80;
}

size_t utf8_count(Str s) {
    size_t count = 0;
    for (size_t i = 0; i < s.len; i++) {
        count += starts_sequence(s.ptr[i]);
    }
    return count;
}

size_t utf8_offset(Str s, size_t index) {
    for (size_t i = 0; i < s.len; i++) {
        if (starts_sequence(s.ptr[i]) && index-- == 0) {
            return i;
        }
    }
    return s.len;
}

Str utf8_cut(Str s, size_t most) {
    if (s.len <= most) {
        return s;
    }
    while (most > 0 && !starts_sequence(s.ptr[most])) {
        most--;
    }
    return str_slice(s, 0, most);
}
