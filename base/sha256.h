/* base/sha256.h: SHA-256 (FIPS 180-4), by libsodium. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include "base/str.h"

enum { SHA256_HEX_SIZE = 65 }; /* 64 digits and a NUL */

/* The hash of the bytes in lower-case hex. */
void sha256_hex(Str bytes, char out[SHA256_HEX_SIZE]);

#endif
