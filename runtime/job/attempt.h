/* runtime/job/attempt.h: one attempt of a task: from its claim to its outcome, on the thread of a
 * slot. */
#ifndef RUNTIME_JOB_ATTEMPT_H
#define RUNTIME_JOB_ATTEMPT_H

#include "runtime/database/database.h"
#include "runtime/job/clock.h"
#include "runtime/job/store.h"

/* Why a handler was cancelled; the first reason stays. */
typedef enum CancelReason {
    CANCEL_NONE,
    CANCEL_TIMEOUT,
    CANCEL_LOST,
    CANCEL_SHUTDOWN
} CancelReason;

/* What the scope of a handler knows of its task (the scope's `task`). Used by one thread. */
typedef struct Attempt {
    const Claim *claim;
    JobClock *clock;
    bool completed; /* succeeded was committed in the handler's own transaction */
    bool refused;   /* a commit was refused because the claim is gone */
    bool not_begun; /* the last thing the handler met: no transaction could be begun */
} Attempt;

/* How the runner and whoever may cancel it meet. Called on the slot's thread. */
typedef struct AttemptEvents {
    /* The scope exists and may be cancelled from now on; false: it was cancelled before. */
    bool (*opened)(void *self, dv_scope *scope);
    /* The handler is about to start: its time runs from now. */
    void (*started)(void *self);
    /* The scope is about to go; tells why it was cancelled. */
    CancelReason (*closing)(void *self);
    void *self;
} AttemptEvents;

/* Runs the claimed task to its end and fills *outcome. *out_written: success is in the database
 * already. */
void attempt_run(const Claim *claim, JobClock *clock, const AttemptEvents *events, Outcome *outcome,
                 bool *out_written);

/* The hooks for the transactions of the queue's database: the claim check of J7.3, the wake-up of
 * J2.6. */
extern const TransactionHooks attempt_hooks;

/* The attempt that the scope runs for; NULL outside a job. */
Attempt *attempt_of(dv_scope *s);

#endif
