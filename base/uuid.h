/* base/uuid.h: UUIDs (RFC 9562). */
#ifndef BASE_UUID_H
#define BASE_UUID_H

#include "base/str.h"

typedef struct Uuid {
    uint8_t bytes[16];
} Uuid;

enum { UUID_TEXT_SIZE = 37 }; /* 36 characters and a NUL */

/* The canonical 8-4-4-4-12 form in any case. */
bool uuid_parse(Str text, Uuid *out);
/* The canonical form in lower case, with its NUL. */
void uuid_text(Uuid uuid, char out[UUID_TEXT_SIZE]);
/* Version 7: 48 bits of epoch milliseconds, the rest random. Any thread. */
Uuid uuid_v7(int64_t epoch_ms);

#endif
