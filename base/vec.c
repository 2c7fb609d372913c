/* base/vec.c: the part of a vector that does not depend on its type. */
#include "base/vec.h"

#include <string.h>

void *vec_grow(Arena *arena, const void *items, size_t size, size_t count, size_t *capacity) {
    size_t wanted = count < 4 ? 8 : count * 2;
    void *grown = arena_alloc_n(arena, wanted, size, _Alignof(max_align_t));
    if (count > 0) {
        memcpy(grown, items, count * size);
    }
    *capacity = wanted;
    return grown;
}
