/* runtime/job/job_internal.h: the job system of this process, as its own files see it. */
#ifndef RUNTIME_JOB_JOB_INTERNAL_H
#define RUNTIME_JOB_JOB_INTERNAL_H

#include "runtime/database/database.h"
#include "runtime/job/clock.h"
#include "runtime/job/job.h"
#include "runtime/job/wake.h"

/* Does not change between job_start and job_stop. */
typedef struct JobSystem {
    const dv_program *program;
    JobOptions options;
    Database *database; /* NULL: the program has no jobs, or job_start was not called */
    JobClock clock;
    Wake *wake; /* of the worker in this process; NULL: it has none */
} JobSystem;

extern JobSystem job_system;

#endif
