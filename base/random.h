/* base/random.h: random bytes from the kernel. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include "base/base.h"

/* Fills the bytes from getrandom(2). It cannot fail on a kernel that has started; a kernel without it
 * ends the process. Any thread. */
void random_bytes(void *out, size_t size);
/* A number from 0 to limit - 1 without bias; limit is at least 1. */
uint64_t random_below(uint64_t limit);

#endif
