/* tests/unit/test_database_pool.c: the pool, the queue of writers, and names of databases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/database/database.h"
#include "runtime/database/writer.h"

static char folder[64];
static Database *database;
static DbError error;
static const DbWatch patient = {.patience_ms = 20000};

static Database *open_as(const char *key, uint32_t connections) {
    char path[96];
    snprintf(path, sizeof path, "%s/%s.db", folder, key);
    DatabaseOptions options = {
        .key = key, .path = path, .max_connections = connections, .max_page_size = 100};
    return database_open(&options, &error);
}

static int setup(void **state) {
    (void)state;
    strcpy(folder, "/tmp/dever-pool-XXXXXX");
    error = (DbError){0};
    if (mkdtemp(folder) == NULL || (database = open_as("default", 2)) == NULL) {
        return 1;
    }
    return 0;
}

static int teardown(void **state) {
    (void)state;
    databases_clear();
    database_close(database);
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void find_when_names_differ_follows_the_order(void **state) {
    (void)state;
    Database *content = open_as("content", 1);
    assert_non_null(content);
    assert_true(databases_add(database));
    assert_true(databases_add(content));
    assert_ptr_equal(databases_find(&(dv_connection_name){NULL, "content"}), content);
    assert_ptr_equal(databases_find(&(dv_connection_name){NULL, "other"}), database);
    assert_ptr_equal(databases_find(&(dv_connection_name){"default", "content"}), database);
    assert_null(databases_find(&(dv_connection_name){"missing", "content"})); /* never falls back */
    databases_clear();
    assert_null(databases_find(&(dv_connection_name){NULL, "other"}));
    database_close(content);
}

static bool always(void *self) {
    (void)self;
    return true;
}

static void take_when_all_in_use_obeys_the_watch(void **state) {
    (void)state;
    DbConnection *a = database_take(database, &patient, &error);
    DbConnection *b = database_take(database, &patient, &error);
    assert_non_null(a);
    assert_non_null(b);
    DbWatch ended = {.ended = always};
    assert_null(database_take(database, &ended, &error));
    assert_int_equal(error.tag, DV_DATABASE_CANCELLED);
    database_give(database, a);
    DbConnection *again = database_take(database, &ended, &error);
    assert_ptr_equal(again, a);
    database_give(database, again);
    database_give(database, b);
}

static void take_when_broken_was_given_opens_another(void **state) {
    (void)state;
    for (int i = 0; i < 5; i++) {
        DbConnection *c = database_take(database, &patient, &error);
        assert_non_null(c);
        c->broken = true;
        database_give(database, c);
    }
}

static void *give_back(void *c) {
    database_give(database, c);
    return NULL;
}

static void take_when_one_is_given_goes_on(void **state) {
    (void)state;
    DbConnection *a = database_take(database, &patient, &error);
    DbConnection *b = database_take(database, &patient, &error);
    pthread_t thread;
    pthread_create(&thread, NULL, give_back, a);
    DbConnection *c = database_take(database, &patient, &error);
    assert_ptr_equal(c, a);
    pthread_join(thread, NULL);
    database_give(database, b);
    database_give(database, c);
}

/* ---- writers ---- */

enum { WRITERS = 12, ROUNDS = 40 };

typedef struct Writer {
    pthread_t thread;
    WriterQueue *queue;
    bool control;
    int order; /* in which it got the turn */
} Writer;

static atomic_int turns;

static void *write_once(void *self) {
    Writer *writer = self;
    if (writer_enter(writer->queue, writer->control, &patient, NULL)) {
        writer->order = atomic_fetch_add(&turns, 1);
        writer_leave(writer->queue);
    }
    return NULL;
}

static int waiting(const WriterLine *line, WriterQueue *queue) {
    pthread_mutex_lock(&queue->mutex);
    int count = line->first == NULL ? 0 : line->first == line->last ? 1 : 2;
    pthread_mutex_unlock(&queue->mutex);
    return count;
}

static void start_and_wait(Writer *writer, int expected) {
    pthread_create(&writer->thread, NULL, write_once, writer);
    const WriterLine *line = writer->control ? &writer->queue->control : &writer->queue->others;
    while (waiting(line, writer->queue) < expected) {
        usleep(100);
    }
}

/* J6.11: in order of arrival, the worker's own first. */
static void enter_when_several_wait_serves_control_first_then_in_order(void **state) {
    (void)state;
    WriterQueue queue;
    writer_init(&queue);
    atomic_store(&turns, 0);
    assert_true(writer_enter(&queue, false, &patient, &error));
    Writer first = {.queue = &queue};
    Writer second = {.queue = &queue};
    Writer control = {.queue = &queue, .control = true};
    start_and_wait(&first, 1);
    start_and_wait(&second, 2);
    start_and_wait(&control, 1);
    writer_leave(&queue);
    pthread_join(first.thread, NULL);
    pthread_join(second.thread, NULL);
    pthread_join(control.thread, NULL);
    assert_int_equal(control.order, 0);
    assert_int_equal(first.order, 1);
    assert_int_equal(second.order, 2);
    writer_done(&queue);
}

static void enter_when_late_times_out_and_leaves_the_line(void **state) {
    (void)state;
    WriterQueue queue;
    writer_init(&queue);
    assert_true(writer_enter(&queue, false, &patient, &error));
    static const DbWatch brief = {.patience_ms = 20};
    assert_false(writer_enter(&queue, false, &brief, &error));
    assert_int_equal(error.tag, DV_DATABASE_TIMEOUT);
    assert_true(error.busy);
    DbWatch ended = {.ended = always, .patience_ms = 20000};
    assert_false(writer_enter(&queue, true, &ended, &error));
    assert_int_equal(error.tag, DV_DATABASE_CANCELLED);
    writer_leave(&queue);
    assert_true(writer_enter(&queue, false, &brief, &error));
    writer_leave(&queue);
    writer_done(&queue);
}

typedef struct Adder {
    pthread_t thread;
    int failures;
} Adder;

static void *add_rows(void *self) {
    Adder *adder = self;
    for (int i = 0; i < ROUNDS; i++) {
        DbConnection *c = database_take(database, &patient, NULL);
        bool ok = c != NULL && database_begin(database, c, i % 8 == 0, NULL);
        if (ok) {
            ok = db_run(c, "UPDATE t SET n = n + 1", NULL, 0, NULL);
            ok = database_commit(database, c, NULL) && ok;
        }
        if (c != NULL) {
            database_give(database, c);
        }
        adder->failures += ok ? 0 : 1;
    }
    return NULL;
}

/* F29 in one process: nobody meets a busy database. */
static void begin_when_many_write_loses_nothing(void **state) {
    (void)state;
    DbConnection *c = database_take(database, &patient, &error);
    assert_true(db_execute(c, "CREATE TABLE t (n INTEGER)", &error));
    assert_true(db_execute(c, "INSERT INTO t VALUES (0)", &error));
    database_give(database, c);
    Adder adders[WRITERS] = {0};
    for (int i = 0; i < WRITERS; i++) {
        pthread_create(&adders[i].thread, NULL, add_rows, &adders[i]);
    }
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(adders[i].thread, NULL);
        assert_int_equal(adders[i].failures, 0);
    }
    c = database_take(database, &patient, &error);
    DbStatement *q = db_query(c, "SELECT n FROM t", NULL, 0, &error);
    assert_int_equal(db_step(c, q, &error), DB_ROW);
    assert_int_equal(db_column(c, q, 0).integer, WRITERS * ROUNDS);
    db_reset(c, q);
    database_give(database, c);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(find_when_names_differ_follows_the_order),
        TEST(take_when_all_in_use_obeys_the_watch),
        TEST(take_when_broken_was_given_opens_another),
        TEST(take_when_one_is_given_goes_on),
        TEST(enter_when_several_wait_serves_control_first_then_in_order),
        TEST(enter_when_late_times_out_and_leaves_the_line),
        TEST(begin_when_many_write_loses_nothing),
    };
    return cmocka_run_group_tests_name("database_pool", tests, NULL, NULL);
}
