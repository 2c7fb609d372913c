/* base/arena.h: memory that is freed all at once.
 *
 * An arena hands out zeroed memory from growing blocks; nothing is freed one by one. It belongs to
 * one thread at a time. The compiler uses one arena per compilation made by arena_new_unlimited();
 * the runtime uses one per invocation made by arena_new() with a limit, so that running out of
 * memory is an error like any other there. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/base.h"

typedef struct Arena Arena;

/* A position to rewind to. */
typedef struct ArenaMark {
    void *block;
    size_t used;
    size_t total;
} ArenaMark;

/* An arena that holds at most `limit` bytes; beyond it arena_alloc returns NULL. NULL without memory. */
Arena *arena_new(size_t limit);
/* An arena whose arena_alloc never returns NULL: without memory the process prints one line on
 * stderr and exits with 70. For command-line tools, never for a server. */
Arena *arena_new_unlimited(void);
/* Frees the arena and all it handed out. Accepts NULL. */
void arena_free(Arena *arena);

/* Zeroed memory of `size` bytes at a multiple of `align` (a power of two, at most 64). A size of 0
 * gives a valid, unique-or-not pointer. NULL at the limit. */
void *arena_alloc(Arena *arena, size_t size, size_t align);
/* The same for `count` elements, with the multiplication checked. */
void *arena_alloc_n(Arena *arena, size_t count, size_t size, size_t align);
/* Grows the block at `old` in place when it was the last one handed out and there is room; returns
 * false otherwise and changes nothing. Shrinking always works for the last block. */
bool arena_extend(Arena *arena, void *old, size_t old_size, size_t new_size);

ArenaMark arena_mark(const Arena *arena);
/* Frees what was handed out since the mark. */
void arena_rewind(Arena *arena, ArenaMark mark);
/* Frees everything, keeps the first block for reuse. */
void arena_reset(Arena *arena);
/* Bytes handed out and not rewound, padding included. */
size_t arena_used(const Arena *arena);

#define arena_make(arena, Type) ((Type *)arena_alloc((arena), sizeof(Type), _Alignof(Type)))
#define arena_make_n(arena, Type, count) \
    ((Type *)arena_alloc_n((arena), (count), sizeof(Type), _Alignof(Type)))

#endif
