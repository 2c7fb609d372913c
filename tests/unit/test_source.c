/* tests/unit/test_source.c: places in files. */
#include "tests/unit/test_syntax_fixture.h"

static void assert_place(const SourceFile *file, uint32_t offset, uint32_t line, uint32_t column) {
    Place place = source_place(file, offset);
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
}

static void place_when_line_ends_differ_counts_each_once(void **state) {
    SourceFile *file = fixture_file(*state, ROLE_APP, "a\nb\r\nc\rd");
    assert_int_equal(file->line_count, 4);
    assert_place(file, 0, 1, 1);
    assert_place(file, 2, 2, 1);
    assert_place(file, 5, 3, 1);
    assert_place(file, 7, 4, 1);
    assert_place(file, 8, 4, 2);
}

static void place_when_text_is_not_ascii_counts_scalar_values(void **state) {
    SourceFile *file = fixture_file(*state, ROLE_APP, "\té中😀x");
    assert_place(file, 1, 1, 2);
    assert_place(file, 3, 1, 3);
    assert_place(file, 6, 1, 4);
    assert_place(file, 10, 1, 5);
}

static void place_when_offset_is_beyond_the_end_is_the_end(void **state) {
    SourceFile *file = fixture_file(*state, ROLE_APP, "ab\n");
    assert_place(file, 99, 2, 1);
    assert_place(fixture_file(*state, ROLE_APP, ""), 0, 1, 1);
}

static void place_when_lines_are_not_indexed_is_the_same(void **state) {
    const char *text = "a\n\r\n\rbc\r\n\ndé\n";
    SourceFile *indexed = fixture_file(*state, ROLE_APP, text);
    SourceFile plain = *indexed;
    plain.lines = NULL;
    for (uint32_t at = 0; at <= indexed->text.len; at++) {
        Place place = source_place(&plain, at);
        assert_place(indexed, at, place.line, place.column);
    }
}

static void line_when_asked_has_no_line_end(void **state) {
    SourceFile *file = fixture_file(*state, ROLE_APP, "one\r\ntwo\n\nfour");
    assert_str(source_line(file, 1), "one");
    assert_str(source_line(file, 5), "two");
    assert_str(source_line(file, 9), "");
    assert_str(source_line(file, 14), "four");
}

static void join_when_one_is_no_place_is_the_other(void **state) {
    SourceFile *file = fixture_file(*state, ROLE_APP, "abcdef");
    Span none = {0};
    Span left = {file, 1, 2};
    Span right = {file, 4, 5};
    assert_str(span_text(span_join(none, left)), "b");
    assert_str(span_text(span_join(left, none)), "b");
    assert_str(span_text(span_join(right, left)), "bcde");
    assert_str(span_text(none), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(place_when_line_ends_differ_counts_each_once),
        TEST(place_when_text_is_not_ascii_counts_scalar_values),
        TEST(place_when_offset_is_beyond_the_end_is_the_end),
        TEST(place_when_lines_are_not_indexed_is_the_same),
        TEST(line_when_asked_has_no_line_end),
        TEST(join_when_one_is_no_place_is_the_other),
    };
    return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
