/* Text: the package text and `+`. */
#include "tests/unit/test_scope_fixture.h"

#include <dever/collection.h>
#include <dever/package.h>

#include <stdlib.h>
#include <string.h>

static void concat_when_newest_grows_in_place(void **state) {
    dv_scope *s = *state;
    dv_text text = T("");
    const char *moved = NULL;
    int moves = 0;
    for (int i = 0; i < 20000; i++) {
        assert_true(dv_text_concat(s, text, T("ab"), &text));
        moves += text.ptr != moved;
        moved = text.ptr;
    }
    assert_int_equal(text.len, 40000);
    assert_true(moves < 40); /* not 20000: it is amortized O(1) */
    assert_true(arena_used(s->arena) < 200000);
    for (size_t i = 0; i < text.len; i++) {
        assert_int_equal(text.ptr[i], i % 2 == 0 ? 'a' : 'b');
    }
}

static void concat_when_older_version_leaves_the_newer_one(void **state) {
    dv_scope *s = *state;
    dv_text base;
    dv_text left;
    dv_text right;
    assert_true(dv_text_concat(s, T("one "), T("two "), &base));
    assert_true(dv_text_concat(s, base, T("left"), &left));
    assert_true(dv_text_concat(s, base, T("right"), &right));
    assert_text(base, "one two ");
    assert_text(left, "one two left");
    assert_text(right, "one two right");
}

static void concat_when_slice_at_the_end_leaves_the_whole(void **state) {
    dv_scope *s = *state;
    dv_text whole;
    dv_maybe_text tail;
    dv_text longer;
    assert_true(dv_text_concat(s, T("abc"), T("def"), &whole));
    assert_true(dv_text_slice(s, whole, 4, 6, &tail));
    assert_true(dv_text_concat(s, tail.value, T("gh"), &longer));
    assert_text(longer, "efgh");
    assert_text(whole, "abcdef");
}

static void concat_when_empty_is_the_other(void **state) {
    dv_scope *s = *state;
    dv_text out;
    assert_true(dv_text_concat(s, (dv_text){0}, T("b"), &out));
    assert_text(out, "b");
    assert_true(dv_text_concat(s, T("a"), (dv_text){0}, &out));
    assert_text(out, "a");
    assert_true(dv_text_concat(s, (dv_text){0}, (dv_text){0}, &out));
    assert_int_equal(out.len, 0);
}

static void length_counts_scalars(void **state) {
    (void)state;
    assert_int_equal(dv_text_length(T("")), 0);
    assert_int_equal(dv_text_length(T("aé€😀")), 4);
    assert_int_equal(dv_text_length((dv_text){0}), 0);
}

/* Input, lower, upper. */
static void case_mappings_are_the_full_ones(void **state) {
    dv_scope *s = *state;
    static const struct {
        dv_text text;
        const char *lower, *upper;
    } cases[] = {
        {{"", 0}, "", ""},
        {DV_LITERAL("Hello 1"), "hello 1", "HELLO 1"},
        {DV_LITERAL("Straße"), "straße", "STRASSE"},
        {DV_LITERAL("ŒUVRE É"), "œuvre é", "ŒUVRE É"},
        {DV_LITERAL("ﬁn"), "ﬁn", "FIN"},
        {DV_LITERAL("İ"), "i\xCC\x87", "İ"},
        {DV_LITERAL("ΟΔΟΣ Σ ΣΑ"), "οδος σ σα", "ΟΔΟΣ Σ ΣΑ"},
        {DV_LITERAL("ΑΣ'Α ΑΣ."), "ασ'α ας.", "ΑΣ'Α ΑΣ."},
        {DV_LITERAL("ᾳ"), "ᾳ", "ΑΙ"},
        {DV_LITERAL("𐐀"), "𐐨", "𐐀"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        dv_text out;
        assert_true(dv_text_lower(s, cases[i].text, &out));
        assert_string_equal(out.ptr, cases[i].lower);
        assert_true(dv_text_upper(s, cases[i].text, &out));
        assert_string_equal(out.ptr, cases[i].upper);
    }
}

static void trim_strips_unicode_blanks(void **state) {
    dv_scope *s = *state;
    dv_text out;
    assert_true(dv_text_trim(s, T(" \t\n a  b\xC2\xA0\xE2\x80\xA8\xE3\x80\x80"), &out));
    assert_text(out, "a  b");
    assert_true(dv_text_trim(s, T(" \xC2\x85 "), &out));
    assert_text(out, "");
    assert_true(dv_text_trim(s,
                             T("\xE2\x80\x8B"
                               "a"),
                             &out)); /* a zero width space is no blank */
    assert_text(out, "\xE2\x80\x8B"
                     "a");
}

static void searches_are_byte_exact(void **state) {
    dv_scope *s = *state;
    bool yes;
    assert_true(dv_text_contains(s, T("héllo"), T("éll"), &yes) && yes);
    assert_true(dv_text_contains(s, T("hello"), T("LL"), &yes) && !yes);
    assert_true(dv_text_contains(s, T(""), T(""), &yes) && yes);
    assert_true(dv_text_starts_with(s, T("hello"), T("he"), &yes) && yes);
    assert_true(dv_text_starts_with(s, T("he"), T("hello"), &yes) && !yes);
    assert_true(dv_text_ends_with(s, T("hello"), T("lo"), &yes) && yes);
    assert_true(dv_text_ends_with(s, T("hello"), T(""), &yes) && yes);
    assert_true(dv_text_is_empty(s, T(""), &yes) && yes);
    assert_true(dv_text_is_empty(s, T(" "), &yes) && !yes);
}

static void index_of_counts_scalars(void **state) {
    dv_scope *s = *state;
    dv_maybe_int at;
    assert_true(dv_text_index_of(s, T("aé€b"), T("b"), &at));
    assert_true(at.present && at.value == 3);
    assert_true(dv_text_index_of(s, T("abc"), T(""), &at));
    assert_true(at.present && at.value == 0);
    assert_true(dv_text_index_of(s, T("abc"), T("d"), &at));
    assert_false(at.present);
}

static void slice_when_outside_is_null(void **state) {
    dv_scope *s = *state;
    dv_maybe_text out;
    assert_true(dv_text_slice(s, T("aé€b"), 1, 3, &out));
    assert_text(out.value, "é€");
    assert_true(dv_text_slice(s, T("ab"), 2, 2, &out) && out.present);
    assert_text(out.value, "");
    static const int64_t outside[][2] = {{-1, 1}, {2, 1},         {0, 3},
                                         {3, 3},  {0, INT64_MAX}, {INT64_MIN, 0}};
    for (size_t i = 0; i < COUNT_OF(outside); i++) {
        assert_true(dv_text_slice(s, T("ab"), outside[i][0], outside[i][1], &out));
        assert_false(out.present);
    }
}

static void assert_split(dv_scope *s, dv_text text, dv_text separator, const char *joined) {
    dv_list pieces;
    dv_text out;
    assert_true(dv_text_split(s, text, separator, &pieces));
    assert_true(dv_text_join(s, pieces, T("|"), &out));
    assert_int_equal(out.len, strlen(joined));
    assert_memory_equal(out.ptr, joined, out.len);
}

static void split_keeps_empty_pieces(void **state) {
    dv_scope *s = *state;
    assert_split(s, T("a,b,c"), T(","), "a|b|c");
    assert_split(s, T(",a,,"), T(","), "|a||");
    assert_split(s, T("a--b-c"), T("--"), "a|b-c");
    assert_split(s, T("aé€"), T(""), "a|é|€");
    dv_list pieces;
    assert_true(dv_text_split(s, T(""), T(""), &pieces));
    assert_int_equal(pieces.length, 0);
    assert_true(dv_text_split(s, T(""), T(","), &pieces));
    assert_int_equal(pieces.length, 1);
    assert_text(DV_ITEM(pieces, dv_text, 0), "");
}

static void split_when_cancelled_stops(void **state) {
    dv_scope *s = *state;
    dv_list pieces;
    scope_cancel(s);
    assert_false(dv_text_split(s, T("a,b"), T(","), &pieces));
    assert_int_equal(s->failure.kind, FAILURE_CANCELLED);
}

static void replace_replaces_every_occurrence(void **state) {
    dv_scope *s = *state;
    dv_text out;
    assert_true(dv_text_replace(s, T("aXbXX"), T("X"), T("--"), &out));
    assert_text(out, "a--b----");
    assert_true(dv_text_replace(s, T("aaa"), T("aa"), T("b"), &out));
    assert_text(out, "ba");
    assert_true(dv_text_replace(s, T("aé"), T(""), T("."), &out));
    assert_text(out, ".a.é.");
    assert_true(dv_text_replace(s, T(""), T(""), T("x"), &out));
    assert_text(out, "x");
    assert_true(dv_text_replace(s, T("abc"), T("b"), T(""), &out));
    assert_text(out, "ac");
}

static void replace_when_too_large_is_a_fault(void **state) {
    dv_scope *s = *state;
    size_t size = 1 << 16;
    char *many = malloc(size);
    assert_non_null(many);
    memset(many, 'a', size);
    dv_text text = {many, size};
    dv_text out;
    assert_false(dv_text_replace(s, text, T("a"), text, &out)); /* would be 4 GiB */
    assert_fault(s, DV_FAULT_MEMORY);
    free(many);
}

static void text_may_hold_nul(void **state) {
    dv_scope *s = *state;
    dv_text out;
    assert_true(dv_text_concat(s, T("a\0b"), T("c"), &out));
    assert_text(out, "a\0bc");
    assert_true(dv_text_equal(out, T("a\0bc")));
    assert_false(dv_text_equal(out, T("a\0bd")));
    assert_true(dv_text_upper(s, out, &out));
    assert_text(out, "A\0BC");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCOPE_TEST(concat_when_newest_grows_in_place),
        SCOPE_TEST(concat_when_older_version_leaves_the_newer_one),
        SCOPE_TEST(concat_when_slice_at_the_end_leaves_the_whole),
        SCOPE_TEST(concat_when_empty_is_the_other),
        SCOPE_TEST(length_counts_scalars),
        SCOPE_TEST(case_mappings_are_the_full_ones),
        SCOPE_TEST(trim_strips_unicode_blanks),
        SCOPE_TEST(searches_are_byte_exact),
        SCOPE_TEST(index_of_counts_scalars),
        SCOPE_TEST(slice_when_outside_is_null),
        SCOPE_TEST(split_keeps_empty_pieces),
        SCOPE_TEST(split_when_cancelled_stops),
        SCOPE_TEST(replace_replaces_every_occurrence),
        SCOPE_TEST(replace_when_too_large_is_a_fault),
        SCOPE_TEST(text_may_hold_nul),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
