/* tests/unit/test_utf8.c: RFC 3629. */
#include "tests/unit/test_base_fixture.h"

#include "base/utf8.h"

static void valid_when_malformed_tells_where(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int bad; /* -1: valid */
    } rows[] = {
        {"", -1},
        {"plain", -1},
        {"\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", -1},
        {"\xED\x9F\xBF\xEE\x80\x80", -1}, /* around the surrogates */
        {"a\x80", 1},                     /* a continuation alone */
        {"ab\xC3", 2},                    /* cut */
        {"\xE2\x82", 0},
        {"\xF0\x9F\x98", 0},
        {"\xC0\xAF", 0}, /* overlong */
        {"\xC1\xBF", 0},
        {"\xE0\x9F\xBF", 0},
        {"\xF0\x8F\xBF\xBF", 0},
        {"\xED\xA0\x80", 0},     /* U+D800 */
        {"\xED\xBF\xBF", 0},     /* U+DFFF */
        {"\xF4\x90\x80\x80", 0}, /* U+110000 */
        {"\xF5\x80\x80\x80", 0},
        {"\xFF", 0},
        {"\xC3\x28", 0},
        {"\xE2\x28\xA1", 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        size_t bad = 99;
        bool valid = utf8_valid(str_from(rows[i].text), &bad);
        if (valid != (rows[i].bad < 0) || (!valid && bad != (size_t)rows[i].bad)) {
            fail_msg("row %zu: valid %d, at %zu", i, valid, bad);
        }
    }
}

static void encode_when_any_scalar_decodes_to_itself(void **state) {
    (void)state;
    for (uint32_t scalar = 0; scalar < 0x110400; scalar++) {
        char bytes[4];
        size_t length = utf8_encode(scalar, bytes);
        bool is_scalar = scalar <= 0x10FFFF && (scalar < 0xD800 || scalar > 0xDFFF);
        size_t at = 0;
        uint32_t back = 0;
        bool decoded = length > 0 && utf8_next((Str){bytes, length}, &at, &back);
        if (is_scalar != (length > 0) ||
            (is_scalar && (!decoded || back != scalar || at != length))) {
            fail_msg("U+%04X", scalar);
        }
    }
}

static void offset_when_counting_scalars_is_between_them(void **state) {
    (void)state;
    Str text = STR("a\xC3\xA9\xF0\x9F\x98\x80z");
    static const size_t offsets[] = {0, 1, 3, 7, 8, 8};
    assert_int_equal(utf8_count(text), 4);
    for (size_t i = 0; i < COUNT_OF(offsets); i++) {
        assert_int_equal(utf8_offset(text, i), offsets[i]);
    }
    assert_int_equal(utf8_count(STR("")), 0);
}

static void cut_when_inside_a_sequence_drops_it(void **state) {
    (void)state;
    Str text = STR("a\xC3\xA9\xF0\x9F\x98\x80z");
    static const size_t lengths[] = {0, 1, 1, 3, 3, 3, 3, 7, 8, 8};
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        assert_int_equal(utf8_cut(text, i).len, lengths[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(valid_when_malformed_tells_where),
        TEST(encode_when_any_scalar_decodes_to_itself),
        TEST(offset_when_counting_scalars_is_between_them),
        TEST(cut_when_inside_a_sequence_drops_it),
    };
    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
