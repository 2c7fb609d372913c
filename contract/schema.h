/* contract/schema.h: the canonical schema text of a job's payload and its fingerprint.
 *
 * `()` for no input; a record is `{name:type,…}` with its fields sorted by bytes; `[T]` for a list; `T?`
 * for a nullable; scalars by their names in source; `id<content.article.model>` for a Model's id. The
 * text is exact to the byte and part of what is stored: never change how it is made. */
#ifndef CONTRACT_SCHEMA_H
#define CONTRACT_SCHEMA_H

#include "base/buf.h"
#include "base/str.h"

typedef enum WireKind {
    WIRE_SCALAR,   /* name: "Int", "DateTime", … */
    WIRE_MODEL_ID, /* name: the Model's package */
    WIRE_NULLABLE, /* item */
    WIRE_LIST,     /* item */
    WIRE_RECORD    /* fields */
} WireKind;

typedef struct WireType WireType;

typedef struct WireField {
    Str name;
    const WireType *type;
} WireField;

struct WireType {
    WireKind kind;
    Str name;
    const WireType *item;
    const WireField *fields; /* in any order */
    size_t field_count;
};

enum { SCHEMA_FINGERPRINT_SIZE = 36 }; /* "v1:", 32 hex digits, NUL */

/* Writes the canonical text; `type` NULL: no input. */
void schema_text(const WireType *type, Buf *out);
/* `v1:` and the first 32 hex digits of the SHA-256 of the text. */
void schema_fingerprint(Str text, char out[SCHEMA_FINGERPRINT_SIZE]);

#endif
