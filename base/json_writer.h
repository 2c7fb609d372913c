/* base/json_writer.h: compact JSON into a Buf (RFC 8259). Commas and colons are the caller's. */
#ifndef BASE_JSON_WRITER_H
#define BASE_JSON_WRITER_H

#include "base/buf.h"

/* The text between double quotes; control characters as \b \f \n \r \t or \u00xx, all else as it is. */
void json_write_string(Buf *out, Str text);
void json_write_int(Buf *out, int64_t value);
/* The shortest form that reads back to the same double, always with `.0` or an exponent. False when
 * it is not finite; nothing is written then. */
bool json_write_float(Buf *out, double value);

#endif
