/* tests/unit/test_database_model.c: Model operations, transactions and schemas, as generated code
 * uses them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dever/collection.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/database/schema.h"
#include "runtime/database/transaction.h"
#include "runtime/task/scope.h"

/* ---- a Model with a field of every type ---- */

typedef struct Plot {
    int64_t id;
    int64_t created_at;
    dv_uuid reference;
    dv_text title;
    dv_maybe_text note;
    int32_t soil;
    bool open;
    int64_t size;
    double weight;
    dv_decimal area;
    dv_text raw;
    dv_maybe_int closed_at;
} Plot;

static const dv_variant soil_variants[] = {{"Clay", false, 0, NULL}, {"Sand", false, 0, NULL}};
static const dv_type soil_type = {.kind = DV_CHOICE,
                                  .size = sizeof(int32_t),
                                  .name = "garden.plot.model.Soil",
                                  .count = 2,
                                  .variants = soil_variants};
static const dv_type id_type = {
    .kind = DV_MODEL_ID, .size = sizeof(int64_t), .name = "garden.plot.model"};
static const dv_type plot_type = {
    .kind = DV_RECORD, .size = sizeof(Plot), .name = "garden.plot.model.Plot"};

enum {
    ID,
    CREATED_AT,
    REFERENCE,
    TITLE,
    NOTE,
    SOIL,
    OPEN,
    SIZE,
    WEIGHT,
    AREA,
    RAW,
    CLOSED_AT,
    COLUMNS
};

#define AT(field) (uint32_t) offsetof(Plot, field)

static const dv_column columns[COLUMNS] = {
    [ID] = {"id", &id_type, AT(id), 0, 0, false},
    [CREATED_AT] = {"created_at", &dv_type_datetime, AT(created_at), 0, 0, true},
    [REFERENCE] = {"reference", &dv_type_uuid, AT(reference), 0, 0, true},
    [TITLE] = {"title", &dv_type_text, AT(title), 0, 0, false},
    [NOTE] = {"note", &dv_type_maybe_text, AT(note), 0, 0, false},
    [SOIL] = {"soil", &soil_type, AT(soil), 0, 0, false},
    [OPEN] = {"open", &dv_type_bool, AT(open), 0, 0, false},
    [SIZE] = {"size", &dv_type_int, AT(size), 0, 0, false},
    [WEIGHT] = {"weight", &dv_type_float, AT(weight), 0, 0, false},
    [AREA] = {"area", &dv_type_decimal, AT(area), 6, 2, false},
    [RAW] = {"raw", &dv_type_bytes, AT(raw), 0, 0, false},
    [CLOSED_AT] = {"closed_at", &dv_type_maybe_datetime, AT(closed_at), 0, 0, false},
};

static const char *const plot_ddl[] = {
    "CREATE TABLE \"plot\" (\n"
    "  \"id\" INTEGER PRIMARY KEY AUTOINCREMENT,\n"
    "  \"created_at\" INTEGER NOT NULL DEFAULT (unixepoch() * 1000),\n"
    "  \"reference\" BLOB NOT NULL CHECK (typeof(\"reference\") = 'blob' AND length(\"reference\") "
    "= 16),\n"
    "  \"title\" TEXT NOT NULL CHECK (length(\"title\") <= 5),\n"
    "  \"note\" TEXT,\n"
    "  \"soil\" TEXT NOT NULL CHECK (\"soil\" IN ('Clay', 'Sand')),\n"
    "  \"open\" INTEGER NOT NULL CHECK (\"open\" IN (0, 1)),\n"
    "  \"size\" INTEGER NOT NULL,\n"
    "  \"weight\" REAL NOT NULL,\n"
    "  \"area\" TEXT NOT NULL,\n"
    "  \"raw\" BLOB NOT NULL,\n"
    "  \"closed_at\" INTEGER\n"
    ")",
    "CREATE UNIQUE INDEX IF NOT EXISTS \"_dever_idx_1\" ON \"plot\" (\"title\")",
};

#define ALL_COLUMNS                                                                              \
    "\"id\", \"created_at\", \"reference\", \"title\", \"note\", \"soil\", \"open\", \"size\", " \
    "\"weight\", \"area\", \"raw\", \"closed_at\""

static const dv_model plot = {.package = "garden.plot.model",
                              .table = "plot",
                              .connection = {.explicit_name = NULL, .component = "garden"},
                              .record = &plot_type,
                              .columns = columns,
                              .column_count = COLUMNS,
                              .ddl_count = 2,
                              .sqlite_ddl = plot_ddl,
                              .revision = "aa11"};
static const dv_model *const models[] = {&plot};

static const dv_statement insert = {
    .name = "garden.plot.model.create at module/garden/plot/app.dever:3:5",
    .sqlite = "INSERT INTO \"plot\" (\"created_at\", \"reference\", \"title\", \"note\", \"soil\","
              " \"open\", \"size\", \"weight\", \"area\", \"raw\", \"closed_at\")"
              " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) RETURNING " ALL_COLUMNS};
static const dv_statement by_id = {
    .name = "garden.plot.model.get at module/garden/plot/app.dever:9:5",
    .sqlite = "SELECT " ALL_COLUMNS " FROM \"plot\" WHERE \"id\" = ?1"
              " LIMIT 1"};
static const dv_statement total = {.name = "t at x:1:1", .sqlite = "SELECT COUNT(*) FROM \"plot\""};
static const dv_statement page = {.name = "p at x:1:1",
                                  .sqlite =
                                      "SELECT " ALL_COLUMNS " FROM \"plot\" ORDER BY \"id\" DESC"
                                      " LIMIT ?1 OFFSET ?2"};
static const dv_statement larger = {.name = "l at x:1:1",
                                    .sqlite =
                                        "SELECT EXISTS(SELECT 1 FROM \"plot\" WHERE \"area\" >"
                                        " ?1)"};
static const dv_statement change = {.name = "u at x:1:1",
                                    .sqlite = "UPDATE \"plot\" SET \"size\" = ?1"};
static const dv_connection_name connection = {.explicit_name = NULL, .component = "garden"};

/* ---- the stage ---- */

static char folder[64];
static char path[96];
static Database *database;
static DbError error;
static dv_scope *s;

#define OK(condition)                                             \
    do {                                                          \
        if (!(condition)) {                                       \
            fail_msg("%s failed: %s", #condition, error.message); \
        }                                                         \
    } while (0)

static void open_database(void) {
    DatabaseOptions options = {
        .key = "default", .path = path, .max_connections = 3, .max_page_size = 50};
    OK((database = database_open(&options, &error)) != NULL);
    databases_clear();
    databases_add(database);
}

static int setup(void **state) {
    (void)state;
    strcpy(folder, "/tmp/dever-model-XXXXXX");
    error = (DbError){0};
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    snprintf(path, sizeof path, "%s/test.db", folder);
    open_database();
    OK(schema_prepare(database, models, 1, 5000, &error));
    s = scope_new();
    return s == NULL;
}

static int teardown(void **state) {
    (void)state;
    transaction_abandon(s);
    scope_free(s);
    databases_clear();
    database_close(database);
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static dv_text text_of(const char *value) {
    return (dv_text){.ptr = value, .len = strlen(value)};
}

static bool create(const char *title, dv_decimal area, Plot *out) {
    dv_text name = text_of(title);
    dv_maybe_text note = {.present = true, .value = text_of("g\xc3\xbcn")};
    int32_t soil = 1;
    bool open = true;
    int64_t size = INT64_MIN;
    double weight = 0.5;
    dv_text raw = {.ptr = "\0\1", .len = 2};
    dv_maybe_int closed = {.present = false};
    dv_bind binds[] = {
        {&columns[CREATED_AT], NULL}, {&columns[REFERENCE], NULL},   {&columns[TITLE], &name},
        {&columns[NOTE], &note},      {&columns[SOIL], &soil},       {&columns[OPEN], &open},
        {&columns[SIZE], &size},      {&columns[WEIGHT], &weight},   {&columns[AREA], &area},
        {&columns[RAW], &raw},        {&columns[CLOSED_AT], &closed}};
    return dv_model_create(s, &plot, &insert, binds, COUNT_OF(binds), out);
}

static const dv_decimal area_125 = {.low = 125, .exponent = -1};
static const dv_decimal minus_125 = {.low = 125, .exponent = -1, .negative = true};

static int64_t count(void) {
    int64_t rows = -1;
    assert_true(dv_model_count(s, &plot, &total, NULL, 0, &rows));
    return rows;
}

static dv_database_error_tag caught(const char **message) {
    dv_database_Error value;
    assert_true(dv_caught(s, &dv_database_Error_type, &value));
    if (message != NULL) {
        *message = value.as.any.message.ptr;
    }
    return (dv_database_error_tag)value.tag;
}

/* ---- operations ---- */

static void create_when_every_type_returns_the_row(void **state) {
    (void)state;
    Plot made = {0};
    assert_true(create("north", area_125, &made));
    assert_int_equal(made.id, 1);
    assert_true(made.created_at > INT64_C(1600000000000));
    assert_int_equal(made.reference.bytes[6] >> 4, 7);
    assert_memory_equal(made.title.ptr, "north", 5);
    assert_true(made.note.present && made.note.value.len == 4);
    assert_int_equal(made.soil, 1);
    assert_true(made.open);
    assert_true(made.size == INT64_MIN);
    assert_true(made.weight == 0.5);
    assert_int_equal(made.area.low, 1250);
    assert_int_equal(made.area.exponent, -2);
    assert_int_equal(made.raw.len, 2);
    assert_false(made.closed_at.present);
    Plot read = {0};
    dv_bind id = {&columns[ID], &made.id};
    assert_true(dv_model_get(s, &plot, &by_id, &id, 1, &read));
    assert_int_equal(read.created_at, made.created_at);
    assert_memory_equal(read.reference.bytes, made.reference.bytes, 16);
}

static void get_when_missing_fails_not_found(void **state) {
    (void)state;
    int64_t none = 7;
    dv_bind id = {&columns[ID], &none};
    Plot read;
    bool present = true;
    assert_true(dv_model_first(s, &plot, &by_id, &id, 1, &present, &read));
    assert_false(present);
    assert_false(dv_model_get(s, &plot, &by_id, &id, 1, &read));
    assert_string_equal(scope_failure_place(s), "module/garden/plot/app.dever:9:5");
    assert_int_equal(caught(NULL), DV_DATABASE_NOT_FOUND);
}

/* Messages name the constraint, never the value. */
static void create_when_constraint_broken_names_it(void **state) {
    (void)state;
    Plot made;
    const char *message = NULL;
    assert_true(create("north", area_125, &made));
    assert_false(create("north", area_125, &made));
    assert_int_equal(caught(&message), DV_DATABASE_CONSTRAINT);
    assert_non_null(strstr(message, "plot.title"));
    assert_null(strstr(message, "north"));
    assert_false(create("secret", area_125, &made)); /* longer than 5 */
    assert_int_equal(caught(&message), DV_DATABASE_CONSTRAINT);
    assert_null(strstr(message, "secret"));
    assert_int_equal(count(), 1);
}

static void create_when_decimal_does_not_fit_fails(void **state) {
    (void)state;
    Plot made;
    dv_decimal fine = {.low = 1, .exponent = -3};
    dv_decimal large = {.low = 1, .exponent = 4};
    assert_false(create("a", fine, &made));
    assert_int_equal(caught(NULL), DV_DATABASE_INVALID_DATA);
    assert_false(create("a", large, &made));
    assert_int_equal(caught(NULL), DV_DATABASE_INVALID_DATA);
}

/* The key's order is the order of the numbers. */
static void exists_when_decimals_compared_follows_numbers(void **state) {
    (void)state;
    Plot made;
    assert_true(create("a", minus_125, &made));
    dv_decimal zero = {0};
    dv_decimal less = {.low = 126, .exponent = -1, .negative = true};
    dv_bind bind = {&columns[AREA], &zero};
    bool found = true;
    assert_true(dv_model_exists(s, &plot, &larger, &bind, 1, &found));
    assert_false(found);
    bind.value = &less;
    assert_true(dv_model_exists(s, &plot, &larger, &bind, 1, &found));
    assert_true(found);
}

static void list_when_paged_counts_all(void **state) {
    (void)state;
    Plot made;
    char title[8];
    for (int i = 0; i < 45; i++) {
        snprintf(title, sizeof title, "t%d", i);
        assert_true(create(title, area_125, &made));
    }
    dv_page out;
    assert_true(dv_model_list(s, &plot, &total, &page, NULL, 0, 2, 20, &out));
    assert_int_equal(out.total, 45);
    assert_int_equal(out.pages, 3);
    assert_int_equal(out.items.length, 20);
    assert_int_equal(DV_ITEM(out.items, Plot, 0).id, 25);
    assert_int_equal(DV_ITEM(out.items, Plot, 19).id, 6);
    assert_true(dv_model_list(s, &plot, &total, &page, NULL, 0, 3, 20, &out));
    assert_int_equal(out.items.length, 5);
    assert_true(dv_model_list(s, &plot, &total, &page, NULL, 0, 9, 50, &out));
    assert_int_equal(out.items.length, 0);
}

static void list_when_page_or_size_wrong_fails(void **state) {
    (void)state;
    static const int64_t wrong[][2] = {{0, 20}, {-1, 20}, {1, 0}, {1, 51}, {INT64_MAX, 2}};
    dv_page out;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_false(
            dv_model_list(s, &plot, &total, &page, NULL, 0, wrong[i][0], wrong[i][1], &out));
        assert_int_equal(caught(NULL), DV_DATABASE_INVALID_DATA);
    }
}

static void read_when_stored_value_wrong_fails(void **state) {
    (void)state;
    Plot made;
    assert_true(create("a", area_125, &made));
    static const char *const damage[] = {
        "UPDATE plot SET area = 'many'",
        "UPDATE plot SET area = 'D1001250:02', soil = 'Loam'",
        "UPDATE plot SET soil = 'Clay', size = 'x'",
        "UPDATE plot SET size = 1, note = CAST(x'ff' AS TEXT)",
    };
    DbWatch patient = {.patience_ms = 1000};
    for (size_t i = 0; i < COUNT_OF(damage); i++) {
        DbConnection *c = database_take(database, &patient, &error);
        OK(db_execute(c, "PRAGMA ignore_check_constraints = ON", &error));
        OK(db_execute(c, damage[i], &error));
        database_give(database, c);
        Plot read;
        dv_bind id = {&columns[ID], &made.id};
        assert_false(dv_model_get(s, &plot, &by_id, &id, 1, &read));
        dv_database_error_tag tag = caught(NULL);
        assert_true(tag == DV_DATABASE_INVALID_DATA || tag == DV_DATABASE_DATABASE);
    }
}

/* ---- transactions ---- */

static void transaction_when_ok_commits_all(void **state) {
    (void)state;
    Plot made;
    assert_true(dv_transaction_begin(s, &connection));
    assert_true(create("a", area_125, &made));
    assert_true(dv_transaction_begin(s, &connection)); /* joins */
    assert_true(create("b", area_125, &made));
    assert_true(dv_transaction_end(s, true));
    assert_int_equal(count(), 2); /* reads see its own rows */
    assert_true(dv_transaction_end(s, true));
    assert_null(transaction_connection(s));
    assert_int_equal(count(), 2);
}

static void transaction_when_failed_rolls_back_and_keeps_the_failure(void **state) {
    (void)state;
    Plot made;
    int32_t tag = 0;
    static const dv_variant variants[] = {{"Closed", true, 0, NULL}};
    static const dv_type type = {.kind = DV_CHOICE,
                                 .size = sizeof tag,
                                 .name = "a.b.Error",
                                 .count = 1,
                                 .variants = variants};
    assert_true(dv_transaction_begin(s, &connection));
    assert_true(create("a", area_125, &made));
    dv_fail(s, &type, &tag, "x:1:1");
    assert_false(dv_transaction_end(s, false));
    assert_true(dv_caught(s, &type, &tag));
    assert_int_equal(count(), 0);
}

/* A constraint that was captured leaves the transaction usable. */
static void transaction_when_constraint_caught_goes_on(void **state) {
    (void)state;
    Plot made;
    assert_true(dv_transaction_begin(s, &connection));
    assert_true(create("a", area_125, &made));
    assert_false(create("a", area_125, &made));
    caught(NULL);
    assert_true(create("b", area_125, &made));
    assert_true(dv_transaction_end(s, true));
    assert_int_equal(count(), 2);
}

/* Whatever the database ended by itself is not carried on outside of it. */
static void transaction_when_database_ended_it_refuses_more(void **state) {
    (void)state;
    Plot made;
    assert_true(dv_transaction_begin(s, &connection));
    assert_true(create("a", area_125, &made));
    db_rollback(transaction_connection(s));
    assert_false(create("b", area_125, &made));
    assert_int_equal(caught(NULL), DV_DATABASE_DATABASE);
    assert_false(dv_transaction_end(s, true));
    caught(NULL);
    assert_int_equal(count(), 0);
}

static void operation_when_cancelled_fails_as_cancelled(void **state) {
    (void)state;
    Plot made;
    assert_true(dv_transaction_begin(s, &connection));
    assert_true(create("a", area_125, &made));
    scope_cancel(s);
    assert_false(create("b", area_125, &made));
    dv_database_Error value;
    assert_false(dv_caught(s, &dv_database_Error_type, &value));
    assert_false(dv_transaction_end(s, false));
    scope_free(s);
    s = scope_new();
    assert_int_equal(count(), 0);
}

static void *cancel_soon(void *scope) {
    usleep(50000);
    scope_cancel(scope);
    return NULL;
}

/* J6.8: a wait for the writers' turn ends with its scope. */
static void begin_when_cancelled_while_waiting_ends(void **state) {
    (void)state;
    DbWatch patient = {.patience_ms = 1000};
    DbConnection *c = database_take(database, &patient, &error);
    OK(database_begin(database, c, false, &error));
    pthread_t thread;
    pthread_create(&thread, NULL, cancel_soon, s);
    assert_false(dv_transaction_begin(s, &connection));
    pthread_join(thread, NULL);
    database_rollback(database, c);
    database_give(database, c);
}

static void change_when_rows_match_tells_how_many(void **state) {
    (void)state;
    Plot made;
    int64_t size = 9;
    int64_t changed = -1;
    dv_bind bind = {&columns[SIZE], &size};
    assert_true(dv_model_change(s, &plot, &change, &bind, 1, &changed));
    assert_int_equal(changed, 0);
    assert_true(create("a", area_125, &made));
    assert_true(create("b", area_125, &made));
    assert_true(dv_model_change(s, &plot, &change, &bind, 1, &changed));
    assert_int_equal(changed, 2);
}

/* ---- schemas ---- */

static void prepare_when_in_place_takes_no_lock(void **state) {
    (void)state;
    DbWatch patient = {.patience_ms = 1000};
    DbConnection *c = database_take(database, &patient, &error);
    OK(db_begin(c, &error));
    OK(schema_prepare(database, models, 1, 6000, &error));
    db_rollback(c);
    database_give(database, c);
}

static void prepare_when_revision_differs_refuses(void **state) {
    (void)state;
    dv_model changed = plot;
    changed.revision = "bb22";
    const dv_model *const wanted[] = {&changed};
    assert_false(schema_prepare(database, wanted, 1, 6000, &error));
    assert_int_equal(error.tag, DV_DATABASE_MIGRATION);
    assert_non_null(strstr(error.message, "not supported yet"));
    assert_non_null(strstr(error.message, "garden.plot.model"));
    assert_int_equal(count(), 0);
}

static void prepare_when_table_is_foreign_changes_nothing(void **state) {
    (void)state;
    DbWatch patient = {.patience_ms = 1000};
    DbConnection *c = database_take(database, &patient, &error);
    OK(db_execute(c, "CREATE TABLE bed (n INTEGER)", &error));
    static const char *const ddl[] = {"CREATE TABLE \"pot\" (\"id\" INTEGER PRIMARY KEY)"};
    dv_model pot = {.package = "garden.pot.model",
                    .table = "pot",
                    .ddl_count = 1,
                    .sqlite_ddl = ddl,
                    .revision = "cc"};
    dv_model bed = {.package = "garden.bed.model",
                    .table = "bed",
                    .ddl_count = 1,
                    .sqlite_ddl = ddl,
                    .revision = "dd"};
    const dv_model *const wanted[] = {&plot, &pot, &bed};
    assert_false(schema_prepare(database, wanted, 3, 6000, &error));
    assert_non_null(strstr(error.message, "\"bed\""));
    DbStatement *q =
        db_query(c, "SELECT count(*) FROM sqlite_schema WHERE name = 'pot'", NULL, 0, &error);
    assert_int_equal(db_step(c, q, &error), DB_ROW);
    assert_int_equal(db_column(c, q, 0).integer, 0); /* one transaction: nothing of it */
    db_reset(c, q);
    database_give(database, c);
}

static void prepare_when_table_is_lost_refuses(void **state) {
    (void)state;
    DbWatch patient = {.patience_ms = 1000};
    DbConnection *c = database_take(database, &patient, &error);
    OK(db_execute(c, "DROP TABLE plot", &error));
    database_give(database, c);
    assert_false(schema_prepare(database, models, 1, 6000, &error));
    assert_non_null(strstr(error.message, "is gone"));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(create_when_every_type_returns_the_row),
        TEST(get_when_missing_fails_not_found),
        TEST(create_when_constraint_broken_names_it),
        TEST(create_when_decimal_does_not_fit_fails),
        TEST(exists_when_decimals_compared_follows_numbers),
        TEST(list_when_paged_counts_all),
        TEST(list_when_page_or_size_wrong_fails),
        TEST(read_when_stored_value_wrong_fails),
        TEST(transaction_when_ok_commits_all),
        TEST(transaction_when_failed_rolls_back_and_keeps_the_failure),
        TEST(transaction_when_constraint_caught_goes_on),
        TEST(transaction_when_database_ended_it_refuses_more),
        TEST(operation_when_cancelled_fails_as_cancelled),
        TEST(begin_when_cancelled_while_waiting_ends),
        TEST(change_when_rows_match_tells_how_many),
        TEST(prepare_when_in_place_takes_no_lock),
        TEST(prepare_when_revision_differs_refuses),
        TEST(prepare_when_table_is_foreign_changes_nothing),
        TEST(prepare_when_table_is_lost_refuses),
    };
    return cmocka_run_group_tests_name("database_model", tests, NULL, NULL);
}
