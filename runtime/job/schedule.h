/* runtime/job/schedule.h: the schedules of a worker (J8): cursors in the database, and what they
 * make.
 *
 * Used by the control thread. Each schedule is its own transaction, so that one that fails does not
 * hold up the others; a round in which nothing is due only reads, or does nothing at all. */
#ifndef RUNTIME_JOB_SCHEDULE_H
#define RUNTIME_JOB_SCHEDULE_H

#include <dever/job.h>

#include "runtime/database/database.h"
#include "runtime/job/clock.h"

typedef struct Schedules Schedules;

/* `built_at`: of the program (J8.7). NULL without memory. Everything is borrowed. */
Schedules *schedules_new(const dv_schedule *schedules, uint32_t count, int64_t built_at);
void schedules_free(Schedules *schedules);

/* When schedules_run has something to do, in epoch ms; INT64_MAX without schedules. */
int64_t schedules_next(const Schedules *schedules);

/* Makes what is due at `now`, and the cursors that are missing. *out_made counts the tasks. A
 * schedule whose transaction fails is logged and tried again; false only when the database could
 * not be reached at all, with *error filled. */
bool schedules_run(Schedules *schedules, Database *database, DbConnection *c, JobClock *clock,
                   uint32_t *out_made, DbError *error);

/* Once a minute: tells the database that this worker lives and serves its schedules. One
 * transaction. */
bool schedules_seen(Schedules *schedules, Database *database, DbConnection *c, JobClock *clock,
                    DbError *error);

#endif
