/* runtime/value/letter.h: capitals, small letters and blanks, as Unicode defines them. */
#ifndef RUNTIME_VALUE_LETTER_H
#define RUNTIME_VALUE_LETTER_H

#include "base/buf.h"

/* The White_Space property. */
bool letter_is_white(uint32_t scalar);
/* Appends the full upper case mapping of a scalar value: ß gives SS. */
void letter_upper(uint32_t scalar, Buf *out);
/* Appends the full lower case mapping of a text; a sigma at the end of a word becomes ς. */
void letter_lower(Str text, Buf *out);

#endif
