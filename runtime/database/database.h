/* runtime/database/database.h: the program's databases: connections, and the right to write.
 *
 * A Database is one configured connection: a bounded pool of driver connections, the queue of its
 * writers inside the process, and the hooks that the job system hangs on its transactions. It is
 * made at the start, before any thread, and closed after the last one. Functions are for any thread
 * unless said otherwise. */
#ifndef RUNTIME_DATABASE_DATABASE_H
#define RUNTIME_DATABASE_DATABASE_H

#include "runtime/database/driver.h"

typedef struct Database Database;

typedef struct DatabaseOptions {
    const char *key;  /* its name in the settings: "default" */
    const char *path; /* of the file; its folder exists */
    uint32_t max_connections;
    int64_t max_page_size;
} DatabaseOptions;

enum {
    DATABASE_POOL_WAIT_MS = 5000,
    DATABASE_WRITE_WAIT_MS = 30000 /* of users, for another writer; then Timeout */
};

/* Opens the database with a first connection, so that a wrong path or file is found at the start.
 * NULL on failure. Everything in options is copied. */
Database *database_open(const DatabaseOptions *options, DbError *error);
/* Closes it; every connection must have been given back. Accepts NULL. */
void database_close(Database *database);

const char *database_key(const Database *database);
const char *database_path(const Database *database);
int64_t database_max_page_size(const Database *database);
uint32_t database_max_connections(const Database *database);

/* ---- the program's databases, by name (set at the start, by one thread) ---- */

enum { DATABASES_MAX = 16 };

/* Adds an open database under its key; false when there are too many. It stays the caller's. */
bool databases_add(Database *database);
/* Forgets all. */
void databases_clear(void);
/* The one that a `database` line, else the component's name, else "default" means; NULL when the
 * name is explicit and there is none, or there is no default. */
Database *databases_find(const dv_connection_name *name);

/* ---- connections ---- */

/* Waits at most DATABASE_POOL_WAIT_MS for a connection, as long as the watch has not ended: Pool or
 * Cancelled. The connection has `watch` set. */
DbConnection *database_take(Database *database, const DbWatch *watch, DbError *error);
/* Gives it back without watch; a broken one is closed. */
void database_give(Database *database, DbConnection *c);

/* ---- writing ---- */

/* The turn among the writers of the process, then a transaction on the connection. `control`: the
 * worker's own statement, which goes first. The watch set on the connection is asked throughout and
 * its patience bounds each of the two waits. Nothing is held after a failure. */
bool database_begin(Database *database, DbConnection *c, bool control, DbError *error);
/* Ends what database_begin began; false: not committed as far as is known. */
bool database_commit(Database *database, DbConnection *c, DbError *error);
void database_rollback(Database *database, DbConnection *c);

/* ---- hooks of the job system ---- */

/* Called on the thread of the scope, for transactions on this database, implicit ones included. */
typedef struct TransactionHooks {
    /* Inside the transaction, before COMMIT: false, with *error filled, turns it into a rollback.
     */
    bool (*before_commit)(dv_scope *s, DbConnection *c, DbError *error);
    /* After the end, when nothing is held any more. `due`: what transaction_note_due was told last
     * and least, INT64_MAX without. */
    void (*after_end)(dv_scope *s, bool committed, int64_t due);
    /* A transaction could not be begun. */
    void (*not_begun)(dv_scope *s);
} TransactionHooks;

/* At the start, before any thread. The hooks are borrowed. */
void database_set_hooks(Database *database, const TransactionHooks *hooks);
const TransactionHooks *database_hooks(const Database *database);

#endif
