/* runtime/job/turn.h: one turn of a worker: a single control transaction (J6.6).
 *
 * Results, renewals, recovery and the next claims of a worker are written together: one disk flush
 * serves many tasks. */
#ifndef RUNTIME_JOB_TURN_H
#define RUNTIME_JOB_TURN_H

#include "runtime/job/owner.h"
#include "runtime/job/report.h"

enum { TURN_DEAD_OWNERS = 16 };

/* The parts of a worker that a turn works with. Used by the control thread alone. */
typedef struct TurnParts {
    Database *database;
    DbConnection *c; /* the worker's own */
    JobStore *store;
    JobClock *clock;
    Slots *slots;
    const Owner *owner;
    Counts *counts;
    int64_t lease_ms;
    uint32_t job_count;
    Claim *incoming;   /* one for each slot: room for what a turn claims */
    uint32_t *running; /* one for each job: scratch */
    ReportEnd *ended;  /* one for each slot: scratch */
    bool unsettled;    /* a commit failed: the table may hold claims of ours that we do not know */
} TurnParts;

/* What this turn is to do besides writing the outcomes of all done slots. */
typedef struct Turn {
    bool claim; /* as many as there are free slots */
    bool renew;
    bool recover;
    bool foreign; /* block what store_find_foreign found */
    DeadOwner dead[TURN_DEAD_OWNERS];
    uint32_t dead_count;
    bool more;        /* out: there is more to recover */
    uint32_t claimed; /* out */
} Turn;

/* Runs the turn. False: the database refused, nothing was written as far as is known, and every
 * outcome is kept for the next turn. Dead owners are buried or let go in any case. */
bool turn_run(TurnParts *parts, Turn *turn, DbError *error);

/* Deals with done slots that have nothing to write: those whose claim is gone. Those whose success
 * was committed by their own handler are dealt with too. */
void turn_collect(TurnParts *parts);

#endif
