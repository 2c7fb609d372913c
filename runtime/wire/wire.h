/* runtime/wire/wire.h: values as JSON, led by the descriptions of their types.
 *
 * Job payloads, command inputs and outputs. Strict both ways: what has no wire form is refused, decoding
 * takes exactly the fields of a record (a missing nullable field reads as null), and the limits of
 * contract/job_limits.h hold. Encodings: Int, Duration and ids as integers; Float as a number; Decimal,
 * Text, Id, Uuid, DateTime, Date and Time as strings; Json as itself. */
#ifndef RUNTIME_WIRE_WIRE_H
#define RUNTIME_WIRE_WIRE_H

#include <dever/scope.h>

#include "base/buf.h"
#include "base/json_reader.h"

/* Path and message; the message never holds a value. */
typedef JsonError WireError;

/* Reads one value of `type` into *out; what it points to lives in the scope's arena. */
bool wire_decode(dv_scope *s, const dv_type *type, Str json, void *out, WireError *error);
/* Appends the value; the limit of the buffer bounds the text. On failure the buffer's content is not
 * to be used. */
bool wire_encode(const dv_type *type, const void *value, Buf *out, WireError *error);

#endif
