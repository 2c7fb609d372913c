/* Doubles as decimal text: the fewest digits, laid out plainly or as JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/float.h"

static const struct {
    double value;
    const char *plain, *json;
} cases[] = {
    {0.0, "0", "0.0"},
    {-0.0, "-0", "-0.0"},
    {8, "8", "8.0"},
    {10, "10", "10.0"},
    {-1200, "-1200", "-1200.0"},
    {0.1, "0.1", "0.1"},
    {123.456, "123.456", "123.456"},
    {0.00001, "0.00001", "0.00001"},
    {0.000001, "0.000001", "1e-6"},
    {2.5e-7, "0.00000025", "2.5e-7"},
    {1e15, "1000000000000000", "1000000000000000.0"},
    {1e16, "10000000000000000", "1e16"},
    {-1.5e21, "-1500000000000000000000", "-1.5e21"},
    {9007199254740993.0, "9007199254740992", "9007199254740992.0"},
};

static void plain_and_json_have_the_fewest_digits(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Buf plain = {0};
        Buf json = {0};
        float_plain(cases[i].value, &plain);
        float_json(cases[i].value, &json);
        assert_string_equal(plain.data, cases[i].plain);
        assert_string_equal(json.data, cases[i].json);
        buf_done(&plain);
        buf_done(&json);
    }
}

static void both_when_read_back_give_the_same_bits(void **state) {
    (void)state;
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        double value;
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t bits = random ^ random >> 29;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        Buf plain = {0};
        Buf json = {0};
        float_plain(value, &plain);
        float_json(value, &json);
        double back = strtod(plain.data, NULL);
        assert_memory_equal(&back, &value, sizeof value);
        back = strtod(json.data, NULL);
        assert_memory_equal(&back, &value, sizeof value);
        assert_true(strpbrk(json.data, ".e") != NULL);
        assert_true(strchr(plain.data, 'e') == NULL);
        buf_done(&plain);
        buf_done(&json);
    }
}

static void both_when_extreme_are_exact(void **state) {
    (void)state;
    static const double extremes[] = {DBL_MAX, -DBL_MAX, DBL_MIN, 5e-324};
    for (size_t i = 0; i < COUNT_OF(extremes); i++) {
        Buf plain = {0};
        float_plain(extremes[i], &plain);
        assert_true(strtod(plain.data, NULL) == extremes[i]);
        buf_done(&plain);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_and_json_have_the_fewest_digits),
        cmocka_unit_test(both_when_read_back_give_the_same_bits),
        cmocka_unit_test(both_when_extreme_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
