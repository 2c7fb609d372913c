/* tests/unit/test_database_sqlite.c: the SQLite driver. */
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

static char folder[64];
static char path[96];
static DbConnection *c;
static DbError error;

static int setup(void **state) {
    (void)state;
    strcpy(folder, "/tmp/dever-db-XXXXXX");
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    snprintf(path, sizeof path, "%s/test.db", folder);
    error = (DbError){0};
    c = sqlite_open(path, &error);
    return c == NULL || !db_execute(c, "CREATE TABLE t (n INTEGER UNIQUE, v ANY) STRICT", &error);
}

static int teardown(void **state) {
    (void)state;
    db_close(c);
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static DbValue one(DbConnection *on, const char *sql) {
    DbStatement *q = db_query(on, sql, NULL, 0, &error);
    assert_non_null(q);
    DbValue value = db_null();
    if (db_step(on, q, &error) == DB_ROW) {
        value = db_column(on, q, 0);
    }
    static char text[256];
    if (value.kind == DB_TEXT || value.kind == DB_BLOB) {
        snprintf(text, sizeof text, STR_FMT, STR_ARG(value.bytes));
        value.bytes.ptr = text;
    }
    db_reset(on, q);
    return value;
}

/* J4.4: WAL, synchronous=FULL (2), foreign keys. */
static void open_when_new_is_durable(void **state) {
    (void)state;
    assert_true(str_equal(one(c, "PRAGMA journal_mode").bytes, STR("wal")));
    assert_int_equal(one(c, "PRAGMA synchronous").integer, 2);
    assert_int_equal(one(c, "PRAGMA foreign_keys").integer, 1);
}

static void open_when_folder_missing_names_the_file(void **state) {
    (void)state;
    assert_null(sqlite_open("/nonexistent/folder/x.db", &error));
    assert_int_equal(error.tag, DV_DATABASE_CONNECTION);
    assert_non_null(strstr(error.message, "/nonexistent/folder/x.db"));
}

static void open_when_not_a_database_fails(void **state) {
    (void)state;
    char other[128];
    snprintf(other, sizeof other, "%s/text.db", folder);
    FILE *file = fopen(other, "w");
    assert_non_null(file);
    for (int i = 0; i < 1000; i++) {
        fputs("this is no database\n", file);
    }
    fclose(file);
    assert_null(sqlite_open(other, &error));
}

static void values_when_bound_come_back(void **state) {
    (void)state;
    static const char insert[] = "INSERT INTO t (n, v) VALUES (?1, ?2)";
    static const char select[] = "SELECT v FROM t WHERE n = ?1";
    const DbValue values[] = {db_null(),         db_integer(INT64_MIN),
                              db_real(0.5),      db_text(STR("g\xc3\xbcn")),
                              db_text((Str){0}), db_blob((Str){.ptr = "\0\1\2", .len = 3}),
                              db_blob((Str){0}), db_text((Str){.ptr = "a\0b", .len = 3})};
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        DbValue row[] = {db_integer((int64_t)i), values[i]};
        assert_true(db_run(c, insert, row, 2, &error));
        assert_int_equal(db_changes(c), 1);
    }
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        DbValue key = db_integer((int64_t)i);
        DbStatement *q = db_query(c, select, &key, 1, &error);
        assert_non_null(q);
        assert_int_equal(db_step(c, q, &error), DB_ROW);
        DbValue found = db_column(c, q, 0);
        assert_int_equal(found.kind, values[i].kind);
        assert_int_equal(found.integer, values[i].integer);
        assert_true(found.real == values[i].real);
        assert_true(str_equal(found.bytes, values[i].bytes));
        assert_int_equal(db_step(c, q, &error), DB_DONE);
        db_reset(c, q);
    }
}

/* Messages name the constraint, never the value. */
static void constraint_when_broken_names_it(void **state) {
    (void)state;
    static const char insert[] = "INSERT INTO t (n) VALUES (?1)";
    DbValue row = db_integer(424242);
    assert_true(db_run(c, insert, &row, 1, &error));
    assert_false(db_run(c, insert, &row, 1, &error));
    assert_int_equal(error.tag, DV_DATABASE_CONSTRAINT);
    assert_non_null(strstr(error.message, "t.n"));
    assert_null(strstr(error.message, "424242"));
}

static void begin_when_another_writes_times_out(void **state) {
    (void)state;
    DbConnection *other = sqlite_open(path, &error);
    assert_true(db_begin(other, &error));
    static const DbWatch brief = {.patience_ms = 30};
    db_watch(c, &brief);
    assert_false(db_begin(c, &error));
    assert_int_equal(error.tag, DV_DATABASE_TIMEOUT);
    assert_true(error.busy);
    db_rollback(other);
    assert_true(db_begin(c, &error));
    db_rollback(c);
    db_close(other);
}

static bool ended_after(void *self) {
    int *left = self;
    return --*left < 0;
}

/* J6.8: the busy handler asks the watch. */
static void begin_when_watch_ends_is_cancelled(void **state) {
    (void)state;
    DbConnection *other = sqlite_open(path, &error);
    assert_true(db_begin(other, &error));
    int left = 3;
    DbWatch watch = {.ended = ended_after, .self = &left, .patience_ms = 60000};
    db_watch(c, &watch);
    assert_false(db_begin(c, &error));
    assert_int_equal(error.tag, DV_DATABASE_CANCELLED);
    db_rollback(other);
    db_close(other);
}

/* J6.8: the progress handler asks the watch during a long statement. */
static void statement_when_watch_ends_is_cancelled(void **state) {
    (void)state;
    int left = 3;
    DbWatch watch = {.ended = ended_after, .self = &left, .patience_ms = 0};
    db_watch(c, &watch);
    static const char endless[] =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    assert_false(db_run(c, endless, NULL, 0, &error));
    assert_int_equal(error.tag, DV_DATABASE_CANCELLED);
    db_watch(c, NULL);
    assert_int_equal(one(c, "SELECT 7").integer, 7);
}

/* An interrupted write ends its transaction: the commit must not pretend. */
static void commit_when_transaction_gone_fails(void **state) {
    (void)state;
    assert_true(db_begin(c, &error));
    assert_true(db_run(c, "INSERT INTO t (n) VALUES (1)", NULL, 0, &error));
    int left = 1;
    DbWatch watch = {.ended = ended_after, .self = &left, .patience_ms = 0};
    db_watch(c, &watch);
    static const char endless[] =
        "INSERT INTO t (v) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT"
        " i + 1 FROM n) SELECT i FROM n";
    assert_false(db_run(c, endless, NULL, 0, &error));
    db_watch(c, NULL);
    assert_false(db_commit(c, &error));
    db_rollback(c);
    assert_int_equal(one(c, "SELECT count(*) FROM t").integer, 0);
    assert_true(db_begin(c, &error));
    db_rollback(c);
}

/* More texts than the cache has room for, and one text used twice at once. */
static void prepare_when_many_texts_keeps_working(void **state) {
    (void)state;
    static char texts[2000][32];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 2000; i++) {
            snprintf(texts[i], sizeof texts[i], "SELECT %d", i);
            assert_int_equal(one(c, texts[i]).integer, i);
        }
    }
    static const char twice[] = "SELECT 5";
    DbStatement *first = db_prepare(c, twice, &error);
    DbStatement *second = db_prepare(c, twice, &error);
    assert_ptr_not_equal(first, second);
    assert_int_equal(db_step(c, first, &error), DB_ROW);
    assert_int_equal(db_step(c, second, &error), DB_ROW);
    db_reset(c, first);
    db_reset(c, second);
}

static void error_when_text_is_long_is_cut_at_a_character(void **state) {
    (void)state;
    char text[2 * sizeof error.message];
    for (size_t shift = 0; shift < 3; shift++) {
        memset(text, 'x', shift);
        for (size_t i = shift; i + 3 < sizeof text; i += 3) {
            memcpy(text + i, "\xe2\x82\xac", 4);
        }
        assert_false(db_error(&error, DV_DATABASE_DATABASE, "%s", text));
        size_t length = strlen(error.message);
        assert_true(length >= sizeof error.message - 4);
        assert_int_equal((length - shift) % 3, 0);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(open_when_new_is_durable),
        TEST(open_when_folder_missing_names_the_file),
        TEST(open_when_not_a_database_fails),
        TEST(values_when_bound_come_back),
        TEST(constraint_when_broken_names_it),
        TEST(begin_when_another_writes_times_out),
        TEST(begin_when_watch_ends_is_cancelled),
        TEST(statement_when_watch_ends_is_cancelled),
        TEST(commit_when_transaction_gone_fails),
        TEST(prepare_when_many_texts_keeps_working),
        TEST(error_when_text_is_long_is_cut_at_a_character),
    };
    return cmocka_run_group_tests_name("database_sqlite", tests, NULL, NULL);
}
