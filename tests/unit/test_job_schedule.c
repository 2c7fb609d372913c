/* tests/unit/test_job_schedule.c: cursors and occurrences (J8), with the clock in hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/datetime.h"
#include "runtime/job/schedule.h"
#include "runtime/job/store.h"

static char folder[64];
static Database *database;
static DbConnection *c;
static DbError error;
static JobClock queue_clock;
static int64_t now_ms;

static const DbWatch patient = {.patience_ms = 5000};

#define JOB(Name)                                                        \
    static const dv_job job_##Name = {.target = "shop.order.job." #Name, \
                                      .schema = "()",                    \
                                      .fingerprint = "v1:" #Name,        \
                                      .max_attempts = 3,                 \
                                      .timeout_ms = 1000,                \
                                      .place = "job.dever:1:1"}

JOB(tick);
JOB(daily);

static const dv_schedule every_minute[] = {{&job_tick, "* * * * *"}};
static const dv_schedule same_minute[] = {{&job_tick, "0-59 * * * *"}};
static const dv_schedule at_nine[] = {{&job_daily, "0 9 * * *"}};
static const dv_schedule at_ten[] = {{&job_daily, "0 10 * * *"}};
static const dv_schedule weekly[] = {{&job_daily, "0 0 * * 1"}};
static const dv_schedule both[] = {{&job_tick, "* * * * *"}, {&job_daily, "* * * * *"}};

#define OK(condition)                                             \
    do {                                                          \
        if (!(condition)) {                                       \
            fail_msg("%s failed: %s", #condition, error.message); \
        }                                                         \
    } while (0)

static int64_t at(const char *text) {
    int64_t ms = 0;
    assert_true(datetime_parse(str_from(text), &ms));
    return ms;
}

static int64_t read_now(void *self) {
    return *(int64_t *)self;
}

static int setup(void **state) {
    (void)state;
    strcpy(folder, "/tmp/dever-schedule-XXXXXX");
    char path[96];
    error = (DbError){0};
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    snprintf(path, sizeof path, "%s/queue.db", folder);
    DatabaseOptions options = {
        .key = "default", .path = path, .max_connections = 2, .max_page_size = 100};
    OK((database = database_open(&options, &error)) != NULL);
    OK((c = database_take(database, &patient, &error)) != NULL);
    now_ms = at("2026-01-01T01:27:30Z");
    job_clock_init(&queue_clock, read_now, &now_ms);
    OK(store_prepare(c, now_ms, &error));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    database_give(database, c);
    database_close(database);
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

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

static int64_t tasks(void) {
    return number("SELECT count(*) FROM _dever_jobs");
}

/* A worker's rounds at the moment that the clock shows, until nothing more is due. */
static uint32_t run(Schedules *schedules) {
    uint32_t total = 0;
    while (schedules_next(schedules) <= now_ms) {
        uint32_t made = 0;
        OK(schedules_run(schedules, database, c, &queue_clock, &made, &error));
        total += made;
    }
    return total;
}

static void seen(Schedules *schedules) {
    OK(schedules_seen(schedules, database, c, &queue_clock, &error));
}

/* J8.4: the first start records the minute and makes no task. F70: never early. J8.5: the key. */
static void run_when_minute_comes_makes_one(void **state) {
    (void)state;
    Schedules *s = schedules_new(every_minute, 1, 100);
    assert_int_equal(run(s), 0);
    assert_int_equal(number("SELECT last_minute FROM _dever_job_schedule"),
                     at("2026-01-01T01:27:00Z"));
    assert_int_equal(schedules_next(s), at("2026-01-01T01:28:00Z"));
    now_ms = at("2026-01-01T01:28:00Z") - 10;
    assert_int_equal(run(s), 0);
    now_ms += 10;
    assert_int_equal(run(s), 1);
    assert_int_equal(run(s), 0);
    assert_int_equal(schedules_next(s), at("2026-01-01T01:29:00Z"));
    assert_int_equal(number("SELECT run_at FROM _dever_jobs"), now_ms);
    assert_int_equal(number("SELECT dedupe_key = 'schedule:2026-01-01T01:28:00Z' FROM _dever_jobs"),
                     1);
    schedules_free(s);
}

/* F71: three workers, ten minutes, ten tasks, also when each has already succeeded. */
static void run_when_three_workers_makes_each_once(void **state) {
    (void)state;
    Schedules *workers[3];
    for (int i = 0; i < 3; i++) {
        workers[i] = schedules_new(every_minute, 1, 100);
        run(workers[i]);
    }
    uint32_t made = 0;
    for (int minute = 1; minute <= 10; minute++) {
        now_ms += 60000;
        for (int i = 0; i < 3; i++) {
            made += run(workers[(i + minute) % 3]);
            OK(db_execute(c, "UPDATE _dever_jobs SET state = 'succeeded'", &error));
        }
    }
    assert_int_equal(made, 10);
    assert_int_equal(tasks(), 10);
    for (int i = 0; i < 3; i++) {
        schedules_free(workers[i]);
    }
}

/* F72: a crash between occurrence and cursor leaves both or neither: it is one transaction. */
static void run_when_cursor_fails_leaves_no_task(void **state) {
    (void)state;
    Schedules *s = schedules_new(every_minute, 1, 100);
    run(s);
    OK(db_execute(c,
                  "CREATE TRIGGER broken BEFORE UPDATE OF last_minute ON _dever_job_schedule BEGIN"
                  " SELECT raise(ABORT, 'no'); END",
                  &error));
    now_ms += 60000;
    uint32_t made = 0;
    OK(schedules_run(s, database, c, &queue_clock, &made, &error)); /* logged, tried again later */
    assert_int_equal(tasks(), 0);
    assert_true(schedules_next(s) > now_ms && schedules_next(s) <= now_ms + 1000);
    OK(db_execute(c, "DROP TRIGGER broken", &error));
    now_ms += 1000;
    assert_int_equal(run(s), 1);
    schedules_free(s);
}

/* J8.4: after a long stop the oldest first, 256 for each transaction. */
static void run_when_far_behind_makes_all_in_parts(void **state) {
    (void)state;
    Schedules *s = schedules_new(every_minute, 1, 100);
    run(s);
    now_ms += 600 * 60000;
    uint32_t made = 0;
    OK(schedules_run(s, database, c, &queue_clock, &made, &error));
    assert_int_equal(made, 256);
    assert_true(schedules_next(s) <= now_ms);
    assert_int_equal(run(s), 344);
    assert_int_equal(number("SELECT count(DISTINCT run_at) FROM _dever_jobs"), 600);
    schedules_free(s);
}

/* F73: weekly, restarted every day. */
static void run_when_restarted_daily_fires_weekly(void **state) {
    (void)state;
    for (int day = 0; day < 28; day++) {
        Schedules *s = schedules_new(weekly, 1, 100 + day);
        run(s);
        seen(s);
        now_ms += 43200000;
        run(s);
        seen(s);
        now_ms += 43200000;
        schedules_free(s);
    }
    assert_int_equal(tasks(), 4);
}

/* F75, J8.7: a changed expression is a normal deploy. */
static void run_when_expression_changes_takes_over(void **state) {
    (void)state;
    now_ms = at("2026-01-01T08:59:00Z");
    Schedules *old = schedules_new(at_nine, 1, 100);
    run(old);
    seen(old);
    now_ms = at("2026-01-01T09:00:00Z");
    assert_int_equal(run(old), 1);
    now_ms = at("2026-01-01T09:30:00Z");
    seen(old);
    Schedules *newer = schedules_new(at_ten, 1, 200);
    assert_int_equal(run(newer), 0);
    now_ms = at("2026-01-01T10:00:00Z");
    assert_int_equal(run(newer), 1);
    /* The old one, still at work, never takes it back while the newer lives. */
    seen(newer);
    assert_int_equal(run(old), 0);
    now_ms = at("2026-01-02T09:00:00Z");
    seen(newer);
    assert_int_equal(run(old), 0);
    /* A roll-back takes effect two minutes after the last newer worker is gone. */
    now_ms += 119999;
    assert_int_equal(run(old), 0);
    now_ms = at("2026-01-03T08:00:00Z");
    assert_int_equal(run(old), 0);
    now_ms = at("2026-01-03T09:00:00Z");
    assert_int_equal(run(old), 1);
    schedules_free(old);
    schedules_free(newer);
}

/* The fingerprint is of the matching minutes, not of the spelling. */
static void run_when_spelling_changes_goes_on(void **state) {
    (void)state;
    Schedules *s = schedules_new(every_minute, 1, 100);
    run(s);
    schedules_free(s);
    s = schedules_new(same_minute, 1, 50);
    now_ms += 60000;
    assert_int_equal(run(s), 1);
    schedules_free(s);
}

/* F76: gone for a year while other workers lived, then back: no flood. */
static void run_when_gone_for_a_year_starts_fresh(void **state) {
    (void)state;
    Schedules *s = schedules_new(every_minute, 1, 100);
    run(s);
    seen(s);
    schedules_free(s);
    now_ms += INT64_C(365) * 86400000;
    Schedules *others = schedules_new(NULL, 0, 200);
    seen(others);
    schedules_free(others);
    now_ms += 60000;
    s = schedules_new(every_minute, 1, 300);
    assert_int_equal(run(s), 0);
    seen(s);
    now_ms += 60000;
    assert_int_equal(run(s), 1);
    schedules_free(s);
}

/* F77: one that fails every time does not hold up the others. */
static void run_when_one_fails_others_fire(void **state) {
    (void)state;
    Schedules *s = schedules_new(both, 2, 100);
    run(s);
    OK(db_execute(c,
                  "CREATE TRIGGER broken BEFORE INSERT ON _dever_jobs WHEN new.target ="
                  " 'shop.order.job.tick' BEGIN SELECT raise(ABORT, 'no'); END",
                  &error));
    for (int minute = 0; minute < 5; minute++) {
        now_ms += 60000;
        run(s);
    }
    assert_int_equal(number("SELECT count(*) FROM _dever_jobs WHERE target LIKE '%daily'"), 5);
    assert_int_equal(tasks(), 5);
    OK(db_execute(c, "DROP TRIGGER broken", &error));
    now_ms += 1000;
    run(s);
    assert_int_equal(tasks(), 10);
    schedules_free(s);
}

/* J8.7: a cursor in the future makes nothing until then and never goes back. */
static void run_when_cursor_in_future_waits(void **state) {
    (void)state;
    Schedules *s = schedules_new(every_minute, 1, 100);
    run(s);
    OK(db_execute(c, "UPDATE _dever_job_schedule SET last_minute = last_minute + 600000", &error));
    now_ms += 60000;
    assert_int_equal(run(s), 0);
    assert_int_equal(number("SELECT last_minute FROM _dever_job_schedule"),
                     at("2026-01-01T01:37:00Z"));
    now_ms = at("2026-01-01T01:38:30Z");
    assert_int_equal(run(s), 1);
    schedules_free(s);
}

/* F44: a round in which nothing matches writes nothing. */
static void run_when_nothing_due_takes_no_lock(void **state) {
    (void)state;
    Schedules *s = schedules_new(at_nine, 1, 100);
    run(s);
    seen(s);
    schedules_free(s);
    DbConnection *writer = database_take(database, &patient, &error);
    OK(db_begin(writer, &error)); /* whoever needed the lock now would fail */
    db_watch(c, NULL);
    s = schedules_new(at_nine, 1, 100);
    assert_int_equal(run(s), 0);
    db_watch(c, &patient);
    db_rollback(writer);
    database_give(database, writer);
    schedules_free(s);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(run_when_minute_comes_makes_one),       TEST(run_when_three_workers_makes_each_once),
        TEST(run_when_cursor_fails_leaves_no_task),  TEST(run_when_far_behind_makes_all_in_parts),
        TEST(run_when_restarted_daily_fires_weekly), TEST(run_when_expression_changes_takes_over),
        TEST(run_when_spelling_changes_goes_on),     TEST(run_when_gone_for_a_year_starts_fresh),
        TEST(run_when_one_fails_others_fire),        TEST(run_when_cursor_in_future_waits),
        TEST(run_when_nothing_due_takes_no_lock),
    };
    return cmocka_run_group_tests_name("job_schedule", tests, NULL, NULL);
}
