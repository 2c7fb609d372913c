/* Lists, and equality by description. */
#include "tests/unit/test_scope_fixture.h"

#include <dever/collection.h>
#include <dever/number.h>

#include <math.h>

static void append_when_newest_shares_its_items(void **state) {
    dv_scope *s = *state;
    dv_list list = {0};
    const void *moved = NULL;
    int moves = 0;
    for (int64_t i = 0; i < 10000; i++) {
        assert_true(dv_list_append(s, &dv_type_int, list, &i, &list));
        moves += list.items != moved;
        moved = list.items;
    }
    assert_int_equal(list.length, 10000);
    assert_true(moves < 20);
    for (int64_t i = 0; i < list.length; i++) {
        assert_int_equal(DV_ITEM(list, int64_t, i), i);
    }
}

static void append_when_older_version_copies(void **state) {
    dv_scope *s = *state;
    int64_t items[] = {1, 2, 3};
    dv_list base;
    dv_list left;
    dv_list right;
    assert_true(dv_list_of(s, &dv_type_int, items, 3, &base));
    items[0] = 9;
    assert_true(dv_list_append(s, &dv_type_int, base, &items[1], &base));
    assert_true(dv_list_append(s, &dv_type_int, base, &items[0], &left));
    assert_true(dv_list_append(s, &dv_type_int, base, &items[2], &right));
    assert_int_equal(base.length, 4);
    assert_int_equal(DV_ITEM(base, int64_t, 0), 1);
    assert_int_equal(DV_ITEM(left, int64_t, 4), 9);
    assert_int_equal(DV_ITEM(right, int64_t, 4), 3);
    assert_int_equal(DV_ITEM(right, int64_t, 3), 2);
}

static void list_of_nothing_is_empty(void **state) {
    dv_scope *s = *state;
    dv_list list = {.length = 7};
    assert_true(dv_list_of(s, &dv_type_text, NULL, 0, &list));
    assert_int_equal(list.length, 0);
}

typedef struct Entry {
    dv_maybe_decimal price;
    dv_text name;
    dv_list tags;
} Entry;

static const dv_type tags = {
    .kind = DV_LIST, .size = sizeof(dv_list), .name = "List<Text>", .item = &dv_type_text};
static const dv_field entry_fields[] = {
    {.name = "price", .type = &dv_type_maybe_decimal, .offset = offsetof(Entry, price)},
    {.name = "name", .type = &dv_type_text, .offset = offsetof(Entry, name)},
    {.name = "tags", .type = &tags, .offset = offsetof(Entry, tags)}};
static const dv_type entry_type = {.kind = DV_RECORD,
                                   .size = sizeof(Entry),
                                   .name = "shop.Entry",
                                   .count = 3,
                                   .fields = entry_fields};

static Entry entry(dv_scope *s, int64_t price, const char *name, const dv_text *words,
                   int64_t count) {
    Entry e = {.price = {.present = price >= 0}, .name = {name, 2}};
    if (price >= 0) {
        e.price.value = dv_decimal_promote(price);
    }
    assert_true(dv_list_of(s, &dv_type_text, words, count, &e.tags));
    return e;
}

static void equal_is_structural(void **state) {
    dv_scope *s = *state;
    dv_text words[] = {DV_LITERAL("x"), DV_LITERAL("y")};
    Entry a = entry(s, 25, "ab", words, 2);
    Entry b = entry(s, 25, "abc", words, 2); /* the same two bytes elsewhere */
    assert_true(dv_equal(&entry_type, &a, &b));
    b = entry(s, 26, "ab", words, 2);
    assert_false(dv_equal(&entry_type, &a, &b));
    b = entry(s, -1, "ab", words, 2);
    assert_false(dv_equal(&entry_type, &a, &b));
    b = entry(s, 25, "ab", words, 1);
    assert_false(dv_equal(&entry_type, &a, &b));
    a = entry(s, -1, "ab", words, 0);
    b = entry(s, -1, "ab", NULL, 0);
    b.price.value.low = 5; /* of an absent value nothing counts */
    assert_true(dv_equal(&entry_type, &a, &b));
}

static void equal_when_numbers_compares_values(void **state) {
    (void)state;
    dv_decimal a = {.low = 250, .exponent = -2};
    dv_decimal b = {.low = 25, .exponent = -1};
    assert_true(dv_equal(&dv_type_decimal, &a, &b));
    double nan_ = NAN;
    double zero = 0.0;
    double minus = -0.0;
    assert_false(dv_equal(&dv_type_float, &nan_, &nan_));
    assert_true(dv_equal(&dv_type_float, &zero, &minus));
}

/* Open · Closed(why: Text) */
typedef struct State {
    int32_t tag;
    union {
        struct {
            dv_text why;
        } closed;
    } as;
} State;

static const dv_field closed_fields[] = {
    {.name = "why", .type = &dv_type_text, .offset = offsetof(State, as.closed.why)}};
static const dv_variant state_variants[] = {
    {.name = "Open"}, {.name = "Closed", .field_count = 1, .fields = closed_fields}};
static const dv_type state_type = {.kind = DV_CHOICE,
                                   .size = sizeof(State),
                                   .name = "shop.State",
                                   .count = 2,
                                   .variants = state_variants};

static void equal_when_choices_compares_tag_and_payload(void **state) {
    (void)state;
    State open = {.tag = 0, .as.closed.why = {"rest of an old value", 4}};
    State also_open = {.tag = 0};
    State late = {.tag = 1, .as.closed.why = {"late", 4}};
    State full = {.tag = 1, .as.closed.why = {"full", 4}};
    assert_true(dv_equal(&state_type, &open, &also_open));
    assert_false(dv_equal(&state_type, &open, &late));
    assert_false(dv_equal(&state_type, &late, &full));
    assert_true(dv_equal(&state_type, &late, &late));
}

static void descriptions_fit_their_values(void **state) {
    (void)state;
    assert_string_equal(dv_type_bool.name, "Bool");
    assert_string_equal(dv_type_maybe_bool.name, "Bool?");
    assert_int_equal(dv_type_maybe_text.size, sizeof(dv_maybe_text));
    assert_int_equal(dv_type_maybe_decimal.value_offset, offsetof(dv_maybe_decimal, value));
    assert_ptr_equal(dv_type_maybe_duration.item, &dv_type_duration);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCOPE_TEST(append_when_newest_shares_its_items),
        SCOPE_TEST(append_when_older_version_copies),
        SCOPE_TEST(list_of_nothing_is_empty),
        SCOPE_TEST(equal_is_structural),
        SCOPE_TEST(equal_when_numbers_compares_values),
        SCOPE_TEST(equal_when_choices_compares_tag_and_payload),
        SCOPE_TEST(descriptions_fit_their_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
