/* runtime/job/outcome.c: the table of J7 and the retry delay. */
#include "runtime/job/outcome.h"

#include <string.h>

typedef enum Then { THEN_SUCCEEDED, THEN_LATER, THEN_NOW, THEN_BLOCKED, THEN_NOTHING } Then;

static const struct {
    const char *word;
    Then then;
    const char *last; /* the error when no attempt is left, if it is another word */
} rules[] = {
    [OUTCOME_SUCCEEDED] = {"succeeded", THEN_SUCCEEDED, NULL},
    [OUTCOME_HANDLER_FAILED] = {"handler_failed", THEN_LATER, NULL},
    [OUTCOME_HANDLER_FAULT] = {"handler_fault", THEN_LATER, NULL},
    [OUTCOME_HANDLER_TIMEOUT] = {"handler_timeout", THEN_LATER, NULL},
    [OUTCOME_DATABASE_UNAVAILABLE] = {"database_unavailable", THEN_LATER, NULL},
    [OUTCOME_WORKER_SHUTDOWN] = {"worker_shutdown", THEN_NOW, NULL},
    [OUTCOME_LEASE_EXPIRED] = {"lease_expired", THEN_NOW, "attempts_exhausted"},
    [OUTCOME_UNKNOWN_TARGET] = {"unknown_target", THEN_BLOCKED, NULL},
    [OUTCOME_SCHEMA_MISMATCH] = {"schema_mismatch", THEN_BLOCKED, NULL},
    [OUTCOME_INVALID_PAYLOAD] = {"invalid_payload", THEN_BLOCKED, NULL},
    [OUTCOME_INVALID_POLICY] = {"invalid_policy", THEN_BLOCKED, NULL},
    [OUTCOME_INVALID_ROW] = {"invalid_row", THEN_BLOCKED, NULL},
    [OUTCOME_LOST] = {"lost", THEN_NOTHING, NULL},
};

const char *outcome_word(OutcomeKind kind) {
    return rules[kind].word;
}

int64_t outcome_retry_delay(const RetryPolicy *policy, int64_t attempt, uint32_t random) {
    int64_t delay = policy->base_ms;
    for (int64_t doubled = 1; doubled < attempt && delay < policy->max_ms; doubled++) {
        delay = delay > policy->max_ms / 2 ? policy->max_ms : delay * 2;
    }
    if (delay > policy->max_ms) {
        delay = policy->max_ms;
    }
    /* `off` counts 2^-20 of the delay; in two parts, so that no product can overflow. */
    int64_t off = (int64_t)(random >> 12) * policy->jitter / 100;
    delay -= (delay >> 20) * off + (((delay & 0xFFFFF) * off) >> 20);
    return delay < 1 ? 1 : delay;
}

OutcomeNext outcome_next(OutcomeKind kind, int64_t attempt, int64_t max_attempts, int64_t now,
                         bool repeated, const RetryPolicy *policy, uint32_t random) {
    Then then = rules[kind].then;
    const char *word = rules[kind].word;
    if (then == THEN_SUCCEEDED) {
        return (OutcomeNext){.state = "succeeded", .error = NULL, .run_at = now};
    }
    if (then == THEN_BLOCKED) {
        return (OutcomeNext){.state = "blocked", .error = word, .run_at = now};
    }
    if (attempt >= max_attempts) {
        return (OutcomeNext){.state = "dead",
                             .error = rules[kind].last != NULL ? rules[kind].last : word,
                             .run_at = now};
    }
    int64_t run_at = now;
    if (then == THEN_LATER || (kind == OUTCOME_LEASE_EXPIRED && repeated)) {
        int64_t delay = outcome_retry_delay(policy, attempt, random);
        run_at = now > INT64_MAX - delay ? INT64_MAX : now + delay;
    }
    return (OutcomeNext){.state = "pending", .error = word, .run_at = run_at};
}
