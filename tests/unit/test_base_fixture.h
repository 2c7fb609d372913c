/* tests/unit/test_base_fixture.h: what the tests of base/ and contract/ share. */
#ifndef TESTS_UNIT_TEST_BASE_FIXTURE_H
#define TESTS_UNIT_TEST_BASE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"

/* *state of every test is an arena of its own. */
static int arena_setup(void **state) {
    *state = arena_new_unlimited();
    return 0;
}

static int arena_teardown(void **state) {
    arena_free(*state);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, arena_setup, arena_teardown)

/* `what` names the row of a table. */
static inline void assert_str_of(const char *what, Str actual, const char *expected) {
    if (!str_equal(actual, str_from(expected))) {
        fail_msg("%s: expected \"%s\", found \"" STR_FMT "\"", what, expected, STR_ARG(actual));
    }
}

static inline void assert_str(Str actual, const char *expected) {
    assert_str_of("text", actual, expected);
}

#endif
