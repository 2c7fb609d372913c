/* runtime/job/store.h: the queue in the database: every rule about rows, no thread and no waiting.
 *
 * A JobStore belongs to one thread and is used with one connection. Functions marked [write] must
 * run inside a transaction of that connection, with `now` read after the transaction began (J5.1);
 * the others only read. A false result means that the database failed; the transaction must then be
 * rolled back. Times are epoch milliseconds. */
#ifndef RUNTIME_JOB_STORE_H
#define RUNTIME_JOB_STORE_H

#include <dever/job.h>

#include "base/buf.h"
#include "runtime/database/driver.h"
#include "runtime/job/outcome.h"

enum {
    TASK_ID_SIZE = 37,     /* UUID text and its NUL */
    CLAIM_TOKEN_SIZE = 33, /* 128 random bits in hex */
    WORKER_ID_SIZE = 17,   /* 64 random bits in hex */
    SWEEP_ROWS = 100       /* rows that one sweep changes at most */
};

/* ---- tables (J4) ---- */

/* Makes the tables, or sees that they are right: another version or other tables are refused with
 * both versions in the message. Takes the write lock only to make them. */
bool store_prepare(DbConnection *c, int64_t now, DbError *error);

/* ---- enqueue (J2) ---- */

typedef struct NewTask {
    const dv_job *job;
    Str key; /* "business:…" or "schedule:…" */
    bool has_payload;
    Str payload; /* JSON */
    int64_t run_at;
} NewTask;

/* [write] Stores the task under the id given, or, when an active one has the key, changes nothing
 * and puts that task's id into `id`. */
bool store_enqueue(DbConnection *c, int64_t now, const NewTask *task, char id[TASK_ID_SIZE],
                   bool *out_made, DbError *error);

/* ---- a worker's view ---- */

typedef struct StoreOptions {
    const dv_job *const *jobs; /* all of the queue's connection; borrowed */
    uint32_t job_count;
    int64_t lease_ms;
    RetryPolicy retry;
    int64_t grace_ms;           /* J7.5 */
    int64_t longest_timeout_ms; /* today's limit, J9.4 included */
    const char *worker;         /* WORKER_ID_SIZE; borrowed */
} StoreOptions;

typedef struct JobStore JobStore;

/* NULL without memory. */
JobStore *store_new(const StoreOptions *options);
void store_free(JobStore *store);

/* Something a transaction did to a task that runs nowhere in this process; to be logged after the
 * commit. */
typedef struct StoreEvent {
    struct StoreEvent *next;
    Str id;
    Str target;
    int64_t attempt;
    int64_t max_attempts;
    OutcomeNext end;
} StoreEvent;

/* Forgets the events and the memory of the turn before. */
void store_turn(JobStore *store);
/* In the order in which they happened; valid until store_turn. */
const StoreEvent *store_events(const JobStore *store);

/* A running task of this worker. */
typedef struct Claim {
    const dv_job *job;
    uint32_t job_index;
    char id[TASK_ID_SIZE];
    char token[CLAIM_TOKEN_SIZE];
    int64_t attempt;
    int64_t max_attempts;
    int64_t timeout_ms;
    int64_t lease_until; /* by the database's clock */
    bool payload_broken; /* no text, or too long to be ours */
    bool has_payload;
    Buf payload; /* the owner of the claim calls buf_done */
} Claim;

/* The slots of the worker, for J6.10. */
typedef struct StoreLoad {
    uint32_t slots;
    const uint32_t *running; /* tasks of each job that this worker holds */
} StoreLoad;

/* [write] Takes up to `wanted` due tasks of this program, in the order (run_at, id). Rows that must
 * not run are blocked on the way. claims[] must have empty or reusable payload buffers. */
bool store_claim(JobStore *store, DbConnection *c, int64_t now, const StoreLoad *load,
                 uint32_t wanted, Claim *claims, uint32_t *out_count, DbError *error);

/* Reads the tasks that the table says this worker runs, at most `room`: after a commit whose end is
 * unknown. Tasks of jobs that are not ours cannot be among them. */
bool store_mine(JobStore *store, DbConnection *c, Claim *claims, uint32_t room, uint32_t *out_count,
                DbError *error);

typedef enum WriteResult {
    WRITE_DONE,
    WRITE_DONE_BEFORE, /* by an earlier commit whose end was unknown */
    WRITE_LOST         /* the claim is gone; nothing changed */
} WriteResult;

/* [write] The end of an attempt, guarded. *out_next tells what was written. Never for OUTCOME_LOST.
 */
bool store_finish(JobStore *store, DbConnection *c, int64_t now, const Claim *claim,
                  const Outcome *outcome, WriteResult *out_result, OutcomeNext *out_next,
                  DbError *error);
/* [write] lease_until = now + lease_ms, guarded; updates the claim. */
bool store_renew(JobStore *store, DbConnection *c, int64_t now, Claim *claim,
                 WriteResult *out_result, DbError *error);

/* [write, any thread's transaction] Marks the task succeeded, guarded: false in *out_held when the
 * claim is gone. For the handler's own transaction (J7.3). */
bool store_complete(DbConnection *c, int64_t now, const Claim *claim, bool *out_held,
                    DbError *error);
/* [write, any thread's transaction] Is the claim still ours? */
bool store_claim_holds(DbConnection *c, int64_t now, const Claim *claim, bool *out_held,
                       DbError *error);

/* [write] Puts expired tasks back, or to dead: at most SWEEP_ROWS. *out_more: there may be others.
 */
bool store_recover(JobStore *store, DbConnection *c, int64_t now, bool *out_more, DbError *error);

/* Is something expired? When is the next task of this program due (INT64_MAX: none is pending)? */
bool store_expired(JobStore *store, DbConnection *c, int64_t now, bool *out_any, DbError *error);
bool store_next_due(JobStore *store, DbConnection *c, int64_t *out_run_at, DbError *error);

/* The workers that hold tasks, without this one: calls `each` for every one until it returns false.
 */
bool store_owners(JobStore *store, DbConnection *c, bool (*each)(void *self, Str worker),
                  void *self, DbError *error);
/* [write] Ends the leases of a worker whose process is proved dead (J6.12). */
bool store_end_owner(DbConnection *c, int64_t now, Str worker, DbError *error);

/* J7.5: finds tasks of other programs that waited out the grace, at most SWEEP_ROWS, and keeps them
 * in the store until store_turn. */
bool store_find_foreign(JobStore *store, DbConnection *c, int64_t now, uint32_t *out_count,
                        DbError *error);
/* [write] Blocks those that are still so. */
bool store_block_foreign(JobStore *store, DbConnection *c, int64_t now, DbError *error);

#endif
