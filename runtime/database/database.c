/* runtime/database/database.c: a database and its pool.
 *
 * Idle connections are a stack, so that the warmest is used first and a quiet program keeps few
 * pages in memory. */
#include "runtime/database/database.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "runtime/database/condition.h"
#include "runtime/database/sqlite.h"
#include "runtime/database/writer.h"

enum { LOOK_MS = 10 };

/* `idle`, `idle_count` and `open_count` are guarded by `mutex`; the rest does not change after the
 * start. */
struct Database {
    char *key;
    char *path;
    uint32_t max_connections;
    int64_t max_page_size;
    const TransactionHooks *hooks;
    WriterQueue writers;
    pthread_mutex_t mutex;
    pthread_cond_t given; /* idle_count grew or open_count shrank */
    DbConnection **idle;
    uint32_t idle_count;
    uint32_t open_count; /* idle and taken */
};

static struct {
    Database *items[DATABASES_MAX];
    size_t count;
} databases;

Database *database_open(const DatabaseOptions *options, DbError *error) {
    Database *database = calloc(1, sizeof *database);
    if (database != NULL) {
        writer_init(&database->writers);
        pthread_mutex_init(&database->mutex, NULL);
        condition_init(&database->given);
        database->key = strdup(options->key);
        database->path = strdup(options->path);
        database->idle = calloc(options->max_connections, sizeof(DbConnection *));
        database->max_connections = options->max_connections;
        database->max_page_size = options->max_page_size;
    }
    if (database == NULL || database->key == NULL || database->path == NULL ||
        database->idle == NULL) {
        db_error(error, DV_DATABASE_CONNECTION, "out of memory");
        database_close(database);
        return NULL;
    }
    DbConnection *first = sqlite_open(database->path, error);
    if (first == NULL) {
        database_close(database);
        return NULL;
    }
    database->idle[0] = first;
    database->idle_count = 1;
    database->open_count = 1;
    return database;
}

void database_close(Database *database) {
    if (database == NULL) {
        return;
    }
    for (uint32_t i = 0; i < database->idle_count; i++) {
        db_close(database->idle[i]);
    }
    pthread_cond_destroy(&database->given);
    pthread_mutex_destroy(&database->mutex);
    writer_done(&database->writers);
    free(database->idle);
    free(database->path);
    free(database->key);
    free(database);
}

const char *database_key(const Database *database) {
    return database->key;
}

const char *database_path(const Database *database) {
    return database->path;
}

int64_t database_max_page_size(const Database *database) {
    return database->max_page_size;
}

uint32_t database_max_connections(const Database *database) {
    return database->max_connections;
}

void database_set_hooks(Database *database, const TransactionHooks *hooks) {
    database->hooks = hooks;
}

const TransactionHooks *database_hooks(const Database *database) {
    return database->hooks;
}

/* ---- names ---- */

bool databases_add(Database *database) {
    if (databases.count == DATABASES_MAX) {
        return false;
    }
    databases.items[databases.count++] = database;
    return true;
}

void databases_clear(void) {
    databases.count = 0;
}

static Database *find_key(const char *key) {
    for (size_t i = 0; i < databases.count; i++) {
        if (strcmp(databases.items[i]->key, key) == 0) {
            return databases.items[i];
        }
    }
    return NULL;
}

Database *databases_find(const dv_connection_name *name) {
    if (name->explicit_name != NULL) {
        return find_key(name->explicit_name);
    }
    Database *own = name->component == NULL ? NULL : find_key(name->component);
    return own != NULL ? own : find_key("default");
}

/* ---- the pool ---- */

/* Waits for an idle connection, or for the right to open one (then *out is NULL). */
static bool wait_for_place(Database *database, const DbWatch *watch, DbConnection **out,
                           DbError *error) {
    int64_t start = 0; /* the clock is read only by those who must wait */
    pthread_mutex_lock(&database->mutex);
    while (database->idle_count == 0 && database->open_count == database->max_connections) {
        condition_wait_ms(&database->given, &database->mutex, LOOK_MS);
        /* The watch may take locks of its own: never ask it while holding this one. */
        pthread_mutex_unlock(&database->mutex);
        int64_t now = clock_monotonic_ms();
        start = start == 0 ? now : start;
        if (watch != NULL && watch->ended != NULL && watch->ended(watch->self)) {
            return db_error(error, DV_DATABASE_CANCELLED,
                            "cancelled while waiting for a connection");
        }
        if (now - start >= DATABASE_POOL_WAIT_MS) {
            return db_error(
                error, DV_DATABASE_POOL,
                "no connection of database %s became free within %d ms: all %u are in use",
                database->key, DATABASE_POOL_WAIT_MS, database->max_connections);
        }
        pthread_mutex_lock(&database->mutex);
    }
    if (database->idle_count > 0) {
        *out = database->idle[--database->idle_count];
    } else {
        *out = NULL;
        database->open_count++;
    }
    pthread_mutex_unlock(&database->mutex);
    return true;
}

static void leave_place(Database *database) {
    pthread_mutex_lock(&database->mutex);
    database->open_count--;
    pthread_cond_signal(&database->given);
    pthread_mutex_unlock(&database->mutex);
}

DbConnection *database_take(Database *database, const DbWatch *watch, DbError *error) {
    DbConnection *c = NULL;
    if (!wait_for_place(database, watch, &c, error)) {
        return NULL;
    }
    if (c == NULL && (c = sqlite_open(database->path, error)) == NULL) {
        leave_place(database);
        return NULL;
    }
    db_watch(c, watch);
    return c;
}

void database_give(Database *database, DbConnection *c) {
    db_watch(c, NULL);
    if (c->broken) {
        db_close(c);
        leave_place(database);
        return;
    }
    pthread_mutex_lock(&database->mutex);
    database->idle[database->idle_count++] = c;
    pthread_cond_signal(&database->given);
    pthread_mutex_unlock(&database->mutex);
}

/* ---- writing ---- */

bool database_begin(Database *database, DbConnection *c, bool control, DbError *error) {
    static const DbWatch impatient = {0};
    const DbWatch *watch = db_watched(c);
    if (!writer_enter(&database->writers, control, watch == NULL ? &impatient : watch, error)) {
        return false;
    }
    if (!db_begin(c, error)) {
        writer_leave(&database->writers);
        return false;
    }
    return true;
}

bool database_commit(Database *database, DbConnection *c, DbError *error) {
    bool ok = db_commit(c, error);
    writer_leave(&database->writers);
    return ok;
}

void database_rollback(Database *database, DbConnection *c) {
    db_rollback(c);
    writer_leave(&database->writers);
}
