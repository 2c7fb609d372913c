/* tests/unit/test_str.c: slices, buffers. */
#include "tests/unit/test_base_fixture.h"

#include "base/buf.h"

static void slice_when_out_of_range_is_clamped(void **state) {
    (void)state;
    static const struct {
        size_t from, to;
        const char *expected;
    } rows[] = {{0, 5, "hello"}, {1, 3, "el"}, {3, 99, "lo"}, {4, 2, ""}, {9, 12, ""}, {0, 0, ""}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_str(str_slice(STR("hello"), rows[i].from, rows[i].to), rows[i].expected);
    }
    assert_int_equal(str_slice((Str){NULL, 0}, 0, 9).len, 0);
}

static void compare_when_bytes_are_high_is_unsigned(void **state) {
    (void)state;
    assert_true(str_compare(STR("a"), STR("\xC3\xA9")) < 0);
    assert_true(str_compare(STR("ab"), STR("a")) > 0);
    assert_int_equal(str_compare((Str){NULL, 0}, STR("")), 0);
    assert_true(str_equal((Str){"a\0b", 3}, (Str){"a\0b", 3}));
    assert_false(str_equal((Str){"a\0b", 3}, (Str){"a\0c", 3}));
}

static void trim_when_blanks_surround_drops_them(void **state) {
    (void)state;
    assert_str(str_trim(STR(" \t\r\n a b \n")), "a b");
    assert_str(str_trim(STR(" \t ")), "");
    assert_str(str_trim(STR("")), "");
}

static void find_when_present_gives_first_and_last(void **state) {
    (void)state;
    size_t at = 99;
    assert_true(str_find(STR("abcabc"), STR("ca"), &at));
    assert_int_equal(at, 2);
    assert_true(str_find(STR("abc"), STR(""), &at));
    assert_int_equal(at, 0);
    assert_false(str_find(STR("abc"), STR("abcd"), NULL));
    assert_true(str_find_char(STR("a.b.c"), '.', &at));
    assert_int_equal(at, 1);
    assert_true(str_find_last_char(STR("a.b.c"), '.', &at));
    assert_int_equal(at, 3);
    assert_false(str_find_last_char(STR(""), '.', &at));
    assert_true(str_starts_with(STR("abc"), STR("ab")) && str_ends_with(STR("abc"), STR("bc")));
    assert_false(str_starts_with(STR("a"), STR("ab")) || str_ends_with(STR("c"), STR("bc")));
}

static void copies_when_made_are_terminated(void **state) {
    char *text = str_cstr(*state, str_slice(STR("hello"), 1, 3));
    assert_string_equal(text, "el");
    assert_null(str_cstr(*state, (Str){"a\0b", 3}));
    assert_int_equal(str_dup(*state, STR("xy")).ptr[2], '\0');
    assert_str(str_format(*state, "%d-%s", 7, "z"), "7-z");
    Arena *small = arena_new(4);
    assert_null(str_dup(small, STR("hello")).ptr);
    assert_null(str_cstr(small, STR("hello")));
    assert_null(str_format(small, "%s", "hello").ptr);
    arena_free(small);
}

static void buf_when_growing_stays_terminated(void **state) {
    (void)state;
    Buf buf = {0};
    assert_str(buf_str(&buf), "");
    for (int i = 0; i < 1000; i++) {
        buf_format(&buf, "%d", i % 10);
        assert_int_equal(buf.data[buf.len], '\0');
    }
    assert_int_equal(buf.len, 1000);
    buf_clear(&buf);
    assert_str(buf_str(&buf), "");
    buf_done(&buf);
}

static void buf_when_over_the_limit_remembers_until_cleared(void **state) {
    (void)state;
    Buf buf = {.limit = 4};
    buf_add(&buf, STR("abc"));
    buf_add(&buf, STR("de"));
    buf_add_char(&buf, 'f');
    assert_false(buf_ok(&buf));
    assert_str(buf_str(&buf), "abc");
    buf_clear(&buf);
    buf_add(&buf, STR("abcd"));
    assert_true(buf_ok(&buf));
    buf_done(&buf);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(slice_when_out_of_range_is_clamped),
        TEST(compare_when_bytes_are_high_is_unsigned),
        TEST(trim_when_blanks_surround_drops_them),
        TEST(find_when_present_gives_first_and_last),
        TEST(copies_when_made_are_terminated),
        TEST(buf_when_growing_stays_terminated),
        TEST(buf_when_over_the_limit_remembers_until_cleared),
    };
    return cmocka_run_group_tests_name("str", tests, NULL, NULL);
}
