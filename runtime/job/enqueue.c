/* runtime/job/enqueue.c: dever.job.enqueue, and what a handler may ask about its task. */
#include <string.h>

#include "base/uuid.h"
#include "contract/job_limits.h"
#include "runtime/database/transaction.h"
#include "runtime/job/attempt.h"
#include "runtime/job/job_internal.h"
#include "runtime/task/scope.h"
#include "runtime/wire/wire.h"

static const char prefix[] = "business:";

/* J2.2 */
static bool make_key(dv_scope *s, dv_text key, Str *out, DbError *error) {
    const char *problem = job_key_problem((Str){.ptr = key.ptr, .len = key.len});
    if (problem != NULL) {
        return db_error(error, DV_DATABASE_INVALID_DATA, "dever.job.enqueue: %s", problem);
    }
    char *text = dv_new(s, sizeof prefix - 1 + key.len);
    if (text == NULL) {
        return false;
    }
    memcpy(text, prefix, sizeof prefix - 1);
    memcpy(text + sizeof prefix - 1, key.ptr, key.len);
    *out = (Str){.ptr = text, .len = sizeof prefix - 1 + key.len};
    return true;
}

/* J2.5: what has no wire form, or too large a one, is refused before anything is stored. */
static bool encode(const dv_job *job, const void *input, Buf *payload, DbError *error) {
    payload->limit = JOB_PAYLOAD_MAX;
    WireError wrong;
    if (job->input == NULL || wire_encode(job->input, input, payload, &wrong)) {
        return true;
    }
    return db_error(error, DV_DATABASE_INVALID_DATA, "the input of %s cannot be stored: %s: %s",
                    job->target, wrong.path, wrong.message);
}

static bool store(dv_scope *s, NewTask *task, const int64_t *run_at, char id[TASK_ID_SIZE],
                  DbError *error) {
    int64_t now = job_clock_now(&job_system.clock, NULL);
    task->run_at = run_at == NULL ? now : *run_at;
    uuid_text(uuid_v7(now), id);
    bool made = false;
    if (!store_enqueue(transaction_connection(s), now, task, id, &made, error)) {
        return false;
    }
    if (made) {
        transaction_note_due(s, task->run_at);
    }
    return true;
}

static bool enqueue(dv_scope *s, const dv_job *job, const void *input, dv_text key,
                    const int64_t *run_at, Buf *payload, char id[TASK_ID_SIZE], DbError *error) {
    NewTask task = {.job = job, .has_payload = job->input != NULL};
    if (!make_key(s, key, &task.key, error) || !encode(job, input, payload, error)) {
        return transaction_fail(s, error, NULL);
    }
    task.payload = buf_str(payload);
    if (job_system.database == NULL) {
        db_error(error, DV_DATABASE_CONNECTION, "%s has no database in the settings", job->target);
        return transaction_fail(s, error, NULL);
    }
    if (!transaction_begin(s, job_system.database)) {
        return false;
    }
    bool ok = store(s, &task, run_at, id, error);
    return transaction_end(s, ok || transaction_fail(s, error, NULL));
}

bool dv_job_enqueue(dv_scope *s, const dv_job *job, const void *input, dv_text key,
                    const int64_t *run_at, dv_text *id) {
    DbError error = {0};
    Buf payload = {0};
    char text[TASK_ID_SIZE];
    bool ok = enqueue(s, job, input, key, run_at, &payload, text, &error);
    buf_done(&payload);
    if (!ok) {
        return false;
    }
    char *copy = dv_new(s, TASK_ID_SIZE);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, text, TASK_ID_SIZE);
    *id = (dv_text){.ptr = copy, .len = TASK_ID_SIZE - 1};
    return true;
}

/* ---- what a handler may ask ---- */

bool dv_job_id(dv_scope *s, dv_maybe_text *id) {
    const Attempt *attempt = attempt_of(s);
    *id = (dv_maybe_text){.present = attempt != NULL};
    if (attempt != NULL) {
        id->value = (dv_text){.ptr = attempt->claim->id, .len = TASK_ID_SIZE - 1};
    }
    return true;
}

bool dv_job_attempt(dv_scope *s, dv_maybe_int *attempt) {
    const Attempt *running = attempt_of(s);
    *attempt = (dv_maybe_int){.present = running != NULL,
                              .value = running == NULL ? 0 : running->claim->attempt};
    return true;
}
