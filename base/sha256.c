/* base/sha256.c: the one place that knows where the hash comes from. */
#include "base/sha256.h"

#include <sodium.h>

_Static_assert(SHA256_HEX_SIZE == 2 * crypto_hash_sha256_BYTES + 1, "hex of the whole hash");

void sha256_hex(Str bytes, char out[SHA256_HEX_SIZE]) {
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, (const unsigned char *)bytes.ptr, bytes.len);
    sodium_bin2hex(out, SHA256_HEX_SIZE, hash, sizeof hash);
}
