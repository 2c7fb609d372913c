/* tests/unit/test_decimal.c: decimals against Python's decimal module, and the forms they are kept in. */
#include "tests/unit/test_base_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"

static const struct {
    const char *operation, *left, *right, *expected;
} vectors[] = {
#include <decimal_vectors.inc> /* made at build time by make_decimal_vectors.py */
};

static Decimal number(const char *text) {
    Decimal value;
    if (!decimal_parse(str_from(text), &value)) {
        fail_msg("%s has no exact value", text);
    }
    return value;
}

static Str text_of(Arena *arena, Decimal value) {
    Buf out = {0};
    decimal_format(value, &out);
    Str text = str_dup(arena, buf_str(&out));
    buf_done(&out);
    return text;
}

typedef DecimalStatus Operation(Decimal a, Decimal b, Decimal *out);

static Operation *operation_named(const char *name) {
    static const struct {
        const char *name;
        Operation *operation;
    } rows[] = {{"add", decimal_add},
                {"subtract", decimal_subtract},
                {"multiply", decimal_multiply},
                {"divide", decimal_divide}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return rows[i].operation;
        }
    }
    return NULL;
}

static void operation_when_compared_with_another_implementation_agrees(void **state) {
    static const char *const statuses[] = {NULL, "overflow", "underflow", "division"};
    for (size_t i = 0; i < COUNT_OF(vectors); i++) {
        const char *name = vectors[i].operation;
        Decimal left = number(vectors[i].left);
        Decimal out = {0};
        Str found;
        ArenaMark mark = arena_mark(*state);
        if (strcmp(name, "compare") == 0) {
            int order = decimal_compare(left, number(vectors[i].right));
            found = str_format(*state, "%d", (order > 0) - (order < 0));
        } else {
            Operation *operation = operation_named(name);
            DecimalStatus status =
                operation != NULL ? operation(left, number(vectors[i].right), &out)
                                  : decimal_round(left, strtoll(vectors[i].right, NULL, 10), &out);
            found = status == DECIMAL_OK ? text_of(*state, out) : str_from(statuses[status]);
        }
        if (!str_equal(found, str_from(vectors[i].expected))) {
            fail_msg("%s %s %s: expected %s, found " STR_FMT, name, vectors[i].left,
                     vectors[i].right, vectors[i].expected, STR_ARG(found));
        }
        arena_rewind(*state, mark);
    }
}

static void parse_when_exact_is_written_shortest(void **state) {
    static const struct {
        const char *text, *expected; /* NULL: refused */
    } rows[] = {
        {"2.50", "2.5"},
        {"-0", "0"},
        {"-0.000e5", "0"},
        {"0e99999999999999999999", "0"},
        {"125", "125"},
        {"100", "1E+2"},
        {"1200", "1.2E+3"},
        {"0.000001", "0.000001"},
        {"0.0000001", "1E-7"},
        {"-0.00000012", "-1.2E-7"},
        {"+7", "7"},
        {".5", "0.5"},
        {"5.", "5"},
        {"1E+2", "1E+2"},
        {"1e-6176", "1E-6176"},
        {"10e-6177", "1E-6176"},
        {"9999999999999999999999999999999999", "9999999999999999999999999999999999"},
        {"99999999999999999999999999999999990", "9.999999999999999999999999999999999E+34"},
        {"0000000000000000000000000000000000000000001.5", "1.5"},
        {"1.50000000000000000000000000000000000000000000", "1.5"},
        {"1e6144", "1E+6144"},
        {"0.001e6147", "1E+6144"},
        {"99999999999999999999999999999999999", NULL}, /* 35 digits */
        {"1.0000000000000000000000000000000001", NULL},
        {"1e6145", NULL},
        {"1e-6177", NULL},
        {"1.5e-6176", NULL},
        {"1e99999999999999999999", NULL},
        {"1e-99999999999999999999", NULL},
        {"", NULL},
        {".", NULL},
        {"-", NULL},
        {"+-1", NULL},
        {"1.2.3", NULL},
        {"1e", NULL},
        {"1e+", NULL},
        {"e5", NULL},
        {" 1", NULL},
        {"1 ", NULL},
        {"0x1", NULL},
        {"NaN", NULL},
        {"Infinity", NULL},
        {"1_000", NULL},
        {"\xD9\xA1", NULL}, /* a digit, but not one of ours */
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Decimal value;
        bool good = decimal_parse(str_from(rows[i].text), &value);
        if (good != (rows[i].expected != NULL)) {
            fail_msg("%s: %s", rows[i].text, good ? "accepted" : "refused");
        }
        if (good) {
            assert_str_of(rows[i].text, text_of(*state, value), rows[i].expected);
        }
    }
}

static void from_int_when_at_the_ends_is_exact(void **state) {
    assert_str(text_of(*state, decimal_from_int(INT64_MIN)), "-9223372036854775808");
    assert_str(text_of(*state, decimal_from_int(INT64_MAX)), "9223372036854775807");
    assert_str(text_of(*state, decimal_negate(decimal_from_int(0))), "0");
    assert_false(decimal_negate(decimal_from_int(0)).negative);
}

static void round_when_places_are_out_of_range_overflows(void **state) {
    Decimal out;
    assert_int_equal(decimal_round(number("1.5"), INT64_MAX, &out), DECIMAL_OVERFLOW);
    assert_int_equal(decimal_round(number("1.5"), INT64_MIN, &out), DECIMAL_OVERFLOW);
    assert_int_equal(decimal_round(number("2.5"), 0, &out), DECIMAL_OK);
    assert_str(text_of(*state, out), "2");
    assert_int_equal(decimal_round(number("-0.4"), 0, &out), DECIMAL_OK);
    assert_str(text_of(*state, out), "0");
    assert_int_equal(decimal_round(number("1250"), -2, &out), DECIMAL_OK);
    assert_str(text_of(*state, out), "1.2E+3");
}

static void next_when_stepping_reaches_the_neighbours(void **state) {
    static const struct {
        const char *value, *above; /* NULL: none */
    } rows[] = {
        {"0", "1E-6176"},
        {"-1e-6176", "0"},
        {"1", "1.000000000000000000000000000000001"},
        {"-1", "-0.9999999999999999999999999999999999"},
        {"9999999999999999999999999999999999", "1E+34"},
        {"-1e34", "-9999999999999999999999999999999999"},
        {"1e-6143", "1.000000000000000000000000000000001E-6143"},
        {"-1e-6143", "-9.99999999999999999999999999999999E-6144"},
        {"9.999999999999999999999999999999999e6144", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Decimal value = number(rows[i].value);
        Decimal above;
        Decimal back;
        if (decimal_next_above(value, &above) != (rows[i].above != NULL)) {
            fail_msg("%s", rows[i].value);
        }
        if (rows[i].above != NULL) {
            assert_str_of(rows[i].value, text_of(*state, above), rows[i].above);
            assert_true(decimal_next_below(above, &back));
            assert_int_equal(decimal_compare(back, value), 0);
        }
    }
}

static void key_when_it_fits_sorts_like_the_number(void **state) {
    static const struct {
        const char *value;
        int precision, scale;
        const char *key; /* NULL: does not fit */
    } rows[] = {
        {"12.5", 6, 2, "D1001250:02"},
        {"-12.5", 6, 2, "D0998749:02"},
        {"0", 6, 2, "D1000000:02"},
        {"-0.00", 6, 2, "D1000000:02"},
        {"9999.99", 6, 2, "D1999999:02"},
        {"-9999.99", 6, 2, "D0000000:02"},
        {"1e3", 6, 2, "D1100000:02"},
        {"1.230", 6, 2, "D1000123:02"},
        {"1.234", 6, 2, NULL},
        {"10000", 6, 2, NULL},
        {"1e-5", 5, 5, "D100001:05"},
        {"1", 5, 5, NULL},
        {"9999999999999999999999999999999999", 34, 0, "D19999999999999999999999999999999999:00"},
        {"-1e-34", 34, 34, "D09999999999999999999999999999999998:34"},
        {"1e6144", 34, 0, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char key[DECIMAL_KEY_SIZE];
        Decimal value = number(rows[i].value);
        Decimal back;
        bool fits = decimal_to_key(value, rows[i].precision, rows[i].scale, key);
        if (fits != (rows[i].key != NULL)) {
            fail_msg("%s: %s", rows[i].value, fits ? "fits" : "does not fit");
        }
        if (fits) {
            assert_string_equal(key, rows[i].key);
            assert_true(decimal_from_key(str_from(key), &back));
            assert_int_equal(decimal_compare(value, back), 0);
        }
    }
    static const char *const ascending[] = {"-99.99", "-10",  "-9.99", "-0.01",
                                            "0",      "0.01", "9.99",  "10"};
    char before[DECIMAL_KEY_SIZE] = "";
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ascending); i++) {
        char key[DECIMAL_KEY_SIZE];
        assert_true(decimal_to_key(number(ascending[i]), 4, 2, key));
        assert_true(strcmp(before, key) < 0);
        memcpy(before, key, sizeof key);
    }
}

static void from_key_when_malformed_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"",
                                      "D",
                                      "D1",
                                      "D1:02",
                                      "D2001250:02",
                                      "D1001250",
                                      "D1001250:",
                                      "D1001250:2",
                                      "D10012x0:02",
                                      "D1001250:0x",
                                      "D1001250;02",
                                      "d1001250:02",
                                      "D100000000000000000000000000000000000:00"};
    Decimal out;
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        if (decimal_from_key(str_from(bad[i]), &out)) {
            fail_msg("%s was accepted", bad[i]);
        }
    }
    assert_true(decimal_from_key(STR("-12.50"), &out)); /* plain text is fine */
    assert_int_equal(decimal_compare(out, number("-12.5")), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(operation_when_compared_with_another_implementation_agrees),
        TEST(parse_when_exact_is_written_shortest),
        TEST(from_int_when_at_the_ends_is_exact),
        TEST(round_when_places_are_out_of_range_overflows),
        TEST(next_when_stepping_reaches_the_neighbours),
        TEST(key_when_it_fits_sorts_like_the_number),
        TEST(from_key_when_malformed_is_refused),
    };
    return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}
