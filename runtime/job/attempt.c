/* runtime/job/attempt.c: decode, call the handler, tell what became of it.
 *
 * The claim check of J7.3 lives here too: it is asked before every commit of a transaction that the
 * handler opens on the queue's database, the implicit ones included. */
#include "runtime/job/attempt.h"

#include <stdio.h>
#include <string.h>

#include "runtime/database/transaction.h"
#include "runtime/job/job_internal.h"
#include "runtime/task/scope.h"
#include "runtime/wire/wire.h"

enum { WAKE_WITHIN_MS = 60000 }; /* J2.6 */

Attempt *attempt_of(dv_scope *s) {
    return s->task;
}

/* ---- transactions ---- */

/* Locked by its own transaction, the row cannot change between this check and the commit. */
static bool before_commit(dv_scope *s, DbConnection *c, DbError *error) {
    Attempt *attempt = attempt_of(s);
    if (attempt == NULL) {
        return true;
    }
    int64_t now = job_clock_now(attempt->clock, NULL);
    bool completes = attempt->claim->job->completes_in_transaction;
    bool held = false;
    bool asked = completes ? store_complete(c, now, attempt->claim, &held, error)
                           : store_claim_holds(c, now, attempt->claim, &held, error);
    if (!asked) {
        return false;
    }
    if (!held) {
        attempt->refused = true;
        scope_cancel(s);
        return db_error(error, DV_DATABASE_CANCELLED,
                        "the worker has lost this task: its transaction is rolled back");
    }
    return true;
}

static void after_end(dv_scope *s, bool committed, int64_t due) {
    Attempt *attempt = attempt_of(s);
    if (attempt != NULL && committed && attempt->claim->job->completes_in_transaction) {
        attempt->completed = true;
    }
    if (!committed || due == INT64_MAX ||
        due > job_clock_now(&job_system.clock, NULL) + WAKE_WITHIN_MS) {
        return;
    }
    if (job_system.wake != NULL) {
        wake_post_due(job_system.wake, due);
    }
    wake_others(database_path(job_system.database));
}

static void not_begun(dv_scope *s) {
    Attempt *attempt = attempt_of(s);
    if (attempt != NULL) {
        attempt->not_begun = true;
    }
}

const TransactionHooks attempt_hooks = {
    .before_commit = before_commit,
    .after_end = after_end,
    .not_begun = not_begun,
};

/* ---- the run ---- */

/* The input of the handler, a value of job->input in the scope's memory. False: the payload is not
 * what the job takes (J7.4). */
static bool decode(dv_scope *s, const Claim *claim, void **out_input) {
    const dv_job *job = claim->job;
    *out_input = NULL;
    if (claim->payload_broken || claim->has_payload != (job->input != NULL)) {
        return false;
    }
    if (job->input == NULL) {
        return true;
    }
    WireError wrong;
    *out_input = dv_new(s, job->input->size);
    return *out_input != NULL &&
           wire_decode(s, job->input, buf_str(&claim->payload), *out_input, &wrong);
}

/* J7.2: the failing type and variant or the fault's kind, and the innermost place. */
static void describe(dv_scope *s, Outcome *outcome) {
    char what[256];
    scope_failure_name(s, what, sizeof what);
    const char *place = scope_failure_place(s);
    snprintf(outcome->detail, sizeof outcome->detail, "%s%s%.250s", what, place == NULL ? "" : " ",
             place == NULL ? "" : place);
}

static void judge(dv_scope *s, const Attempt *attempt, CancelReason cancelled, bool ok,
                  Outcome *outcome) {
    static const OutcomeKind by_reason[] = {
        [CANCEL_TIMEOUT] = OUTCOME_HANDLER_TIMEOUT,
        [CANCEL_LOST] = OUTCOME_LOST,
        [CANCEL_SHUTDOWN] = OUTCOME_WORKER_SHUTDOWN,
    };
    if (attempt->completed || (ok && !attempt->refused)) {
        outcome->kind = OUTCOME_SUCCEEDED;
        return;
    }
    if (attempt->refused) {
        outcome->kind = OUTCOME_LOST;
        return;
    }
    if (cancelled != CANCEL_NONE) {
        outcome->kind = by_reason[cancelled];
        snprintf(outcome->detail, sizeof outcome->detail, "%s", attempt->claim->job->place);
        return;
    }
    outcome->kind = scope_has_fault(s) ? OUTCOME_HANDLER_FAULT : OUTCOME_HANDLER_FAILED;
    if (attempt->not_begun && attempt->claim->job->completes_in_transaction) {
        outcome->kind = OUTCOME_DATABASE_UNAVAILABLE; /* no App code has run */
    }
    describe(s, outcome);
}

void attempt_run(const Claim *claim, JobClock *clock, const AttemptEvents *events, Outcome *outcome,
                 bool *out_written) {
    Attempt attempt = {.claim = claim, .clock = clock};
    *outcome = (Outcome){.kind = OUTCOME_HANDLER_FAULT};
    *out_written = false;
    dv_scope *s = scope_new();
    if (s == NULL) {
        snprintf(outcome->detail, sizeof outcome->detail, "memory %s", claim->job->place);
        return;
    }
    s->task = &attempt;
    bool go = events->opened(events->self, s);
    if (!go) {
        scope_cancel(s);
    }
    void *input = NULL;
    bool decoded = decode(s, claim, &input);
    bool ok = false;
    if (decoded && go) {
        events->started(events->self);
        ok = claim->job->handler(s, input);
        transaction_abandon(s);
    }
    CancelReason cancelled = events->closing(events->self);
    if (decoded) {
        judge(s, &attempt, cancelled, ok, outcome);
    } else {
        outcome->kind = cancelled == CANCEL_LOST ? OUTCOME_LOST : OUTCOME_INVALID_PAYLOAD;
        snprintf(outcome->detail, sizeof outcome->detail, "%s", claim->job->place);
    }
    *out_written = attempt.completed;
    scope_free(s);
}
