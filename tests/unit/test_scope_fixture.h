/* tests/unit/test_scope_fixture.h: a fresh scope for each test, in *state. */
#ifndef TESTS_UNIT_TEST_SCOPE_FIXTURE_H
#define TESTS_UNIT_TEST_SCOPE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "runtime/task/scope.h"

static inline int scope_setup(void **state) {
    *state = scope_new();
    return *state == NULL ? -1 : 0;
}

static inline int scope_teardown(void **state) {
    scope_free(*state);
    return 0;
}

/* A test that gets its scope in *state. */
#define SCOPE_TEST(name) cmocka_unit_test_setup_teardown(name, scope_setup, scope_teardown)

#define T(literal) ((dv_text){"" literal, sizeof(literal) - 1})

#define assert_text(text, literal)                                       \
    do {                                                                 \
        dv_text got_ = (text);                                           \
        assert_int_equal(got_.len, sizeof(literal) - 1);                 \
        assert_true(str_equal((Str){got_.ptr, got_.len}, STR(literal))); \
    } while (0)

/* The scope holds this fault; forgets it. */
static inline void assert_fault(dv_scope *s, dv_fault_kind kind) {
    assert_int_equal(s->failure.kind, FAILURE_FAULT);
    assert_int_equal(s->failure.fault, kind);
    s->failure = (Failure){0};
}

#endif
