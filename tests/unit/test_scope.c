/* Failures, their way, and cancellation of a scope. */
#include "tests/unit/test_scope_fixture.h"

#include <pthread.h>
#include <string.h>

#include "base/clock.h"

/* error NotFound · error Refused(reason: Text) */
typedef struct ShopError {
    int32_t tag;
    union {
        struct {
            dv_text reason;
        } refused;
    } as;
} ShopError;

static const dv_field refused_fields[] = {
    {.name = "reason", .type = &dv_type_text, .offset = offsetof(ShopError, as.refused.reason)}};
static const dv_variant variants[] = {
    {.name = "NotFound", .is_error = true},
    {.name = "Refused", .is_error = true, .field_count = 1, .fields = refused_fields}};
static const dv_type shop_error = {.kind = DV_CHOICE,
                                   .size = sizeof(ShopError),
                                   .name = "shop.order.app.ShopError",
                                   .count = 2,
                                   .variants = variants};
static const dv_type other_error = {.kind = DV_CHOICE,
                                    .size = sizeof(ShopError),
                                    .name = "shop.order.app.OtherError",
                                    .count = 2,
                                    .variants = variants};

static const ShopError refused = {.tag = 1, .as.refused.reason = {"closed", 6}};

static void fail_when_business_has_the_name_and_the_places(void **state) {
    dv_scope *s = *state;
    assert_false(dv_fail(s, &shop_error, &refused, "a.dever:1:2"));
    assert_false(dv_at(s, "b.dever:3:4"));
    char name[128];
    scope_failure_name(s, name, sizeof name);
    assert_string_equal(name, "shop.order.app.ShopError.Refused");
    assert_string_equal(scope_failure_place(s), "a.dever:1:2");
    Buf trace = {0};
    scope_failure_trace(s, &trace);
    assert_string_equal(trace.data, "b.dever:3:4: a.dever:1:2: shop.order.app.ShopError.Refused");
    buf_done(&trace);
}

static void fail_when_value_changes_afterwards_keeps_its_copy(void **state) {
    dv_scope *s = *state;
    ShopError value = refused;
    dv_fail(s, &shop_error, &value, NULL);
    value.tag = 0;
    ShopError caught;
    assert_true(dv_caught(s, &shop_error, &caught));
    assert_int_equal(caught.tag, 1);
    assert_text(caught.as.refused.reason, "closed");
}

static void caught_when_of_its_type_clears_the_scope(void **state) {
    dv_scope *s = *state;
    ShopError caught;
    dv_fail(s, &shop_error, &refused, "a.dever:1:2");
    assert_false(dv_caught(s, &other_error, &caught));
    assert_int_equal(s->failure.kind, FAILURE_BUSINESS);
    assert_true(dv_caught(s, &shop_error, &caught));
    assert_int_equal(s->failure.kind, FAILURE_NONE);
    assert_int_equal(s->failure.place_count, 0);
    assert_false(dv_caught(s, &shop_error, &caught));
}

static void caught_when_fault_or_cancelled_leaves_it(void **state) {
    dv_scope *s = *state;
    ShopError caught;
    dv_fault(s, DV_FAULT_DIVISION, "Int // 0");
    assert_false(dv_caught(s, &shop_error, &caught));
    assert_fault(s, DV_FAULT_DIVISION);
    scope_cancel(s);
    assert_false(dv_step(s));
    assert_false(dv_caught(s, &shop_error, &caught));
    assert_int_equal(s->failure.kind, FAILURE_CANCELLED);
}

static void at_when_many_places_keeps_the_innermost_and_counts(void **state) {
    dv_scope *s = *state;
    dv_fault(s, DV_FAULT_OVERFLOW, NULL);
    dv_at(s, "inner:1:1");
    dv_at(s, "inner:1:1"); /* named again by the caller: one place */
    for (int i = 0; i < SCOPE_PLACES_MOST + 2; i++) {
        dv_at(s, i % 2 == 0 ? "outer:1:1" : "outer:2:1");
    }
    assert_string_equal(scope_failure_place(s), "inner:1:1");
    assert_int_equal(s->failure.place_count, SCOPE_PLACES_MOST);
    Buf trace = {0};
    scope_failure_trace(s, &trace);
    assert_true(str_starts_with(buf_str(&trace), STR("… 3 more: outer:1:1: ")));
    assert_true(str_ends_with(buf_str(&trace), STR("inner:1:1: overflow")));
    buf_done(&trace);
}

static void new_when_too_large_is_a_fault(void **state) {
    dv_scope *s = *state;
    assert_non_null(dv_new(s, 100));
    assert_null(dv_new(s, (size_t)SCOPE_MEMORY_MOST + 1));
    assert_fault(s, DV_FAULT_MEMORY);
    assert_null(dv_new(s, SIZE_MAX));
    assert_fault(s, DV_FAULT_MEMORY);
}

static void sleep_when_over_returns_true(void **state) {
    dv_scope *s = *state;
    int64_t from = clock_monotonic_ms();
    assert_true(scope_sleep(s, 3));
    assert_true(clock_monotonic_ms() - from >= 2);
    assert_true(scope_sleep(s, 0));
}

static void *cancel(void *s) {
    scope_cancel(s);
    return NULL;
}

static void sleep_when_cancelled_by_another_thread_ends(void **state) {
    dv_scope *s = *state;
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, cancel, s), 0);
    assert_false(scope_sleep(s, INT64_MAX));
    assert_int_equal(s->failure.kind, FAILURE_CANCELLED);
    pthread_join(other, NULL);
    assert_true(scope_is_cancelled(s));
}

static void sleep_when_cancelled_before_does_not_sleep(void **state) {
    dv_scope *s = *state;
    scope_cancel(s);
    assert_false(scope_sleep(s, INT64_MAX));
    assert_false(dv_step(s));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCOPE_TEST(fail_when_business_has_the_name_and_the_places),
        SCOPE_TEST(fail_when_value_changes_afterwards_keeps_its_copy),
        SCOPE_TEST(caught_when_of_its_type_clears_the_scope),
        SCOPE_TEST(caught_when_fault_or_cancelled_leaves_it),
        SCOPE_TEST(at_when_many_places_keeps_the_innermost_and_counts),
        SCOPE_TEST(new_when_too_large_is_a_fault),
        SCOPE_TEST(sleep_when_over_returns_true),
        SCOPE_TEST(sleep_when_cancelled_by_another_thread_ends),
        SCOPE_TEST(sleep_when_cancelled_before_does_not_sleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
