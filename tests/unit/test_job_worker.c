/* tests/unit/test_job_worker.c: a whole worker, driven by a program as generated code would write
 * it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "runtime/database/transaction.h"
#include "runtime/job/clock.h"
#include "runtime/job/job.h"
#include "runtime/job/store.h"
#include "runtime/process/stop.h"
#include "runtime/task/scope.h"

/* ---- the program ---- */

typedef struct Input {
    int64_t n;
} Input;

static const dv_field input_fields[] = {{"n", &dv_type_int, offsetof(Input, n)}};
static const dv_type input_type = {.kind = DV_RECORD,
                                   .size = sizeof(Input),
                                   .name = "shop.order.Input",
                                   .count = 1,
                                   .fields = input_fields};

static const dv_variant error_variants[] = {{"Closed", true, 0, NULL}};
static const dv_type error_type = {.kind = DV_CHOICE,
                                   .size = sizeof(int32_t),
                                   .name = "shop.order.app.ShopError",
                                   .count = 1,
                                   .variants = error_variants};

#define CONNECTION \
    { .explicit_name = "default", .component = "shop" }

static const dv_model effect = {
    .package = "shop.order.model", .table = "effect", .connection = CONNECTION};
static const dv_statement add_effect = {.name = "shop.order.model.update at app.dever:3:3",
                                        .sqlite = "UPDATE effect SET n = n + 1"};
static const dv_connection_name connection = CONNECTION;

static atomic_int calls;
static atomic_int at_once;
static atomic_int most_at_once;
static atomic_int release; /* lets `wait` go */
static atomic_int sum;

static bool run_count(dv_scope *s, const void *input) {
    (void)s;
    int now = atomic_fetch_add(&at_once, 1) + 1;
    int most = atomic_load(&most_at_once);
    while (now > most && !atomic_compare_exchange_weak(&most_at_once, &most, now)) {
    }
    atomic_fetch_add(&sum, (int)((const Input *)input)->n);
    atomic_fetch_add(&calls, 1);
    atomic_fetch_sub(&at_once, 1);
    return true;
}

static bool run_fail(dv_scope *s, const void *input) {
    (void)input;
    atomic_fetch_add(&calls, 1);
    int32_t closed = 0;
    return dv_fail(s, &error_type, &closed, "module/shop/order/app.dever:7:3");
}

static bool run_fault(dv_scope *s, const void *input) {
    (void)input;
    atomic_fetch_add(&calls, 1);
    dv_fault(s, DV_FAULT_OVERFLOW, "Int + Int");
    return dv_at(s, "module/shop/order/app.dever:9:3");
}

/* One call of a transaction function: its effect and the end of the task are one. */
static bool run_exact(dv_scope *s, const void *input) {
    (void)input;
    atomic_fetch_add(&calls, 1);
    int64_t changed = 0;
    return dv_transaction_begin(s, &connection) &&
           dv_transaction_end(s, dv_model_change(s, &effect, &add_effect, NULL, 0, &changed));
}

/* An effect, then a failure: rolled back together. */
static bool run_undo(dv_scope *s, const void *input) {
    (void)input;
    int64_t changed = 0;
    atomic_fetch_add(&calls, 1);
    return dv_transaction_begin(s, &connection) &&
           dv_transaction_end(s, dv_model_change(s, &effect, &add_effect, NULL, 0, &changed) &&
                                     run_fail(s, NULL));
}

/* Runs until it is released or cancelled. */
static bool run_wait(dv_scope *s, const void *input) {
    (void)input;
    atomic_fetch_add(&calls, 1);
    while (atomic_load(&release) == 0) {
        if (!dv_step(s)) {
            return dv_at(s, "module/shop/order/app.dever:11:3");
        }
        usleep(1000);
    }
    return true;
}

#define JOB(Name, Input_, Retry, Timeout, Handler, Exact)                \
    static const dv_job job_##Name = {.target = "shop.order.job." #Name, \
                                      .schema = "()",                    \
                                      .fingerprint = "v1:" #Name,        \
                                      .connection = CONNECTION,          \
                                      .input = Input_,                   \
                                      .max_attempts = Retry,             \
                                      .timeout_ms = Timeout,             \
                                      .completes_in_transaction = Exact, \
                                      .handler = Handler,                \
                                      .place = "module/shop/order/job.dever:1:1"}

JOB(count, &input_type, 1, 1000, run_count, false);
JOB(fail, NULL, 2, 1000, run_fail, false);
JOB(fault, NULL, 1, 1000, run_fault, false);
JOB(exact, NULL, 3, 1000, run_exact, true);
JOB(undo, NULL, 1, 1000, run_undo, true);
JOB(wait, NULL, 2, 10000, run_wait, false);
JOB(hang, NULL, 1, 50, run_wait, false);
JOB(late, NULL, 1, 1000, run_count, false);

static const dv_job *const all_jobs[] = {&job_count, &job_fail, &job_fault, &job_exact,
                                         &job_undo,  &job_wait, &job_hang};
static const dv_program program = {
    .abi = DV_ABI, .serves_jobs = true, .jobs = all_jobs, .job_count = COUNT_OF(all_jobs)};

/* ---- the stage ---- */

static char folder[64];
static Database *database;
static DbConnection *c; /* of the test itself */
static DbError error;
static pthread_t worker;

#define OK(condition)                                             \
    do {                                                          \
        if (!(condition)) {                                       \
            fail_msg("%s failed: %s", #condition, error.message); \
        }                                                         \
    } while (0)

static const DbWatch patient = {.patience_ms = 20000};

static int64_t number(const char *sql) {
    DbStatement *q;
    OK((q = db_query(c, sql, NULL, 0, &error)) != NULL);
    int64_t value = INT64_MIN;
    if (db_step(c, q, &error) == DB_ROW) {
        value = db_column(c, q, 0).integer;
    }
    db_reset(c, q);
    return value;
}

static const char *text(const char *sql) {
    static char value[600];
    DbStatement *q;
    OK((q = db_query(c, sql, NULL, 0, &error)) != NULL);
    strcpy(value, "(none)");
    if (db_step(c, q, &error) == DB_ROW) {
        Str found = db_column(c, q, 0).bytes;
        snprintf(value, sizeof value, STR_FMT, STR_ARG(found));
    }
    db_reset(c, q);
    return value;
}

static void await(const char *sql, int64_t expected) {
    for (int i = 0; i < 20000; i++) {
        if (number(sql) == expected) {
            return;
        }
        usleep(1000);
    }
    fail_msg("never %lld: %s; state %s", (long long)expected, sql,
             text("SELECT group_concat(target || ' ' || state || ' ' || coalesce(error, '')) FROM"
                  " _dever_jobs"));
}

static void await_calls(int expected) {
    for (int i = 0; i < 20000 && atomic_load(&calls) < expected; i++) {
        usleep(1000);
    }
    assert_int_equal(atomic_load(&calls), expected);
}

static int setup(void **state) {
    (void)state;
    strcpy(folder, "/tmp/dever-worker-XXXXXX");
    char path[96];
    error = (DbError){0};
    atomic_store(&calls, 0);
    atomic_store(&release, 0);
    atomic_store(&sum, 0);
    atomic_store(&most_at_once, 0);
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    snprintf(path, sizeof path, "%s/queue.db", folder);
    DatabaseOptions options = {
        .key = "default", .path = path, .max_connections = 12, .max_page_size = 100};
    OK((database = database_open(&options, &error)) != NULL);
    databases_add(database);
    OK((c = database_take(database, &patient, &error)) != NULL);
    OK(db_execute(c, "CREATE TABLE effect (n INTEGER)", &error));
    OK(db_execute(c, "INSERT INTO effect VALUES (0)", &error));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    job_stop();
    database_give(database, c);
    databases_clear();
    database_close(database);
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void start_jobs(int32_t workers, int64_t lease_ms) {
    JobOptions options = {.serves = true,
                          .workers = workers,
                          .poll_ms = 100,
                          .lease_ms = lease_ms,
                          .retry_base_ms = 20,
                          .retry_max_ms = 1000,
                          .retry_jitter = 10,
                          .deploy_grace_ms = 300000};
    OK(job_start(&program, &options, &error));
}

static void *serve(void *unused) {
    (void)unused;
    dv_scope *s = scope_new();
    bool ok = dv_job_serve(s);
    scope_free(s);
    return ok ? &worker : NULL;
}

static void start_worker(void) {
    assert_true(stop_start(5000, NULL, NULL));
    assert_int_equal(pthread_create(&worker, NULL, serve, NULL), 0);
}

static void stop_worker(int64_t deadline_ms) {
    stop_request(clock_boot_ms() + deadline_ms);
    void *ok = NULL;
    pthread_join(worker, &ok);
    assert_ptr_equal(ok, &worker);
    stop_finish();
}

static void enqueue(const dv_job *job, int64_t n, const char *key, const int64_t *run_at) {
    dv_scope *s = scope_new();
    Input input = {.n = n};
    dv_text id;
    dv_text name = {.ptr = key, .len = strlen(key)};
    assert_true(dv_job_enqueue(s, job, job->input == NULL ? NULL : &input, name, run_at, &id));
    assert_int_equal(id.len, 36);
    scope_free(s);
}

/* ---- tests ---- */

static void serve_when_tasks_wait_runs_each_once(void **state) {
    (void)state;
    start_jobs(4, 20000);
    char key[16];
    for (int i = 1; i <= 200; i++) {
        snprintf(key, sizeof key, "k%d", i);
        enqueue(&job_count, i, key, NULL);
    }
    start_worker();
    await("SELECT count(*) FROM _dever_jobs WHERE state = 'succeeded'", 200);
    stop_worker(5000);
    assert_int_equal(atomic_load(&calls), 200);
    assert_int_equal(atomic_load(&sum), 200 * 201 / 2);
    assert_int_equal(number("SELECT count(*) FROM _dever_jobs WHERE attempt <> 1"), 0);
    assert_in_range(atomic_load(&most_at_once), 1, 4);
}

/* J6.3: a task enqueued while the worker sleeps starts at once, without waiting for the poll. */
static void serve_when_woken_starts_at_once(void **state) {
    (void)state;
    start_jobs(2, 20000);
    start_worker();
    usleep(50000);
    enqueue(&job_count, 1, "a", NULL);
    await("SELECT count(*) FROM _dever_jobs WHERE state = 'succeeded'", 1);
    assert_true(number("SELECT started_at - created_at FROM _dever_jobs") < 60);
    stop_worker(5000);
}

/* J5.3: not before its time, and within 50 ms of it. */
static void serve_when_due_later_starts_then(void **state) {
    (void)state;
    start_jobs(2, 20000);
    start_worker();
    JobClock clock;
    job_clock_init(&clock, NULL, NULL);
    int64_t due = job_clock_now(&clock, NULL) + 234;
    enqueue(&job_count, 1, "a", &due);
    await("SELECT count(*) FROM _dever_jobs WHERE state = 'succeeded'", 1);
    int64_t late = number("SELECT started_at - run_at FROM _dever_jobs");
    assert_true(late >= 0 && late < 50);
    stop_worker(5000);
}

/* J7: failure, fault; J7.2: only static facts. */
static void serve_when_handler_fails_retries_and_tells_why(void **state) {
    (void)state;
    start_jobs(2, 20000);
    enqueue(&job_fail, 0, "a", NULL);
    enqueue(&job_fault, 0, "b", NULL);
    start_worker();
    await("SELECT count(*) FROM _dever_jobs WHERE state = 'dead'", 2);
    stop_worker(5000);
    assert_int_equal(atomic_load(&calls), 3);
    assert_string_equal(
        text("SELECT error || ' ' || error_detail FROM _dever_jobs WHERE target LIKE '%fail'"),
        "handler_failed shop.order.app.ShopError.Closed module/shop/order/app.dever:7:3");
    assert_string_equal(text("SELECT error FROM _dever_jobs WHERE target LIKE '%fault'"),
                        "handler_fault");
}

/* J7.3: effects and success commit together; a failure takes both back. */
static void serve_when_handler_is_a_transaction_commits_once(void **state) {
    (void)state;
    start_jobs(4, 20000);
    char key[16];
    for (int i = 0; i < 20; i++) {
        snprintf(key, sizeof key, "k%d", i);
        enqueue(&job_exact, 0, key, NULL);
    }
    enqueue(&job_undo, 0, "u", NULL);
    start_worker();
    await("SELECT count(*) FROM _dever_jobs WHERE state IN ('succeeded', 'dead')", 21);
    stop_worker(5000);
    assert_int_equal(number("SELECT n FROM effect"), 20);
    assert_string_equal(text("SELECT error FROM _dever_jobs WHERE state = 'dead'"),
                        "handler_failed");
}

/* F03, J7.3: the claim is gone before the handler commits: its rows are not there. */
static bool run_steal(dv_scope *s, const void *input) {
    (void)input;
    int64_t changed = 0;
    atomic_fetch_add(&calls, 1);
    static const dv_statement steal = {.name = "steal at x",
                                       .sqlite = "UPDATE _dever_jobs SET claim_token = 'another'"};
    return dv_transaction_begin(s, &connection) &&
           dv_transaction_end(s, dv_model_change(s, &effect, &add_effect, NULL, 0, &changed) &&
                                     dv_model_change(s, &effect, &steal, NULL, 0, &changed));
}

/* The database ends the transaction by itself (a full disk does); the handler does not notice. */
static bool run_ended(dv_scope *s, const void *input) {
    (void)input;
    int64_t changed = 0;
    if (!dv_transaction_begin(s, &connection) ||
        !dv_model_change(s, &effect, &add_effect, NULL, 0, &changed)) {
        return false;
    }
    db_rollback(transaction_connection(s));
    return dv_transaction_end(s, true);
}

JOB(steal, NULL, 1, 1000, run_steal, true);
JOB(ended, NULL, 1, 1000, run_ended, true);
JOB(steal_check, NULL, 1, 1000, run_steal, false);

static void serve_when_claim_gone_rolls_back(void **state) {
    (void)state;
    static const dv_job *const jobs[] = {&job_steal, &job_steal_check};
    static const dv_program thief = {
        .abi = DV_ABI, .serves_jobs = true, .jobs = jobs, .job_count = 2};
    JobOptions options = {.serves = true,
                          .workers = 1,
                          .poll_ms = 100,
                          .lease_ms = 2000,
                          .retry_base_ms = 20,
                          .retry_max_ms = 1000,
                          .deploy_grace_ms = 300000};
    OK(job_start(&thief, &options, &error));
    enqueue(&job_steal, 0, "a", NULL);
    enqueue(&job_steal_check, 0, "b", NULL);
    start_worker();
    await("SELECT count(*) FROM _dever_jobs WHERE state = 'dead'", 2); /* after the lease */
    stop_worker(5000);
    assert_int_equal(number("SELECT n FROM effect"), 0);
    assert_int_equal(number("SELECT count(*) FROM _dever_jobs WHERE error = 'attempts_exhausted'"),
                     2);
}

/* J7.3: success is never written without the handler's rows. */
static void serve_when_transaction_ended_by_itself_is_no_success(void **state) {
    (void)state;
    static const dv_job *const jobs[] = {&job_ended};
    static const dv_program ended = {
        .abi = DV_ABI, .serves_jobs = true, .jobs = jobs, .job_count = 1};
    JobOptions options = {.serves = true,
                          .workers = 1,
                          .poll_ms = 100,
                          .lease_ms = 2000,
                          .retry_base_ms = 20,
                          .retry_max_ms = 1000,
                          .deploy_grace_ms = 300000};
    OK(job_start(&ended, &options, &error));
    enqueue(&job_ended, 0, "a", NULL);
    start_worker();
    await("SELECT count(*) FROM _dever_jobs WHERE state = 'dead' AND error = 'handler_failed'", 1);
    stop_worker(5000);
    assert_int_equal(number("SELECT n FROM effect"), 0);
}

/* J6.8: cancelled after its time. */
static void serve_when_handler_hangs_times_out(void **state) {
    (void)state;
    start_jobs(2, 20000);
    enqueue(&job_hang, 0, "a", NULL);
    start_worker();
    await("SELECT count(*) FROM _dever_jobs WHERE state = 'dead' AND error = 'handler_timeout'", 1);
    stop_worker(5000);
}

/* J6.5, J7: another claim in the row: the handler is cancelled and its result dropped. */
static void serve_when_lease_lost_cancels(void **state) {
    (void)state;
    start_jobs(2, 20000);
    enqueue(&job_wait, 0, "a", NULL);
    job_stop();
    start_jobs(2, 20000);
    start_worker();
    await_calls(1);
    OK(db_execute(c, "UPDATE _dever_jobs SET claim_token = 'another'", &error));
    await("SELECT count(*) FROM _dever_jobs WHERE claim_token = 'another' AND state = 'running'",
          1);
    atomic_store(&release, 1);
    stop_worker(5000);
    assert_string_equal(text("SELECT state FROM _dever_jobs"), "running");
}

/* J3.4, J7.4: never executed, keeps its payload. */
static void serve_when_payload_wrong_blocks(void **state) {
    (void)state;
    start_jobs(2, 20000);
    enqueue(&job_count, 5, "a", NULL);
    enqueue(&job_count, 5, "b", NULL);
    OK(db_execute(
        c,
        "UPDATE _dever_job_payload SET payload = '{\"m\":5}' WHERE id = (SELECT min(id) FROM"
        " _dever_jobs)",
        &error));
    OK(db_execute(c, "DELETE FROM _dever_job_payload WHERE id = (SELECT max(id) FROM _dever_jobs)",
                  &error));
    start_worker();
    await("SELECT count(*) FROM _dever_jobs WHERE state = 'blocked' AND error = 'invalid_payload'",
          2);
    stop_worker(5000);
    assert_int_equal(atomic_load(&calls), 0);
}

/* J9.5: handlers may finish until the deadline. */
static void stop_when_handler_runs_lets_it_finish(void **state) {
    (void)state;
    start_jobs(2, 20000);
    enqueue(&job_wait, 0, "a", NULL);
    enqueue(&job_late, 0, "x", NULL); /* of no job that this worker knows: it stays */
    start_worker();
    await_calls(1);
    stop_request(clock_boot_ms() + 20000);
    enqueue(&job_fail, 0, "b", NULL); /* not claimed any more */
    usleep(20000);
    atomic_store(&release, 1);
    stop_worker(20000);
    assert_string_equal(text("SELECT state FROM _dever_jobs WHERE target LIKE '%wait'"),
                        "succeeded");
    assert_string_equal(text("SELECT state FROM _dever_jobs WHERE target LIKE '%fail'"), "pending");
    assert_string_equal(text("SELECT state FROM _dever_jobs WHERE target LIKE '%late'"), "pending");
}

/* J9.5: then they are cancelled, and their leases given back. */
static void stop_when_deadline_over_gives_back(void **state) {
    (void)state;
    start_jobs(2, 20000);
    enqueue(&job_wait, 0, "a", NULL);
    start_worker();
    await_calls(1);
    stop_worker(50);
    assert_string_equal(text("SELECT state || ' ' || error FROM _dever_jobs"),
                        "pending worker_shutdown");
    assert_int_equal(number("SELECT attempt FROM _dever_jobs"), 1);
    assert_true(number("SELECT run_at - updated_at FROM _dever_jobs") == 0);
}

/* J6.12: what a killed worker held is resumed at once, long before its lease is over. */
static void serve_when_other_worker_was_killed_resumes_at_once(void **state) {
    (void)state;
    start_jobs(2, 600000);
    enqueue(&job_wait, 0, "a", NULL);
    char path[160];
    snprintf(path, sizeof path, "%s-worker-00112233445566aa", database_path(database));
    fclose(fopen(path, "w")); /* its lock went with the process */
    OK(db_execute(c,
                  "UPDATE _dever_jobs SET state = 'running', attempt = 1, claim_token = 't',"
                  " lease_until = run_at + 600000, worker = '00112233445566aa'",
                  &error));
    atomic_store(&release, 1);
    start_worker();
    await("SELECT count(*) FROM _dever_jobs WHERE state = 'succeeded' AND attempt = 2", 1);
    assert_true(number("SELECT started_at - created_at FROM _dever_jobs") < 1000);
    stop_worker(5000);
    assert_int_equal(access(path, F_OK), -1);
}

/* J6.9: an error of the database is no end; the work goes on when it is over. */
static void serve_when_table_gone_for_a_while_goes_on(void **state) {
    (void)state;
    start_jobs(2, 20000);
    start_worker();
    OK(db_execute(c, "ALTER TABLE _dever_jobs RENAME TO hidden", &error));
    usleep(300000);
    OK(db_execute(c, "ALTER TABLE hidden RENAME TO _dever_jobs", &error));
    enqueue(&job_count, 1, "a", NULL);
    await("SELECT count(*) FROM _dever_jobs WHERE state = 'succeeded'", 1);
    stop_worker(5000);
}

static void limit_files(rlim_t bytes) {
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* F32: no room while finishing: not reported as succeeded; written later, when there is room. */
static void serve_when_disk_is_full_writes_later(void **state) {
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    start_jobs(2, 20000);
    enqueue(&job_wait, 0, "a", NULL);
    start_worker();
    await_calls(1);
    await("SELECT count(*) FROM _dever_jobs WHERE state = 'running'", 1);
    limit_files(1);
    atomic_store(&release, 1);
    usleep(300000);
    assert_string_equal(text("SELECT state FROM _dever_jobs"), "running");
    limit_files(RLIM_INFINITY);
    await("SELECT count(*) FROM _dever_jobs WHERE state = 'succeeded' AND attempt = 1", 1);
    enqueue(&job_count, 1, "b", NULL);
    await("SELECT count(*) FROM _dever_jobs WHERE state = 'succeeded'", 2);
    stop_worker(5000);
    assert_int_equal(atomic_load(&calls), 2);
}

/* F31: a handler's transaction holds the write lock; the worker waits and lives. */
static void serve_when_writer_is_long_waits(void **state) {
    (void)state;
    start_jobs(2, 20000);
    start_worker();
    OK(database_begin(database, c, false, &error));
    usleep(300000);
    OK(database_commit(database, c, &error));
    OK(db_begin(c, &error)); /* as another process would, past the queue of writers */
    usleep(1500000);
    OK(db_commit(c, &error));
    enqueue(&job_count, 1, "a", NULL);
    await("SELECT count(*) FROM _dever_jobs WHERE state = 'succeeded'", 1);
    stop_worker(5000);
}

/* F44: an idle worker takes no write lock. */
static void serve_when_idle_writes_nothing(void **state) {
    (void)state;
    start_jobs(2, 20000);
    start_worker();
    await("SELECT seen_at > 0 FROM _dever_job_version", 1);
    usleep(100000);
    int64_t version = number("PRAGMA data_version");
    usleep(700000);
    assert_int_equal(number("PRAGMA data_version"), version);
    stop_worker(5000);
}

/* J2.2, J2.5: refused before anything is stored. */
static void enqueue_when_key_wrong_is_refused(void **state) {
    (void)state;
    start_jobs(2, 20000);
    static char longest[1025];
    memset(longest, 'k', sizeof longest);
    const dv_text keys[] = {{"", 0}, {longest, 1025}, {"a\0b", 3}};
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        dv_scope *s = scope_new();
        dv_text id;
        assert_false(dv_job_enqueue(s, &job_fail, NULL, keys[i], NULL, &id));
        dv_database_Error wrong;
        assert_true(dv_caught(s, &dv_database_Error_type, &wrong));
        assert_int_equal(wrong.tag, DV_DATABASE_INVALID_DATA);
        scope_free(s);
    }
    assert_int_equal(number("SELECT count(*) FROM _dever_jobs"), 0);
    dv_scope *s = scope_new();
    dv_text id;
    assert_true(dv_job_enqueue(s, &job_fail, NULL, (dv_text){longest, 1024}, NULL, &id));
    scope_free(s);
}

typedef struct Rival {
    pthread_t thread;
    char id[TASK_ID_SIZE];
} Rival;

static void *enqueue_same(void *self) {
    Rival *rival = self;
    dv_scope *s = scope_new();
    dv_text id;
    if (dv_job_enqueue(s, &job_fail, NULL, (dv_text){"same", 4}, NULL, &id)) {
        memcpy(rival->id, id.ptr, TASK_ID_SIZE - 1);
    }
    scope_free(s);
    return NULL;
}

/* F60: fifty threads, one key: one row, fifty equal ids. */
static void enqueue_when_fifty_race_makes_one(void **state) {
    (void)state;
    start_jobs(2, 20000);
    static Rival rivals[50];
    memset(rivals, 0, sizeof rivals);
    for (int i = 0; i < 50; i++) {
        pthread_create(&rivals[i].thread, NULL, enqueue_same, &rivals[i]);
    }
    for (int i = 0; i < 50; i++) {
        pthread_join(rivals[i].thread, NULL);
        assert_string_equal(rivals[i].id, rivals[0].id);
    }
    assert_int_equal(strlen(rivals[0].id), 36);
    assert_int_equal(number("SELECT count(*) FROM _dever_jobs"), 1);
}

/* J9.4 */
static void start_when_settings_cannot_work_refuses(void **state) {
    (void)state;
    JobOptions options = {.serves = true, .workers = 12, .poll_ms = 100, .lease_ms = 20000};
    assert_false(job_start(&program, &options, &error));
    assert_non_null(strstr(error.message, "at least 13"));
    options.workers = 2;
    options.lease_ms = 19999;
    assert_false(job_start(&program, &options, &error));
    assert_non_null(strstr(error.message, "shop.order.job.wait"));
}

/* J9.2: in api mode serve returns at once. */
static void serve_when_api_mode_returns_at_once(void **state) {
    (void)state;
    JobOptions options = {.serves = false};
    OK(job_start(&program, &options, &error));
    dv_scope *s = scope_new();
    assert_true(dv_job_serve(s));
    scope_free(s);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(serve_when_tasks_wait_runs_each_once),
        TEST(serve_when_woken_starts_at_once),
        TEST(serve_when_due_later_starts_then),
        TEST(serve_when_handler_fails_retries_and_tells_why),
        TEST(serve_when_handler_is_a_transaction_commits_once),
        TEST(serve_when_claim_gone_rolls_back),
        TEST(serve_when_transaction_ended_by_itself_is_no_success),
        TEST(serve_when_handler_hangs_times_out),
        TEST(serve_when_lease_lost_cancels),
        TEST(serve_when_payload_wrong_blocks),
        TEST(stop_when_handler_runs_lets_it_finish),
        TEST(stop_when_deadline_over_gives_back),
        TEST(serve_when_other_worker_was_killed_resumes_at_once),
        TEST(serve_when_table_gone_for_a_while_goes_on),
        TEST(serve_when_disk_is_full_writes_later),
        TEST(serve_when_writer_is_long_waits),
        TEST(serve_when_idle_writes_nothing),
        TEST(enqueue_when_key_wrong_is_refused),
        TEST(enqueue_when_fifty_race_makes_one),
        TEST(start_when_settings_cannot_work_refuses),
        TEST(serve_when_api_mode_returns_at_once),
    };
    return cmocka_run_group_tests_name("job_worker", tests, NULL, NULL);
}
