/* runtime/job/job.h: the job system as the start of a program sees it.
 *
 * dv_job_enqueue and dv_job_serve (dever/job.h) work on what job_start was given. */
#ifndef RUNTIME_JOB_JOB_H
#define RUNTIME_JOB_JOB_H

#include <dever/program.h>

#include "runtime/database/driver.h"

/* What the settings say (J9.3), already checked against their ranges. */
typedef struct JobOptions {
    bool serves; /* false in api mode: dv_job_serve returns at once */
    int32_t workers;
    int64_t poll_ms;
    int64_t lease_ms;
    int64_t retry_base_ms;
    int64_t retry_max_ms;
    int32_t retry_jitter; /* percent */
    int64_t deploy_grace_ms;
} JobOptions;

/* Makes or checks the queue's tables in the database of the program's jobs (which must be open and
 * known by name), and hangs the hooks on its transactions. Does nothing for a program without jobs.
 * At the start, by one thread, before any invocation. `program` is borrowed until job_stop. When
 * options->serves it also refuses what J9.4 forbids. */
bool job_start(const dv_program *program, const JobOptions *options, DbError *error);
/* After the last invocation. */
void job_stop(void);

#endif
