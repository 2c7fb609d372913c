/* dever/job.h: jobs and schedules of a program, and enqueueing. */
#ifndef DEVER_JOB_H
#define DEVER_JOB_H

#include <dever/database.h>

typedef struct dv_job {
    const char *target;      /* "content.article.job.publish" */
    const char *schema;      /* canonical schema text of the payload */
    const char *fingerprint; /* "v1:…" */
    dv_connection_name connection;
    const dv_type *input; /* NULL: no input */
    int32_t max_attempts; /* retry(n) */
    int32_t timeout_ms;
    /* The body is one call of a `transaction` App function on the job's connection: success is
     * written inside that transaction. */
    bool completes_in_transaction;
    bool (*handler)(dv_scope *s, const void *input);
    const char *place; /* of the declaration */
} dv_job;

typedef struct dv_schedule {
    const dv_job *job;
    const char *cron; /* valid: checked by the compiler */
} dv_schedule;

/* dever.job.enqueue and enqueue_at: `input` is a value of job->input or NULL, `run_at` in epoch
 * milliseconds or NULL for now. Sets *id to the new task's Id, or to that of the active task with this
 * key. Inside a transaction it is part of it. */
bool dv_job_enqueue(dv_scope *s, const dv_job *job, const void *input, dv_text key,
                    const int64_t *run_at, dv_text *id);

/* dever.job.id(), dever.job.attempt(): null outside a job. */
bool dv_job_id(dv_scope *s, dv_maybe_text *id);
bool dv_job_attempt(dv_scope *s, dv_maybe_int *attempt);

/* dever.job.serve(): the worker. Returns when the program is asked to stop. */
bool dv_job_serve(dv_scope *s);

#endif
