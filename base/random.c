/* base/random.c: getrandom(2), in as many pieces as the kernel gives. */
#include "base/random.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

void random_bytes(void *out, size_t size) {
    unsigned char *at = out;
    while (size > 0) {
        ssize_t got = getrandom(at, size, 0);
        if (got < 0) {
            if (errno == EINTR) {
                continue;
            }
            abort();
        }
        at += got;
        size -= (size_t)got;
    }
}

uint64_t random_below(uint64_t limit) {
    /* Values from the last, incomplete round of `limit` would favour small results. */
    uint64_t rest = (UINT64_MAX % limit + 1) % limit;
    uint64_t value;
    do {
        random_bytes(&value, sizeof value);
    } while (value > UINT64_MAX - rest);
    return value % limit;
}
