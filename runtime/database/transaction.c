/* runtime/database/transaction.c: one open transaction for each scope, joined by inner ones.
 *
 * Between the outermost begin and its end the scope owns a connection and the writers' turn. The
 * end asks the hooks of the job system before COMMIT, and tells them when nothing is held any more.
 */
#include "runtime/database/transaction.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/task/scope.h"

typedef struct Transaction {
    Database *database;
    DbConnection *c;
    DbWatch watch;
    uint32_t depth; /* begins without their end */
    int64_t due;    /* for the hooks */
} Transaction;

static bool scope_ended(void *self) {
    return scope_is_cancelled(self);
}

static DbWatch watch_of(dv_scope *s) {
    return (DbWatch){.ended = scope_ended, .self = s, .patience_ms = DATABASE_WRITE_WAIT_MS};
}

bool transaction_fail(dv_scope *s, const DbError *error, const char *place) {
    if (error->message[0] == '\0') {
        return false;
    }
    /* A cancelled scope fails as cancelled at its next step; what the database said of it is noise.
     */
    if (error->tag == DV_DATABASE_CANCELLED && !dv_step(s)) {
        return false;
    }
    size_t length = strlen(error->message);
    char *message = dv_new(s, length + 1);
    if (message == NULL) {
        return false;
    }
    memcpy(message, error->message, length + 1);
    dv_database_Error value = {.tag = (int32_t)error->tag,
                               .as.any.message = {.ptr = message, .len = length}};
    dv_fail(s, &dv_database_Error_type, &value, place);
    s->failure.reason = message; /* names tables and constraints, never values: driver.h */
    return false;
}

DbConnection *transaction_connection(dv_scope *s) {
    const Transaction *open = s->transaction;
    return open == NULL ? NULL : open->c;
}

void transaction_note_due(dv_scope *s, int64_t due) {
    Transaction *open = s->transaction;
    if (open != NULL && due < open->due) {
        open->due = due;
    }
}

/* Is the open transaction one that may be joined? */
static bool check_joined(const Transaction *open, const Database *database, DbError *error) {
    if (open->database != database) {
        return db_error(error, DV_DATABASE_DATABASE,
                        "a transaction on database %s cannot use database %s",
                        database_key(open->database), database_key(database));
    }
    return db_in_transaction(open->c) ||
           db_error(error, DV_DATABASE_DATABASE, "the database has already ended this transaction");
}

static bool begin_new(dv_scope *s, Database *database, DbError *error) {
    Transaction *begun = calloc(1, sizeof *begun);
    if (begun == NULL) {
        return db_error(error, DV_DATABASE_DATABASE, "out of memory");
    }
    *begun =
        (Transaction){.database = database, .watch = watch_of(s), .depth = 1, .due = INT64_MAX};
    begun->c = database_take(database, &begun->watch, error);
    if (begun->c == NULL) {
        free(begun);
        return false;
    }
    if (!database_begin(database, begun->c, false, error)) {
        database_give(database, begun->c);
        free(begun);
        return false;
    }
    s->transaction = begun;
    return true;
}

bool transaction_begin(dv_scope *s, Database *database) {
    Transaction *open = s->transaction;
    DbError error = {0};
    if (!dv_step(s)) {
        return false;
    }
    if (open != NULL) {
        if (!check_joined(open, database, &error)) {
            return transaction_fail(s, &error, NULL);
        }
        open->depth++;
        return true;
    }
    if (begin_new(s, database, &error)) {
        return true;
    }
    const TransactionHooks *hooks = database_hooks(database);
    if (hooks != NULL) {
        hooks->not_begun(s);
    }
    return transaction_fail(s, &error, NULL);
}

/* The outermost end: true when committed. */
static bool finish(dv_scope *s, Transaction *open, bool commit, DbError *error) {
    const TransactionHooks *hooks = database_hooks(open->database);
    bool committed = false;
    /* Without the transaction, what the hooks write would be committed on its own. */
    if (commit && !db_in_transaction(open->c)) {
        commit = db_error(error, DV_DATABASE_DATABASE,
                          "the database has already ended this transaction");
    }
    if (commit && (hooks == NULL || hooks->before_commit(s, open->c, error))) {
        committed = database_commit(open->database, open->c, error);
    } else {
        database_rollback(open->database, open->c);
    }
    database_give(open->database, open->c);
    int64_t due = open->due;
    s->transaction = NULL;
    free(open);
    if (hooks != NULL) {
        hooks->after_end(s, committed, due);
    }
    return committed;
}

bool transaction_end(dv_scope *s, bool ok) {
    Transaction *open = s->transaction;
    if (open->depth > 1) {
        open->depth--;
        return ok;
    }
    DbError error = {0};
    return finish(s, open, ok, &error) || (ok && transaction_fail(s, &error, NULL));
}

void transaction_abandon(dv_scope *s) {
    Transaction *open = s->transaction;
    if (open != NULL) {
        DbError error = {0};
        finish(s, open, false, &error);
    }
}

DbConnection *transaction_read(dv_scope *s, Database *database, DbWatch *watch) {
    Transaction *open = s->transaction;
    DbError error = {0};
    if (!dv_step(s)) {
        return NULL;
    }
    if (open != NULL) {
        if (!check_joined(open, database, &error)) {
            transaction_fail(s, &error, NULL);
            return NULL;
        }
        return open->c;
    }
    *watch = watch_of(s);
    DbConnection *c = database_take(database, watch, &error);
    if (c == NULL) {
        transaction_fail(s, &error, NULL);
    }
    return c;
}

void transaction_read_done(dv_scope *s, Database *database, DbConnection *c) {
    if (s->transaction == NULL) {
        database_give(database, c);
    }
}

/* ---- the door ---- */

bool dv_transaction_begin(dv_scope *s, const dv_connection_name *connection) {
    Database *database = databases_find(connection);
    if (database == NULL) {
        DbError error;
        db_error(&error, DV_DATABASE_CONNECTION, "the transaction has no database in the settings");
        return transaction_fail(s, &error, NULL);
    }
    return transaction_begin(s, database);
}

bool dv_transaction_end(dv_scope *s, bool ok) {
    return transaction_end(s, ok);
}
