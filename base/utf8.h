/* base/utf8.h: UTF-8 as RFC 3629 defines it: no surrogates, no overlong forms, nothing above U+10FFFF. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/str.h"

/* Is every byte part of a valid sequence? When not, *out_at (may be NULL) is where the first bad
 * sequence starts. */
bool utf8_valid(Str s, size_t *out_at);
/* Reads the scalar value at *at and moves *at behind it. False at the end or at a bad sequence. */
bool utf8_next(Str s, size_t *at, uint32_t *out_scalar);
/* Writes the sequence of a scalar value; returns its length, 0 for what is no scalar value. */
size_t utf8_encode(uint32_t scalar, char out[4]);
/* Number of scalar values of a valid text. */
size_t utf8_count(Str s);
/* Byte offset of the scalar value with this index; s.len when there are fewer. */
size_t utf8_offset(Str s, size_t index);
/* The longest prefix of at most `most` bytes that ends between scalar values. */
Str utf8_cut(Str s, size_t most);

#endif
