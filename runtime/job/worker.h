/* runtime/job/worker.h: the worker: one control thread, its slots, and the order of its work. */
#ifndef RUNTIME_JOB_WORKER_H
#define RUNTIME_JOB_WORKER_H

#include <dever/program.h>

#include "runtime/database/database.h"
#include "runtime/job/clock.h"
#include "runtime/job/job.h"
#include "runtime/job/wake.h"

typedef struct WorkerOptions {
    const JobOptions *job;
    const dv_job *const *jobs; /* all of the database's */
    uint32_t job_count;
    const dv_schedule *schedules;
    uint32_t schedule_count;
    int64_t built_at;
    Database *database;
    JobClock *clock;
    Wake *wake;
} WorkerOptions;

/* Works on the calling thread until the program is asked to stop (J9.5). False after recording a
 * failure in the scope: the worker could not start. */
bool worker_run(dv_scope *s, const WorkerOptions *options);

/* The longest timeout that a lease allows on SQLite, today's limit included (J9.4). */
int64_t worker_longest_timeout(int64_t lease_ms);

#endif
