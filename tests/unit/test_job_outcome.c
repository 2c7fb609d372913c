/* tests/unit/test_job_outcome.c: what the end of an attempt means (J7). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/job/outcome.h"

static const RetryPolicy plain = {.base_ms = 1000, .max_ms = 300000, .jitter = 0};

/* J7.1, F51: gaps double up to the maximum. */
static void delay_when_attempts_grow_doubles_to_maximum(void **state) {
    (void)state;
    static const int64_t expected[] = {1000,  2000,   4000,   8000,   16000, 32000,
                                       64000, 128000, 256000, 300000, 300000};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_int_equal(outcome_retry_delay(&plain, (int64_t)i + 1, 0xFFFFFFFF), expected[i]);
    }
}

/* F50: huge numbers are capped and stay positive. */
static void delay_when_huge_stays_positive(void **state) {
    (void)state;
    RetryPolicy huge = {.base_ms = INT64_C(1) << 40, .max_ms = INT64_MAX, .jitter = 100};
    int64_t delay = outcome_retry_delay(&huge, 100, 0);
    assert_true(delay == INT64_MAX);
    assert_true(outcome_retry_delay(&huge, 100, 0xFFFFFFFF) >= 1);
    huge.max_ms = 86400000;
    assert_int_equal(outcome_retry_delay(&huge, 100, 0), 86400000);
    OutcomeNext next =
        outcome_next(OUTCOME_HANDLER_FAILED, 99, 100, INT64_MAX - 5, false, &huge, 0);
    assert_true(next.run_at == INT64_MAX);
}

/* J7.1: jitter takes off at most its percentage and never adds. */
static void delay_when_jittered_stays_in_bounds(void **state) {
    (void)state;
    RetryPolicy policy = {.base_ms = 1000, .max_ms = 300000, .jitter = 10};
    int64_t least = 1000;
    int64_t most = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        int64_t delay = outcome_retry_delay(&policy, 1, i * 4294967u);
        least = delay < least ? delay : least;
        most = delay > most ? delay : most;
    }
    assert_in_range(least, 900, 910);
    assert_in_range(most, 990, 1000);
}

/* The table of J7, row by row: with attempts left, and without. */
static void next_when_each_outcome_follows_the_table(void **state) {
    (void)state;
    static const struct {
        OutcomeKind kind;
        const char *state;
        const char *error;
        int64_t delay;
        const char *last_state;
        const char *last_error;
    } rows[] = {
        {OUTCOME_SUCCEEDED, "succeeded", NULL, 0, "succeeded", NULL},
        {OUTCOME_HANDLER_FAILED, "pending", "handler_failed", 2000, "dead", "handler_failed"},
        {OUTCOME_HANDLER_FAULT, "pending", "handler_fault", 2000, "dead", "handler_fault"},
        {OUTCOME_HANDLER_TIMEOUT, "pending", "handler_timeout", 2000, "dead", "handler_timeout"},
        {OUTCOME_DATABASE_UNAVAILABLE, "pending", "database_unavailable", 2000, "dead",
         "database_unavailable"},
        {OUTCOME_WORKER_SHUTDOWN, "pending", "worker_shutdown", 0, "dead", "worker_shutdown"},
        {OUTCOME_LEASE_EXPIRED, "pending", "lease_expired", 0, "dead", "attempts_exhausted"},
        {OUTCOME_UNKNOWN_TARGET, "blocked", "unknown_target", 0, "blocked", "unknown_target"},
        {OUTCOME_SCHEMA_MISMATCH, "blocked", "schema_mismatch", 0, "blocked", "schema_mismatch"},
        {OUTCOME_INVALID_PAYLOAD, "blocked", "invalid_payload", 0, "blocked", "invalid_payload"},
        {OUTCOME_INVALID_POLICY, "blocked", "invalid_policy", 0, "blocked", "invalid_policy"},
        {OUTCOME_INVALID_ROW, "blocked", "invalid_row", 0, "blocked", "invalid_row"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        OutcomeNext next = outcome_next(rows[i].kind, 2, 3, 5000, false, &plain, 0);
        OutcomeNext last = outcome_next(rows[i].kind, 3, 3, 5000, false, &plain, 0);
        assert_string_equal(next.state, rows[i].state);
        assert_string_equal(last.state, rows[i].last_state);
        assert_int_equal(next.run_at, 5000 + rows[i].delay);
        assert_int_equal(last.run_at, 5000);
        if (rows[i].error == NULL) {
            assert_null(next.error);
        } else {
            assert_string_equal(next.error, rows[i].error);
            assert_string_equal(last.error, rows[i].last_error);
        }
    }
    assert_int_equal(outcome_next(OUTCOME_LEASE_EXPIRED, 2, 3, 5000, true, &plain, 0).run_at, 7000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delay_when_attempts_grow_doubles_to_maximum),
        cmocka_unit_test(delay_when_huge_stays_positive),
        cmocka_unit_test(delay_when_jittered_stays_in_bounds),
        cmocka_unit_test(next_when_each_outcome_follows_the_table),
    };
    return cmocka_run_group_tests_name("job_outcome", tests, NULL, NULL);
}
