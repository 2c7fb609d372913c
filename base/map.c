/* base/map.c: open addressing over an array of entries; grows at three quarters full. */
#include "base/map.h"

static uint32_t *slot_of(const Map *map, Str key) {
    size_t mask = map->slot_count - 1;
    size_t at = (size_t)str_hash(key) & mask;
    while (map->slots[at] != 0 && !str_equal(map->entries.items[map->slots[at] - 1].key, key)) {
        at = (at + 1) & mask;
    }
    return &map->slots[at];
}

void *map_find(const Map *map, Str key) {
    if (map->slot_count == 0) {
        return NULL;
    }
    uint32_t *slot = slot_of(map, key);
    return *slot == 0 ? NULL : map->entries.items[*slot - 1].value;
}

static void grow(Arena *arena, Map *map) {
    map->slot_count = map->slot_count == 0 ? 16 : map->slot_count * 2;
    map->slots = arena_make_n(arena, uint32_t, map->slot_count);
    for (size_t i = 0; i < map->entries.count; i++) {
        *slot_of(map, map->entries.items[i].key) = (uint32_t)(i + 1);
    }
}

void map_put(Arena *arena, Map *map, Str key, void *value) {
    if ((map->entries.count + 1) * 4 > map->slot_count * 3) {
        grow(arena, map);
    }
    uint32_t *slot = slot_of(map, key);
    if (*slot != 0) {
        map->entries.items[*slot - 1].value = value;
        return;
    }
    MapEntry entry = {key, value};
    vec_push(arena, &map->entries, entry);
    *slot = (uint32_t)map->entries.count;
}
