/* runtime/database/sqlite.c: the SQLite driver.
 *
 * One connection is one sqlite3 handle in multi-thread mode, guarded by being used by one thread at
 * a time. Two callbacks ask the watch: the progress handler during long statements, the busy
 * handler while another process holds the lock. Prepared statements live in a small set-associative
 * cache. */
#include "runtime/database/sqlite.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

enum {
    PROGRESS_STEPS =
        2000, /* virtual machine steps between two looks at the watch: well below 1 ms */
    CACHE_SETS = 64,
    CACHE_WAYS = 4,
    WAL_PATIENCE_MS = 10000,
    STATEMENT_JOURNAL_BYTES = 32 * 1024
};

struct DbStatement {
    struct SqliteConnection *owner;
    sqlite3_stmt *handle;
    const char *sql; /* the key; NULL: this place of the cache is empty */
    bool in_use;
    bool kept; /* part of the cache, not made for one use */
};

typedef struct SqliteConnection {
    DbConnection base;
    sqlite3 *handle;
    int64_t busy_since; /* monotonic ms of the first look at a lock */
    bool committing;    /* a COMMIT is awaited, never ended by the watch */
    uint8_t next_way[CACHE_SETS];
    DbStatement cache[CACHE_SETS][CACHE_WAYS];
} SqliteConnection;

static SqliteConnection *of(DbConnection *c) {
    return (SqliteConnection *)c;
}

static void sleep_ms(int64_t ms) {
    struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = (ms % 1000) * 1000000};
    nanosleep(&pause, NULL);
}

static bool watch_ended(const SqliteConnection *c) {
    return !c->committing && c->base.watch != NULL && c->base.watch->ended != NULL &&
           c->base.watch->ended(c->base.watch->self);
}

/* SQLite's own locks cannot be queued for between processes, only tried again: first quickly, since
 * most transactions are short, then every 10 ms. */
static int on_busy(void *self, int count) {
    static const uint8_t pause_ms[] = {1, 1, 1, 2, 2, 3, 5, 5, 10};
    SqliteConnection *c = self;
    int64_t now = clock_monotonic_ms();
    if (count == 0) {
        c->busy_since = now;
    }
    if (c->base.watch == NULL || now - c->busy_since >= c->base.watch->patience_ms ||
        watch_ended(c)) {
        return 0;
    }
    size_t step = (size_t)count < COUNT_OF(pause_ms) ? (size_t)count : COUNT_OF(pause_ms) - 1;
    sleep_ms(pause_ms[step]);
    return 1;
}

static int on_progress(void *self) {
    return watch_ended(self) ? 1 : 0;
}

static bool fail(SqliteConnection *c, DbError *error) {
    int code = sqlite3_errcode(c->handle);
    const char *text = sqlite3_errmsg(c->handle);
    switch (code & 0xFF) {
    case SQLITE_CONSTRAINT:
        return db_error(error, DV_DATABASE_CONSTRAINT, "%s", text);
    case SQLITE_INTERRUPT:
        return db_error(error, DV_DATABASE_CANCELLED, "the statement was cancelled");
    case SQLITE_BUSY:
        if (watch_ended(c)) {
            return db_error(error, DV_DATABASE_CANCELLED,
                            "cancelled while another process was writing to the database");
        }
        db_error(error, DV_DATABASE_TIMEOUT, "another process holds the database's write lock");
        if (error != NULL) {
            error->busy = true;
        }
        return false;
    case SQLITE_IOERR:
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_CANTOPEN:
        c->base.broken = true; /* a fresh handle looks at the file anew */
        return db_error(error, DV_DATABASE_DATABASE, "%s", text);
    default:
        return db_error(error, DV_DATABASE_DATABASE, "%s", text);
    }
}

/* ---- statements ---- */

static void statement_drop(DbStatement *statement) {
    sqlite3_finalize(statement->handle);
    statement->handle = NULL;
    statement->sql = NULL;
    statement->in_use = false;
}

/* The place for a text that is not in the set: an empty one, else the next one in turn that is not
 * in use; NULL when all are. */
static DbStatement *cache_place(SqliteConnection *c, size_t set) {
    for (int way = 0; way < CACHE_WAYS; way++) {
        if (c->cache[set][way].sql == NULL) {
            return &c->cache[set][way];
        }
    }
    for (int tried = 0; tried < CACHE_WAYS; tried++) {
        DbStatement *place = &c->cache[set][c->next_way[set]];
        c->next_way[set] = (uint8_t)((c->next_way[set] + 1) % CACHE_WAYS);
        if (!place->in_use) {
            statement_drop(place);
            return place;
        }
    }
    return NULL;
}

static DbStatement *sqlite_prepare(DbConnection *base, const char *sql, DbError *error) {
    SqliteConnection *c = of(base);
    uint64_t address = (uint64_t)(uintptr_t)sql;
    size_t set = (size_t)((address * UINT64_C(0x9E3779B97F4A7C15)) >> 58) % CACHE_SETS;
    for (int way = 0; way < CACHE_WAYS; way++) {
        DbStatement *found = &c->cache[set][way];
        if (found->sql == sql && !found->in_use) {
            found->in_use = true;
            return found;
        }
    }
    sqlite3_stmt *handle = NULL;
    if (sqlite3_prepare_v3(c->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &handle, NULL) !=
        SQLITE_OK) {
        fail(c, error);
        return NULL;
    }
    DbStatement *place = cache_place(c, set);
    bool kept = place != NULL;
    if (!kept && (place = calloc(1, sizeof *place)) == NULL) {
        sqlite3_finalize(handle);
        db_error(error, DV_DATABASE_DATABASE, "out of memory");
        return NULL;
    }
    *place = (DbStatement){.owner = c, .handle = handle, .sql = sql, .in_use = true, .kept = kept};
    return place;
}

static bool sqlite_bind(DbStatement *statement, int index, DbValue value, DbError *error) {
    /* A NULL pointer would bind NULL instead of an empty text or blob. */
    const char *bytes = value.bytes.ptr == NULL ? "" : value.bytes.ptr;
    int code = SQLITE_MISUSE;
    switch (value.kind) {
    case DB_NULL:
        code = sqlite3_bind_null(statement->handle, index);
        break;
    case DB_INTEGER:
        code = sqlite3_bind_int64(statement->handle, index, value.integer);
        break;
    case DB_REAL:
        code = sqlite3_bind_double(statement->handle, index, value.real);
        break;
    case DB_TEXT:
        code = sqlite3_bind_text64(statement->handle, index, bytes, value.bytes.len, SQLITE_STATIC,
                                   SQLITE_UTF8);
        break;
    case DB_BLOB:
        code = sqlite3_bind_blob64(statement->handle, index, bytes, value.bytes.len, SQLITE_STATIC);
        break;
    }
    return code == SQLITE_OK || fail(statement->owner, error);
}

static DbStep sqlite_step(DbStatement *statement, DbError *error) {
    switch (sqlite3_step(statement->handle)) {
    case SQLITE_ROW:
        return DB_ROW;
    case SQLITE_DONE:
        return DB_DONE;
    default:
        fail(statement->owner, error);
        return DB_FAILED;
    }
}

static Str bytes_of(sqlite3_stmt *handle, int index, const void *bytes) {
    /* sqlite3_column_bytes must come after the call that fixed the form of the value. */
    return (Str){.ptr = bytes, .len = (size_t)sqlite3_column_bytes(handle, index)};
}

static DbValue sqlite_column(DbStatement *statement, int index) {
    sqlite3_stmt *handle = statement->handle;
    switch (sqlite3_column_type(handle, index)) {
    case SQLITE_INTEGER:
        return db_integer(sqlite3_column_int64(handle, index));
    case SQLITE_FLOAT:
        return db_real(sqlite3_column_double(handle, index));
    case SQLITE_TEXT:
        return db_text(bytes_of(handle, index, sqlite3_column_text(handle, index)));
    case SQLITE_BLOB:
        return db_blob(bytes_of(handle, index, sqlite3_column_blob(handle, index)));
    default:
        return db_null();
    }
}

static int sqlite_column_count(DbStatement *statement) {
    return sqlite3_column_count(statement->handle);
}

static void sqlite_reset(DbStatement *statement) {
    sqlite3_reset(statement->handle);
    sqlite3_clear_bindings(statement->handle);
    statement->in_use = false;
    if (!statement->kept) {
        statement_drop(statement);
        free(statement);
    }
}

static int64_t sqlite_changes(DbConnection *c) {
    return sqlite3_changes64(of(c)->handle);
}

static bool sqlite_execute(DbConnection *base, const char *sql, DbError *error) {
    SqliteConnection *c = of(base);
    sqlite3_stmt *handle = NULL;
    int code = sqlite3_prepare_v2(c->handle, sql, -1, &handle, NULL);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(handle);
    }
    bool ok = code == SQLITE_DONE || fail(c, error);
    sqlite3_finalize(handle);
    return ok;
}

/* ---- transactions ---- */

static bool sqlite_begin(DbConnection *c, DbError *error) {
    return db_run(c, "BEGIN IMMEDIATE", NULL, 0, error);
}

static bool sqlite_in_transaction(DbConnection *c) {
    return sqlite3_get_autocommit(of(c)->handle) == 0;
}

static void sqlite_rollback(DbConnection *base) {
    SqliteConnection *c = of(base);
    if (sqlite_in_transaction(base)) {
        c->committing = true;
        if (!db_run(base, "ROLLBACK", NULL, 0, NULL)) {
            base->broken = true;
        }
        c->committing = false;
    }
}

static bool sqlite_commit(DbConnection *base, DbError *error) {
    SqliteConnection *c = of(base);
    if (!sqlite_in_transaction(base)) {
        return db_error(error, DV_DATABASE_DATABASE,
                        "the database had already ended the transaction");
    }
    c->committing = true;
    bool ok = db_run(base, "COMMIT", NULL, 0, error);
    c->committing = false;
    if (!ok) {
        sqlite_rollback(base);
    }
    return ok;
}

/* ---- opening ---- */

static void sqlite_close(DbConnection *base) {
    SqliteConnection *c = of(base);
    for (size_t set = 0; set < CACHE_SETS; set++) {
        for (size_t way = 0; way < CACHE_WAYS; way++) {
            statement_drop(&c->cache[set][way]);
        }
    }
    sqlite3_close_v2(c->handle);
    free(c);
}

static const DbDriver driver = {
    .name = "sqlite",
    .close = sqlite_close,
    .prepare = sqlite_prepare,
    .bind = sqlite_bind,
    .step = sqlite_step,
    .column = sqlite_column,
    .column_count = sqlite_column_count,
    .reset = sqlite_reset,
    .changes = sqlite_changes,
    .execute = sqlite_execute,
    .begin = sqlite_begin,
    .commit = sqlite_commit,
    .rollback = sqlite_rollback,
    .in_transaction = sqlite_in_transaction,
};

static bool journal_is_wal(SqliteConnection *c, const char *sql, bool *out_wal, DbError *error) {
    sqlite3_stmt *handle = NULL;
    bool ok = sqlite3_prepare_v2(c->handle, sql, -1, &handle, NULL) == SQLITE_OK &&
              sqlite3_step(handle) == SQLITE_ROW;
    if (ok) {
        const unsigned char *mode = sqlite3_column_text(handle, 0);
        *out_wal = mode != NULL && strcmp((const char *)mode, "wal") == 0;
    } else {
        fail(c, error);
    }
    sqlite3_finalize(handle);
    return ok;
}

static bool set_wal(SqliteConnection *c, DbError *error) {
    int64_t start = clock_monotonic_ms();
    for (;;) {
        DbError found = {0};
        bool wal = false;
        if (journal_is_wal(c, "PRAGMA journal_mode", &wal, &found) &&
            (wal || journal_is_wal(c, "PRAGMA journal_mode=WAL", &wal, &found))) {
            return wal ||
                   db_error(error, DV_DATABASE_CONNECTION,
                            "the database cannot use write-ahead logging here (the file system "
                            "must support shared memory and locks)");
        }
        if (!found.busy || clock_monotonic_ms() - start >= WAL_PATIENCE_MS) {
            if (error != NULL) {
                *error = found;
            }
            return false;
        }
        sleep_ms(10);
    }
}

static bool set_up(SqliteConnection *c, DbError *error) {
    sqlite3_extended_result_codes(c->handle, 1);
    /* A double-quoted name that is no column is an error, not a text. */
    sqlite3_db_config(c->handle, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(c->handle, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    sqlite3_busy_handler(c->handle, on_busy, c);
    sqlite3_progress_handler(c->handle, PROGRESS_STEPS, on_progress, c);
    DbWatch patient = {.patience_ms = WAL_PATIENCE_MS};
    c->base.watch = &patient;
    bool ok = set_wal(c, error) && sqlite_execute(&c->base, "PRAGMA synchronous=FULL", error) &&
              sqlite_execute(&c->base, "PRAGMA foreign_keys=ON", error) &&
              /* Gives back the room that one very large transaction took. */
              sqlite_execute(&c->base, "PRAGMA journal_size_limit=67108864", error);
    c->base.watch = NULL;
    return ok;
}

/* Before the first handle. The statistics of memory cost a lock for every allocation. A statement
 * journal (RETURNING, several rows) takes its whole room at once, 64 kB unless told otherwise,
 * which malloc returns to the system each time; below that limit it keeps the memory. */
static void configure(void) {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, STATEMENT_JOURNAL_BYTES);
}

DbConnection *sqlite_open(const char *path, DbError *error) {
    static pthread_once_t configured = PTHREAD_ONCE_INIT;
    pthread_once(&configured, configure);
    SqliteConnection *c = calloc(1, sizeof *c);
    if (c == NULL) {
        db_error(error, DV_DATABASE_CONNECTION, "out of memory");
        return NULL;
    }
    c->base.driver = &driver;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &c->handle, flags, NULL) != SQLITE_OK) {
        db_error(error, DV_DATABASE_CONNECTION, "cannot open the database file %s: %s", path,
                 c->handle == NULL ? "out of memory" : sqlite3_errmsg(c->handle));
        sqlite_close(&c->base);
        return NULL;
    }
    if (!set_up(c, error)) {
        sqlite_close(&c->base);
        return NULL;
    }
    return &c->base;
}
