/* base/vec.h: typed growing arrays in an arena.
 *
 *     typedef VEC(int) Numbers;
 *     Numbers numbers = {0};
 *     vec_push(arena, &numbers, 7);
 *
 * The array belongs to the arena; growing leaves the old block there. Only for arenas made by
 * arena_new_unlimited(): a push cannot fail. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/arena.h"

#define VEC(Type)        \
    struct {             \
        Type *items;     \
        size_t count;    \
        size_t capacity; \
    }

#define vec_push(arena, vec, value)                                                    \
    ((vec)->count == (vec)->capacity                                                   \
         ? (void)((vec)->items = vec_grow((arena), (vec)->items, sizeof *(vec)->items, \
                                          (vec)->count, &(vec)->capacity))             \
         : (void)0,                                                                    \
     (void)((vec)->items[(vec)->count++] = (value)))

/* A larger copy of an array of `count` elements; sets *capacity. Used by vec_push. */
void *vec_grow(Arena *arena, const void *items, size_t size, size_t count, size_t *capacity);

#endif
