/* runtime/job/outcome.h: what the end of an attempt means for its task (J7). Pure: no clock, no
 * database, no randomness of its own. */
#ifndef RUNTIME_JOB_OUTCOME_H
#define RUNTIME_JOB_OUTCOME_H

#include "base/str.h"
#include "contract/job_limits.h"

/* Rows of one table in outcome.c. */
typedef enum OutcomeKind {
    OUTCOME_SUCCEEDED,
    OUTCOME_HANDLER_FAILED,
    OUTCOME_HANDLER_FAULT,
    OUTCOME_HANDLER_TIMEOUT,
    OUTCOME_DATABASE_UNAVAILABLE,
    OUTCOME_WORKER_SHUTDOWN,
    OUTCOME_LEASE_EXPIRED,
    OUTCOME_UNKNOWN_TARGET,
    OUTCOME_SCHEMA_MISMATCH,
    OUTCOME_INVALID_PAYLOAD,
    OUTCOME_INVALID_POLICY,
    OUTCOME_INVALID_ROW,
    OUTCOME_LOST /* the claim is gone: nothing is written */
} OutcomeKind;

/* How an attempt ended. `detail` is made of static program facts only (J7.2). */
typedef struct Outcome {
    OutcomeKind kind;
    char detail[JOB_DETAIL_MAX + 1]; /* "": none */
} Outcome;

typedef struct RetryPolicy {
    int64_t base_ms;
    int64_t max_ms;
    int32_t jitter; /* percent */
} RetryPolicy;

/* What is to be written. */
typedef struct OutcomeNext {
    const char *state;
    const char *error; /* NULL after success */
    int64_t run_at;    /* of a pending task; else the moment given */
} OutcomeNext;

/* The word of J7 for the kind; "succeeded" and "lost" for those two. Static. */
const char *outcome_word(OutcomeKind kind);

/* J7.1: min(max_ms, base_ms × 2^(attempt−1)) less up to `jitter` percent; at least 1.
 * `random` picks within the jitter: 0 takes nothing off. */
int64_t outcome_retry_delay(const RetryPolicy *policy, int64_t attempt, uint32_t random);

/* `repeated`: the row says lease_expired already (J6.4). */
OutcomeNext outcome_next(OutcomeKind kind, int64_t attempt, int64_t max_attempts, int64_t now,
                         bool repeated, const RetryPolicy *policy, uint32_t random);

#endif
