/* runtime/database/driver.h: what a database driver offers.
 *
 * A connection is used by one thread at a time. A call that takes long ends early when its watch
 * says so: there is no other way to interrupt one from outside. Statements are prepared once per
 * connection and kept there, known by the address of their text: the text must be static. A failing
 * function fills *error and nothing else; messages name tables, columns and constraints, never a
 * value.
 *
 * The db_… functions below are the calls of a connection's driver; only drivers themselves see
 * DbDriver. */
#ifndef RUNTIME_DATABASE_DRIVER_H
#define RUNTIME_DATABASE_DRIVER_H

#include <dever/database.h>

#include "base/str.h"

/* Text limits the message; longer driver texts are cut at a character. */
typedef struct DbError {
    dv_database_error_tag tag;
    bool busy; /* TIMEOUT only: another process holds the lock; nothing was done */
    char message[400];
} DbError;

/* Fills *error and returns false, for `return db_error(…)`. error may be NULL. */
bool db_error(DbError *error, dv_database_error_tag tag, const char *format, ...) PRINTF_LIKE(3, 4);

typedef enum DbKind { DB_NULL, DB_INTEGER, DB_REAL, DB_TEXT, DB_BLOB } DbKind;

/* A parameter or a column of a row. `bytes` of a column live until the next step or reset; those of
 * a parameter must live until the statement is reset. */
typedef struct DbValue {
    DbKind kind;
    int64_t integer;
    double real;
    Str bytes;
} DbValue;

static inline DbValue db_null(void) {
    return (DbValue){.kind = DB_NULL};
}
static inline DbValue db_integer(int64_t value) {
    return (DbValue){.kind = DB_INTEGER, .integer = value};
}
static inline DbValue db_real(double value) {
    return (DbValue){.kind = DB_REAL, .real = value};
}
static inline DbValue db_text(Str value) {
    return (DbValue){.kind = DB_TEXT, .bytes = value};
}
static inline DbValue db_blob(Str value) {
    return (DbValue){.kind = DB_BLOB, .bytes = value};
}

/* What may end a call early. `ended` is asked now and then, on the calling thread, and must be
 * quick; NULL: never. `patience_ms` bounds the wait for a lock that another process holds. */
typedef struct DbWatch {
    bool (*ended)(void *self);
    void *self;
    int64_t patience_ms;
} DbWatch;

typedef enum DbStep { DB_ROW, DB_DONE, DB_FAILED } DbStep;

typedef struct DbDriver DbDriver;
typedef struct DbStatement DbStatement;

/* The head of every driver's connection. */
typedef struct DbConnection {
    const DbDriver *driver;
    const DbWatch *watch; /* set by db_watch, asked by the driver */
    bool broken;          /* never to be used again: the pool closes it */
} DbConnection;

struct DbDriver {
    const char *name;
    void (*close)(DbConnection *c);
    DbStatement *(*prepare)(DbConnection *c, const char *sql, DbError *error);
    bool (*bind)(DbStatement *statement, int index, DbValue value, DbError *error);
    DbStep (*step)(DbStatement *statement, DbError *error);
    DbValue (*column)(DbStatement *statement, int index);
    int (*column_count)(DbStatement *statement);
    void (*reset)(DbStatement *statement);
    int64_t (*changes)(DbConnection *c);
    bool (*execute)(DbConnection *c, const char *sql, DbError *error);
    bool (*begin)(DbConnection *c, DbError *error);
    bool (*commit)(DbConnection *c, DbError *error);
    void (*rollback)(DbConnection *c);
    bool (*in_transaction)(DbConnection *c);
};

/* Closes the connection and its statements. Accepts NULL. */
void db_close(DbConnection *c);
/* Sets what ends the following calls early; NULL: nothing, and no wait for locks. The watch is
 * borrowed until the next db_watch. */
void db_watch(DbConnection *c, const DbWatch *watch);
const DbWatch *db_watched(const DbConnection *c);

/* The statement of a static text, reset and without values; NULL on failure. It belongs to the
 * connection. A statement that is in use must not be asked for again. */
DbStatement *db_prepare(DbConnection *c, const char *sql, DbError *error);
/* Parameters are numbered from 1. */
bool db_bind(DbConnection *c, DbStatement *statement, int index, DbValue value, DbError *error);
DbStep db_step(DbConnection *c, DbStatement *statement, DbError *error);
/* Columns are numbered from 0. */
DbValue db_column(DbConnection *c, DbStatement *statement, int index);
int db_column_count(DbConnection *c, DbStatement *statement);
/* Ends the use of a statement; must follow every use, also a failed one. */
void db_reset(DbConnection *c, DbStatement *statement);
/* Rows that the last finished INSERT, UPDATE or DELETE of the connection changed. */
int64_t db_changes(DbConnection *c);

/* Prepares, binds `count` values, runs to the end without reading rows, and resets. */
bool db_run(DbConnection *c, const char *sql, const DbValue *values, int count, DbError *error);
/* Starts a statement with its values; NULL on failure. Follow with db_step and db_reset. */
DbStatement *db_query(DbConnection *c, const char *sql, const DbValue *values, int count,
                      DbError *error);
/* One statement whose text is not static (DDL); not kept. */
bool db_execute(DbConnection *c, const char *sql, DbError *error);

/* A transaction that may write from its start: [SQLite] it holds the file's write lock when this
 * returns true. */
bool db_begin(DbConnection *c, DbError *error);
/* False: not committed as far as is known, and the transaction is over. Not ended by the watch. */
bool db_commit(DbConnection *c, DbError *error);
/* Ends an open transaction; nothing happens without one. */
void db_rollback(DbConnection *c);
/* False too when the database ended the transaction by itself (disk full, an interrupted write):
 * what follows would no longer be part of it. */
bool db_in_transaction(DbConnection *c);

#endif
