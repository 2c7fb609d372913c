/* base/arena.c: blocks double from 4 KiB to 1 MiB; a larger request gets a block of its own.
 *
 * Under AddressSanitizer unused block memory is poisoned, so that a use after a rewind or past the
 * end of an allocation is found although it stays inside a block. */
#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif

#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(address, size) ASAN_POISON_MEMORY_REGION(address, size)
#define UNPOISON(address, size) ASAN_UNPOISON_MEMORY_REGION(address, size)
#define GAP 16
#else
#define POISON(address, size) ((void)(address), (void)(size))
#define UNPOISON(address, size) ((void)(address), (void)(size))
#define GAP 0
#endif

enum { BLOCK_FIRST = 4096, BLOCK_MOST = 1024 * 1024, ALIGN_MOST = 64 };

typedef struct Block {
    struct Block *below; /* the block that was current before this one */
    size_t used;
    size_t size; /* of data */
    _Alignas(ALIGN_MOST) unsigned char data[];
} Block;

struct Arena {
    Block *top;
    size_t total; /* bytes handed out in all blocks */
    size_t limit;
    bool exits; /* without memory: print a line and leave */
};

static Arena *arena_make_new(size_t limit, bool exits) {
    Arena *arena = calloc(1, sizeof *arena);
    if (arena == NULL) {
        return NULL;
    }
    arena->limit = limit;
    arena->exits = exits;
    return arena;
}

static NORETURN void out_of_memory(void) {
    fputs("dever: out of memory\n", stderr);
    exit(70);
}

Arena *arena_new(size_t limit) {
    return arena_make_new(limit, false);
}

Arena *arena_new_unlimited(void) {
    Arena *arena = arena_make_new(SIZE_MAX, true);
    if (arena == NULL) {
        out_of_memory();
    }
    return arena;
}

static void drop_top(Arena *arena) {
    Block *top = arena->top;
    arena->top = top->below;
    UNPOISON(top->data, top->size);
    free(top);
}

void arena_free(Arena *arena) {
    if (arena == NULL) {
        return;
    }
    while (arena->top != NULL) {
        drop_top(arena);
    }
    free(arena);
}

static bool add_block(Arena *arena, size_t size) {
    size_t wanted = BLOCK_FIRST;
    if (arena->top != NULL && arena->top->size < BLOCK_MOST) {
        wanted = arena->top->size * 2;
    } else if (arena->top != NULL) {
        wanted = BLOCK_MOST;
    }
    if (wanted < size) {
        wanted = size;
    }
    if (wanted > SIZE_MAX - sizeof(Block) - ALIGN_MOST) {
        return false;
    }
    size_t bytes = (sizeof(Block) + wanted + ALIGN_MOST - 1) / ALIGN_MOST * ALIGN_MOST;
    Block *block = aligned_alloc(ALIGN_MOST, bytes);
    if (block == NULL) {
        return false;
    }
    block->below = arena->top;
    block->used = 0;
    block->size = wanted;
    arena->top = block;
    POISON(block->data, block->size);
    return true;
}

void *arena_alloc(Arena *arena, size_t size, size_t align) {
    size_t padding = 0;
    if (size > SIZE_MAX / 2) {
        goto none;
    }
    if (arena->top != NULL) {
        padding = (align - arena->top->used % align) % align;
    }
    if (arena->total + padding > arena->limit || size > arena->limit - arena->total - padding) {
        goto none;
    }
    if (arena->top == NULL || arena->top->size - arena->top->used < padding ||
        arena->top->size - arena->top->used - padding < size + GAP) {
        padding = 0;
        if (!add_block(arena, size + GAP)) {
            goto none;
        }
    }
    unsigned char *at = arena->top->data + arena->top->used + padding;
    arena->top->used += padding + size + GAP;
    arena->total += padding + size;
    UNPOISON(at, size);
    memset(at, 0, size);
    return at;
none:
    if (arena->exits) {
        out_of_memory();
    }
    return NULL;
}

void *arena_alloc_n(Arena *arena, size_t count, size_t size, size_t align) {
    if (size != 0 && count > SIZE_MAX / 2 / size) {
        return arena_alloc(arena, SIZE_MAX, align);
    }
    return arena_alloc(arena, count * size, align);
}

bool arena_extend(Arena *arena, void *old, size_t old_size, size_t new_size) {
    Block *top = arena->top;
    if (top == NULL || (unsigned char *)old + old_size + GAP != top->data + top->used) {
        return false;
    }
    if (new_size <= old_size) {
        top->used -= old_size - new_size;
        arena->total -= old_size - new_size;
        POISON(top->data + top->used - GAP, top->size - top->used + GAP);
        return true;
    }
    size_t more = new_size - old_size;
    if (more > top->size - top->used || more > arena->limit - arena->total) {
        return false;
    }
    UNPOISON((unsigned char *)old + old_size, more);
    memset((unsigned char *)old + old_size, 0, more);
    top->used += more;
    arena->total += more;
    return true;
}

ArenaMark arena_mark(const Arena *arena) {
    return (ArenaMark){.block = arena->top,
                       .used = arena->top == NULL ? 0 : arena->top->used,
                       .total = arena->total};
}

void arena_rewind(Arena *arena, ArenaMark mark) {
    while (arena->top != NULL && arena->top != mark.block) {
        /* The very first block stays, so that an empty arena does not allocate again and again. */
        if (arena->top->below == NULL && mark.block == NULL) {
            break;
        }
        drop_top(arena);
    }
    if (arena->top != NULL) {
        arena->top->used = mark.used;
        POISON(arena->top->data + mark.used, arena->top->size - mark.used);
    }
    arena->total = mark.total;
}

void arena_reset(Arena *arena) {
    arena_rewind(arena, (ArenaMark){0});
}

size_t arena_used(const Arena *arena) {
    return arena->total;
}
