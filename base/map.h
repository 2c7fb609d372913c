/* base/map.h: a map from Str to pointer in an arena, in order of insertion.
 *
 * For arenas made by arena_new_unlimited(). Keys are borrowed and must outlive the map. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/str.h"
#include "base/vec.h"

typedef struct MapEntry {
    Str key;
    void *value;
} MapEntry;

/* A Map of zeros is empty. Read `entries` to walk it in order of insertion. */
typedef struct Map {
    VEC(MapEntry) entries;
    uint32_t *slots;   /* index of the entry + 1; 0: free */
    size_t slot_count; /* a power of two */
} Map;

/* The value of a key; NULL when absent. */
void *map_find(const Map *map, Str key);
/* Sets the value of a key; a key that is there keeps its place. */
void map_put(Arena *arena, Map *map, Str key, void *value);

#endif
