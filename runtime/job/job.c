/* runtime/job/job.c: the start of the job system. */
#include "runtime/job/job.h"

#include <inttypes.h>

#include "contract/job_limits.h"
#include "runtime/database/transaction.h"
#include "runtime/job/attempt.h"
#include "runtime/job/job_internal.h"
#include "runtime/job/worker.h"

JobSystem job_system;

/* The one database of all jobs. Several are refused, not mistaken for one. */
static Database *find_database(const dv_program *program, DbError *error) {
    Database *found = NULL;
    for (uint32_t i = 0; i < program->job_count; i++) {
        const dv_job *job = program->jobs[i];
        Database *database = databases_find(&job->connection);
        if (database == NULL) {
            db_error(error, DV_DATABASE_CONNECTION, "%s: %s has no database in the settings",
                     job->place, job->target);
            return NULL;
        }
        if (found != NULL && database != found) {
            db_error(
                error, DV_DATABASE_CONNECTION,
                "%s: jobs on several connections are not supported yet: %s uses %s, others use %s",
                job->place, job->target, database_key(database), database_key(found));
            return NULL;
        }
        found = database;
    }
    return found;
}

/* J9.4: one writer at a time means that a finish may wait for another handler's transaction, and
 * the worker's own connection comes on top of the slots'. */
static bool check_worker(const dv_program *program, const JobOptions *options,
                         const Database *database, DbError *error) {
    if (database_max_connections(database) < (uint32_t)options->workers + 1) {
        return db_error(
            error, DV_DATABASE_CONNECTION,
            "database.%s.max_connections is %u; a worker with job.workers %d needs at least "
            "%d",
            database_key(database), database_max_connections(database), options->workers,
            options->workers + 1);
    }
    for (uint32_t i = 0; i < program->job_count; i++) {
        const dv_job *job = program->jobs[i];
        if (options->lease_ms < 2 * (int64_t)job->timeout_ms) {
            return db_error(error, DV_DATABASE_CONNECTION,
                            "job.lease_ms is %" PRId64 "; on SQLite it must be at least twice the "
                            "timeout of every job, and %s has timeout(%d) at %s",
                            options->lease_ms, job->target, job->timeout_ms, job->place);
        }
    }
    return true;
}

static bool prepare(Database *database, DbError *error) {
    DbWatch patient = {.patience_ms = DATABASE_WRITE_WAIT_MS};
    DbConnection *c = database_take(database, &patient, error);
    if (c == NULL) {
        return false;
    }
    bool ok = store_prepare(c, job_clock_now(&job_system.clock, NULL), error);
    database_give(database, c);
    return ok;
}

bool job_start(const dv_program *program, const JobOptions *options, DbError *error) {
    if (program->job_count == 0) {
        return true;
    }
    bool serves = options->serves && program->serves_jobs;
    Database *database = find_database(program, error);
    if (database == NULL || (serves && !check_worker(program, options, database, error))) {
        return false;
    }
    job_clock_init(&job_system.clock, NULL, NULL);
    if (!prepare(database, error)) {
        return false;
    }
    if (serves && (job_system.wake = wake_new(database_path(database))) == NULL) {
        return db_error(error, DV_DATABASE_CONNECTION,
                        "the system refuses what a job worker sleeps on");
    }
    job_system.program = program;
    job_system.options = *options;
    job_system.options.serves = serves;
    job_system.database = database;
    database_set_hooks(database, &attempt_hooks);
    return true;
}

void job_stop(void) {
    if (job_system.database != NULL) {
        database_set_hooks(job_system.database, NULL);
    }
    wake_free(job_system.wake);
    job_system.wake = NULL;
    job_system.database = NULL;
    job_system.program = NULL;
}

bool dv_job_serve(dv_scope *s) {
    if (job_system.database == NULL || !job_system.options.serves) {
        return true;
    }
    const dv_program *program = job_system.program;
    WorkerOptions options = {
        .job = &job_system.options,
        .jobs = program->jobs,
        .job_count = program->job_count,
        .schedules = program->schedules,
        .schedule_count = program->schedule_count,
        .built_at = program->built_at,
        .database = job_system.database,
        .clock = &job_system.clock,
        .wake = job_system.wake,
    };
    return worker_run(s, &options);
}
