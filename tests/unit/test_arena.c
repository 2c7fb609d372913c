/* tests/unit/test_arena.c: memory that is freed all at once, and the vectors and maps in it. */
#include "tests/unit/test_base_fixture.h"

#include <string.h>

#include "base/map.h"
#include "base/vec.h"

static void alloc_when_aligned_is_zeroed_and_aligned(void **state) {
    for (size_t align = 1; align <= 64; align *= 2) {
        for (size_t size = 0; size < 300; size += 7) {
            unsigned char *at = arena_alloc(*state, size, align);
            assert_non_null(at);
            assert_int_equal((uintptr_t)at % align, 0);
            for (size_t i = 0; i < size; i++) {
                assert_int_equal(at[i], 0);
            }
            memset(at, 0xAA, size);
        }
    }
}

static void alloc_when_larger_than_any_block_works(void **state) {
    char *large = arena_alloc(*state, 5 * 1024 * 1024, 1);
    large[5 * 1024 * 1024 - 1] = 'x';
    assert_non_null(arena_alloc(*state, 1, 1));
}

static void alloc_when_at_the_limit_is_null_and_recovers(void **state) {
    (void)state;
    Arena *arena = arena_new(100);
    ArenaMark mark = arena_mark(arena);
    assert_non_null(arena_alloc(arena, 60, 1));
    assert_null(arena_alloc(arena, 41, 1));
    assert_non_null(arena_alloc(arena, 40, 1));
    assert_null(arena_alloc(arena, 1, 1));
    arena_rewind(arena, mark);
    assert_int_equal(arena_used(arena), 0);
    assert_non_null(arena_alloc(arena, 100, 1));
    assert_null(arena_alloc_n(arena, SIZE_MAX / 2, 16, 1));
    arena_free(arena);
}

static void rewind_when_blocks_were_added_frees_what_came_since(void **state) {
    Arena *arena = *state;
    char *kept = arena_alloc(arena, 10, 1);
    memcpy(kept, "kept", 5);
    ArenaMark mark = arena_mark(arena);
    size_t used = arena_used(arena);
    for (int i = 0; i < 1000; i++) {
        memset(arena_alloc(arena, 1000, 8), 1, 1000);
    }
    arena_rewind(arena, mark);
    assert_int_equal(arena_used(arena), used);
    assert_string_equal(kept, "kept");
    unsigned char *again = arena_alloc(arena, 100, 1);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(again[i], 0);
    }
    arena_reset(arena);
    assert_int_equal(arena_used(arena), 0);
}

static void extend_when_last_grows_in_place(void **state) {
    Arena *arena = *state;
    char *first = arena_alloc(arena, 10, 1);
    assert_true(arena_extend(arena, first, 10, 50));
    for (int i = 0; i < 50; i++) {
        assert_int_equal(first[i], 0);
    }
    assert_true(arena_extend(arena, first, 50, 20));
    assert_int_equal(arena_used(arena), 20);
    arena_alloc(arena, 1, 1);
    assert_false(arena_extend(arena, first, 20, 21));
    char *last = arena_alloc(arena, 8, 1);
    assert_false(arena_extend(arena, last, 8, 1024 * 1024));
}

static void push_when_many_keeps_all(void **state) {
    VEC(int) numbers = {0};
    for (int i = 0; i < 10000; i++) {
        vec_push(*state, &numbers, i);
    }
    assert_int_equal(numbers.count, 10000);
    for (int i = 0; i < 10000; i++) {
        assert_int_equal(numbers.items[i], i);
    }
}

static void map_when_many_keys_finds_each_in_order(void **state) {
    Map map = {0};
    static int values[5000];
    assert_null(map_find(&map, STR("absent")));
    for (int i = 0; i < 5000; i++) {
        map_put(*state, &map, str_format(*state, "key %d", i), &values[i]);
    }
    map_put(*state, &map, STR("key 7"), &values[8]); /* keeps its place */
    assert_int_equal(map.entries.count, 5000);
    for (int i = 0; i < 5000; i++) {
        Str key = str_format(*state, "key %d", i);
        assert_true(str_equal(map.entries.items[i].key, key));
        assert_ptr_equal(map_find(&map, key), &values[i == 7 ? 8 : i]);
    }
    assert_null(map_find(&map, STR("key 5000")));
    assert_null(map_find(&map, STR("")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(alloc_when_aligned_is_zeroed_and_aligned),
        TEST(alloc_when_larger_than_any_block_works),
        TEST(alloc_when_at_the_limit_is_null_and_recovers),
        TEST(rewind_when_blocks_were_added_frees_what_came_since),
        TEST(extend_when_last_grows_in_place),
        TEST(push_when_many_keeps_all),
        TEST(map_when_many_keys_finds_each_in_order),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
