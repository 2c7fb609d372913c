/* tests/unit/test_job_fixture.h: a queue in a temporary folder, with three jobs and a clock in
 * hand. */
#ifndef TESTS_UNIT_TEST_JOB_FIXTURE_H
#define TESTS_UNIT_TEST_JOB_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/database/sqlite.h"
#include "runtime/job/store.h"

enum { FIXTURE_JOBS = 3, FIXTURE_SLOTS = 8, LEASE_MS = 60000 };

static const int64_t START = INT64_C(1764590400000); /* 2025-12-01T12:00:00Z */

static const dv_job job_mail = {.target = "shop.order.job.mail",
                                .schema = "()",
                                .fingerprint = "v1:mail",
                                .max_attempts = 3,
                                .timeout_ms = 1000,
                                .place = "job.dever:1:1"};
static const dv_job job_pack = {.target = "shop.order.job.pack",
                                .schema = "()",
                                .fingerprint = "v1:pack",
                                .max_attempts = 1,
                                .timeout_ms = 1000,
                                .place = "job.dever:2:1"};
static const dv_job job_ship = {.target = "shop.order.job.ship",
                                .schema = "()",
                                .fingerprint = "v1:ship",
                                .max_attempts = 5,
                                .timeout_ms = 1000,
                                .place = "job.dever:3:1"};
static const dv_job *const fixture_jobs[FIXTURE_JOBS] = {&job_mail, &job_pack, &job_ship};

typedef struct Fixture {
    char folder[64];
    char path[96];
    DbConnection *c;
    JobStore *store;
    int64_t now;
    uint32_t running[FIXTURE_JOBS];
    Claim claims[FIXTURE_SLOTS];
    uint32_t count; /* of claims, by the last fixture_claim */
    int next_id;
} Fixture;

static const DbWatch fixture_patient = {.patience_ms = 5000};

#define OK(condition)                                             \
    do {                                                          \
        if (!(condition)) {                                       \
            fail_msg("%s failed: %s", #condition, error.message); \
        }                                                         \
    } while (0)

static inline JobStore *fixture_store(const char *worker, const dv_job *const *jobs, uint32_t count,
                                      int64_t grace_ms) {
    StoreOptions options = {.jobs = jobs,
                            .job_count = count,
                            .lease_ms = LEASE_MS,
                            .retry = {.base_ms = 1000, .max_ms = 300000, .jitter = 0},
                            .grace_ms = grace_ms,
                            .longest_timeout_ms = 30000,
                            .worker = worker};
    return store_new(&options);
}

static inline int fixture_setup(void **state) {
    Fixture *f = calloc(1, sizeof *f);
    DbError error = {0};
    strcpy(f->folder, "/tmp/dever-job-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->path, sizeof f->path, "%s/queue.db", f->folder);
    OK((f->c = sqlite_open(f->path, &error)) != NULL);
    db_watch(f->c, &fixture_patient);
    f->now = START;
    OK(store_prepare(f->c, f->now, &error));
    f->store = fixture_store("00000000000000aa", fixture_jobs, FIXTURE_JOBS, 300000);
    assert_non_null(f->store);
    *state = f;
    return 0;
}

static inline int fixture_teardown(void **state) {
    Fixture *f = *state;
    for (int i = 0; i < FIXTURE_SLOTS; i++) {
        buf_done(&f->claims[i].payload);
    }
    store_free(f->store);
    db_close(f->c);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", f->folder);
    int status = system(command);
    free(f);
    return status;
}

/* Runs SQL of the test itself. */
static inline void fixture_sql(Fixture *f, const char *sql) {
    DbError error = {0};
    OK(db_execute(f->c, sql, &error));
}

/* The first column of the first row, as a number or a text in a static buffer. */
static inline int64_t fixture_number(Fixture *f, const char *sql) {
    DbError error = {0};
    DbStatement *q;
    OK((q = db_query(f->c, sql, NULL, 0, &error)) != NULL);
    int64_t number = INT64_MIN;
    if (db_step(f->c, q, &error) == DB_ROW) {
        number = db_column(f->c, q, 0).integer;
    }
    db_reset(f->c, q);
    return number;
}

static inline const char *fixture_text(Fixture *f, const char *sql) {
    static char text[1024];
    DbError error = {0};
    DbStatement *q;
    OK((q = db_query(f->c, sql, NULL, 0, &error)) != NULL);
    strcpy(text, "(no row)");
    if (db_step(f->c, q, &error) == DB_ROW) {
        DbValue value = db_column(f->c, q, 0);
        if (value.kind == DB_NULL) {
            strcpy(text, "(null)");
        } else {
            snprintf(text, sizeof text, "%.*s", (int)value.bytes.len, value.bytes.ptr);
        }
    }
    db_reset(f->c, q);
    return text;
}

/* Enqueues in the open transaction; ids count up from 1, so their order is the order of the calls.
 */
static inline bool fixture_put(Fixture *f, const dv_job *job, const char *key, int64_t run_at,
                               const char *payload, char id[TASK_ID_SIZE]) {
    DbError error = {0};
    char full[64];
    snprintf(full, sizeof full, "business:%s", key);
    snprintf(id, TASK_ID_SIZE, "01990000-0000-7000-8000-%012d", ++f->next_id);
    NewTask task = {.job = job,
                    .key = str_from(full),
                    .run_at = run_at,
                    .has_payload = payload != NULL,
                    .payload = str_from(payload)};
    bool made = false;
    OK(store_enqueue(f->c, f->now, &task, id, &made, &error));
    return made;
}

static inline bool fixture_enqueue(Fixture *f, const dv_job *job, const char *key, int64_t run_at,
                                   const char *payload, char id[TASK_ID_SIZE]) {
    DbError error = {0};
    OK(db_begin(f->c, &error));
    bool made = fixture_put(f, job, key, run_at, payload, id);
    OK(db_commit(f->c, &error));
    return made;
}

static inline uint32_t fixture_claim_with(Fixture *f, JobStore *store, uint32_t wanted) {
    DbError error = {0};
    store_turn(store);
    StoreLoad load = {.slots = FIXTURE_SLOTS, .running = f->running};
    OK(db_begin(f->c, &error));
    OK(store_claim(store, f->c, f->now, &load, wanted, f->claims, &f->count, &error));
    OK(db_commit(f->c, &error));
    return f->count;
}

static inline uint32_t fixture_claim(Fixture *f, uint32_t wanted) {
    return fixture_claim_with(f, f->store, wanted);
}

static inline WriteResult fixture_finish(Fixture *f, const Claim *claim, OutcomeKind kind) {
    DbError error = {0};
    WriteResult result = WRITE_LOST;
    OutcomeNext next;
    Outcome outcome = {.kind = kind};
    OK(db_begin(f->c, &error));
    OK(store_finish(f->store, f->c, f->now, claim, &outcome, &result, &next, &error));
    OK(db_commit(f->c, &error));
    return result;
}

static inline WriteResult fixture_renew(Fixture *f, Claim *claim) {
    DbError error = {0};
    WriteResult result = WRITE_LOST;
    OK(db_begin(f->c, &error));
    OK(store_renew(f->store, f->c, f->now, claim, &result, &error));
    OK(db_commit(f->c, &error));
    return result;
}

static inline void fixture_recover(Fixture *f) {
    DbError error = {0};
    bool more = true;
    while (more) {
        store_turn(f->store);
        OK(db_begin(f->c, &error));
        OK(store_recover(f->store, f->c, f->now, &more, &error));
        OK(db_commit(f->c, &error));
    }
}

#endif
