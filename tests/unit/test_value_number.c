/* Checked arithmetic, and the packages int, decimal, float, uuid and dever.time. */
#include "tests/unit/test_scope_fixture.h"

#include <dever/number.h>
#include <dever/package.h>

#include <math.h>

static void int_arithmetic_when_out_of_range_is_a_fault(void **state) {
    dv_scope *s = *state;
    int64_t out = 7;
    assert_true(dv_int_add(s, INT64_MAX - 1, 1, &out) && out == INT64_MAX);
    assert_false(dv_int_add(s, INT64_MAX, 1, &out));
    assert_fault(s, DV_FAULT_OVERFLOW);
    assert_false(dv_int_subtract(s, INT64_MIN, 1, &out));
    assert_fault(s, DV_FAULT_OVERFLOW);
    assert_false(dv_int_multiply(s, INT64_MIN, -1, &out));
    assert_fault(s, DV_FAULT_OVERFLOW);
    assert_false(dv_int_negate(s, INT64_MIN, &out));
    assert_fault(s, DV_FAULT_OVERFLOW);
    assert_false(dv_int_quotient(s, INT64_MIN, -1, &out));
    assert_fault(s, DV_FAULT_OVERFLOW);
    assert_false(dv_int_remainder(s, INT64_MIN, -1, &out));
    assert_fault(s, DV_FAULT_OVERFLOW);
}

static void int_division_truncates_and_refuses_zero(void **state) {
    dv_scope *s = *state;
    int64_t out;
    assert_true(dv_int_quotient(s, -7, 2, &out) && out == -3);
    assert_true(dv_int_remainder(s, -7, 2, &out) && out == -1);
    assert_true(dv_int_remainder(s, 7, -2, &out) && out == 1);
    assert_false(dv_int_quotient(s, 1, 0, &out));
    assert_fault(s, DV_FAULT_DIVISION);
    assert_false(dv_int_remainder(s, 1, 0, &out));
    assert_fault(s, DV_FAULT_DIVISION);
}

static void int_parse_takes_a_sign_and_digits_only(void **state) {
    dv_scope *s = *state;
    static const struct {
        dv_text text;
        bool good;
        int64_t value;
    } cases[] = {
        {DV_LITERAL("0"), true, 0},
        {DV_LITERAL("-0"), true, 0},
        {DV_LITERAL("+12"), true, 12},
        {DV_LITERAL("9223372036854775807"), true, INT64_MAX},
        {DV_LITERAL("-9223372036854775808"), true, INT64_MIN},
        {DV_LITERAL("00000000000000000000000000000007"), true, 7},
        {DV_LITERAL("-00000000000000000000000000000007"), true, -7},
        {DV_LITERAL("9223372036854775808"), false, 0},
        {DV_LITERAL("-9223372036854775809"), false, 0},
        {DV_LITERAL(""), false, 0},
        {DV_LITERAL("-"), false, 0},
        {DV_LITERAL("+-1"), false, 0},
        {DV_LITERAL(" 1"), false, 0},
        {DV_LITERAL("1 "), false, 0},
        {DV_LITERAL("1.0"), false, 0},
        {DV_LITERAL("1e3"), false, 0},
        {DV_LITERAL("1\0"), false, 0},
        {DV_LITERAL("٣"), false, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        dv_maybe_int out;
        assert_true(dv_int_parse(s, cases[i].text, &out));
        assert_int_equal(out.present, cases[i].good);
        assert_int_equal(out.value, cases[i].value);
    }
    dv_text text;
    assert_true(dv_int_to_text(s, INT64_MIN, &text));
    assert_text(text, "-9223372036854775808");
}

static dv_decimal decimal(dv_scope *s, dv_text text) {
    dv_maybe_decimal out;
    assert_true(dv_decimal_parse(s, text, &out));
    assert_true(out.present);
    return out.value;
}

static void decimal_arithmetic_rounds_half_even(void **state) {
    dv_scope *s = *state;
    dv_decimal out;
    dv_text text;
    assert_true(dv_decimal_divide(s, decimal(s, T("1")), decimal(s, T("3")), &out));
    assert_true(dv_decimal_to_text(s, out, &text));
    assert_text(text, "0.3333333333333333333333333333333333");
    assert_true(dv_decimal_add(s, decimal(s, T("0.1")), decimal(s, T("0.2")), &out));
    assert_int_equal(dv_decimal_compare(out, decimal(s, T("0.30"))), 0);
    assert_true(dv_decimal_subtract(s, decimal(s, T("1")), decimal(s, T("1.5")), &out));
    assert_int_equal(dv_decimal_compare(out, decimal(s, T("-0.5"))), 0);
    assert_true(dv_decimal_round(s, decimal(s, T("2.345")), 2, &out));
    assert_true(dv_decimal_to_text(s, dv_decimal_negate(out), &text));
    assert_text(text, "-2.34");
    assert_true(dv_decimal_from_int(s, 1200, &out));
    assert_true(dv_decimal_to_text(s, out, &text));
    assert_text(text, "1.2E+3");
}

static void decimal_arithmetic_when_out_of_range_is_a_fault(void **state) {
    dv_scope *s = *state;
    dv_decimal out;
    dv_decimal large = decimal(s, T("9e6144"));
    assert_false(dv_decimal_multiply(s, large, large, &out));
    assert_fault(s, DV_FAULT_OVERFLOW);
    assert_false(dv_decimal_divide(s, large, decimal(s, T("0")), &out));
    assert_fault(s, DV_FAULT_DIVISION);
    assert_false(dv_decimal_round(s, decimal(s, T("1")), INT64_MAX, &out));
    assert_fault(s, DV_FAULT_OVERFLOW);
}

static void decimal_parse_when_inexact_is_null(void **state) {
    dv_scope *s = *state;
    static const dv_text bad[] = {DV_LITERAL(""),
                                  DV_LITERAL("."),
                                  DV_LITERAL("1,5"),
                                  DV_LITERAL("NaN"),
                                  DV_LITERAL("1e"),
                                  DV_LITERAL("12345678901234567890123456789012345"),
                                  DV_LITERAL("1e9999999999")};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        dv_maybe_decimal out;
        assert_true(dv_decimal_parse(s, bad[i], &out));
        assert_false(out.present);
    }
}

static void float_text_has_the_shortest_digits_without_exponent(void **state) {
    dv_scope *s = *state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{8, "8"},
                 {-0.0, "-0"},
                 {0.1, "0.1"},
                 {1e21, "1000000000000000000000"},
                 {1.5e-7, "0.00000015"},
                 {123.25, "123.25"},
                 {NAN, "NaN"},
                 {-INFINITY, "-inf"},
                 {INFINITY, "inf"},
                 {0.3, "0.3"},
                 {1.0 / 3, "0.3333333333333333"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        dv_text text;
        assert_true(dv_float_to_text(s, cases[i].value, &text));
        assert_string_equal(text.ptr, cases[i].text);
    }
}

static void float_parse_takes_decimal_text_and_three_words(void **state) {
    dv_scope *s = *state;
    dv_maybe_float out;
    assert_true(dv_float_parse(s, T("-1.5e3"), &out) && out.present && out.value == -1500);
    assert_true(dv_float_parse(s, T("+.5"), &out) && out.present && out.value == 0.5);
    assert_true(dv_float_parse(s, T("NaN"), &out) && out.present && isnan(out.value));
    assert_true(dv_float_parse(s, T("-inf"), &out) && out.present && isinf(out.value));
    static const dv_text bad[] = {DV_LITERAL(""),      DV_LITERAL("nan"),  DV_LITERAL("infinity"),
                                  DV_LITERAL("+inf"),  DV_LITERAL("0x10"), DV_LITERAL(" 1"),
                                  DV_LITERAL("1 "),    DV_LITERAL("e5"),   DV_LITERAL("1e"),
                                  DV_LITERAL("1.2.3"), DV_LITERAL("--1"),  DV_LITERAL("1\0")};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        assert_true(dv_float_parse(s, bad[i], &out));
        assert_false(out.present);
    }
    double value;
    assert_true(dv_float_from_int(s, -3, &value) && value == -3);
}

static void uuid_text_goes_both_ways(void **state) {
    dv_scope *s = *state;
    dv_maybe_uuid out;
    dv_text text;
    assert_true(dv_uuid_parse(s, T("01890A5D-AC96-774B-BCCE-B302099A8057"), &out) && out.present);
    assert_true(dv_uuid_to_text(s, out.value, &text));
    assert_text(text, "01890a5d-ac96-774b-bcce-b302099a8057");
    assert_true(dv_uuid_parse(s, T("01890a5dac96774bbcceb302099a8057"), &out) && !out.present);
    assert_true(dv_id_from_text(s, T("any"), &text) && dv_id_to_text(s, text, &text));
    assert_text(text, "any");
}

static void time_arithmetic_is_checked(void **state) {
    dv_scope *s = *state;
    int64_t out;
    int64_t duration;
    assert_true(dv_time_duration(s, 1500, &duration));
    assert_true(dv_time_add(s, 1000, duration, &out) && out == 2500);
    assert_true(dv_time_subtract(s, 1000, duration, &out) && out == -500);
    assert_true(dv_time_difference(s, 1000, 3000, &out) && out == -2000);
    assert_false(dv_time_add(s, INT64_MAX, 1, &out));
    assert_fault(s, DV_FAULT_OVERFLOW);
    assert_false(dv_time_subtract(s, INT64_MIN, 1, &out));
    assert_fault(s, DV_FAULT_OVERFLOW);
    assert_false(dv_time_difference(s, INT64_MIN, 1, &out));
    assert_fault(s, DV_FAULT_OVERFLOW);
}

static void time_format_when_outside_the_years_is_a_fault(void **state) {
    dv_scope *s = *state;
    dv_text text;
    assert_true(dv_time_format_datetime(s, INT64_C(1767225600000), &text));
    assert_text(text, "2026-01-01T00:00:00Z");
    assert_true(dv_time_format_datetime(s, INT64_C(1767225600007), &text));
    assert_text(text, "2026-01-01T00:00:00.007Z");
    assert_false(dv_time_format_datetime(s, INT64_MAX, &text));
    assert_fault(s, DV_FAULT_INVALID);
}

static void sleep_when_negative_is_a_fault(void **state) {
    dv_scope *s = *state;
    assert_false(dv_task_sleep(s, -1));
    assert_fault(s, DV_FAULT_INVALID);
    assert_true(dv_task_sleep(s, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCOPE_TEST(int_arithmetic_when_out_of_range_is_a_fault),
        SCOPE_TEST(int_division_truncates_and_refuses_zero),
        SCOPE_TEST(int_parse_takes_a_sign_and_digits_only),
        SCOPE_TEST(decimal_arithmetic_rounds_half_even),
        SCOPE_TEST(decimal_arithmetic_when_out_of_range_is_a_fault),
        SCOPE_TEST(decimal_parse_when_inexact_is_null),
        SCOPE_TEST(float_text_has_the_shortest_digits_without_exponent),
        SCOPE_TEST(float_parse_takes_decimal_text_and_three_words),
        SCOPE_TEST(uuid_text_goes_both_ways),
        SCOPE_TEST(time_arithmetic_is_checked),
        SCOPE_TEST(time_format_when_outside_the_years_is_a_fault),
        SCOPE_TEST(sleep_when_negative_is_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
