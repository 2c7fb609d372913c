/* runtime/database/driver.c: the calls that are the same for every driver. */
#include "runtime/database/driver.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool db_error(DbError *error, dv_database_error_tag tag, const char *format, ...) {
    if (error == NULL) {
        return false;
    }
    error->tag = tag;
    error->busy = false;
    va_list values;
    va_start(values, format);
    int length = vsnprintf(error->message, sizeof error->message, format, values);
    va_end(values);
    if (length >= (int)sizeof error->message) {
        /* The cut may have split a character: drop its first bytes. */
        size_t end = sizeof error->message - 1;
        while (end > 0 && ((unsigned char)error->message[end - 1] & 0xC0) == 0x80) {
            end--;
        }
        if (end > 0 && (unsigned char)error->message[end - 1] >= 0xC0) {
            end--;
        }
        error->message[end] = '\0';
    }
    return false;
}

void db_close(DbConnection *c) {
    if (c != NULL) {
        c->driver->close(c);
    }
}

void db_watch(DbConnection *c, const DbWatch *watch) {
    c->watch = watch;
}

const DbWatch *db_watched(const DbConnection *c) {
    return c->watch;
}

DbStatement *db_prepare(DbConnection *c, const char *sql, DbError *error) {
    return c->driver->prepare(c, sql, error);
}

bool db_bind(DbConnection *c, DbStatement *statement, int index, DbValue value, DbError *error) {
    return c->driver->bind(statement, index, value, error);
}

DbStep db_step(DbConnection *c, DbStatement *statement, DbError *error) {
    return c->driver->step(statement, error);
}

DbValue db_column(DbConnection *c, DbStatement *statement, int index) {
    return c->driver->column(statement, index);
}

int db_column_count(DbConnection *c, DbStatement *statement) {
    return c->driver->column_count(statement);
}

void db_reset(DbConnection *c, DbStatement *statement) {
    c->driver->reset(statement);
}

int64_t db_changes(DbConnection *c) {
    return c->driver->changes(c);
}

DbStatement *db_query(DbConnection *c, const char *sql, const DbValue *values, int count,
                      DbError *error) {
    DbStatement *statement = db_prepare(c, sql, error);
    if (statement == NULL) {
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        if (!db_bind(c, statement, i + 1, values[i], error)) {
            db_reset(c, statement);
            return NULL;
        }
    }
    return statement;
}

bool db_run(DbConnection *c, const char *sql, const DbValue *values, int count, DbError *error) {
    DbStatement *statement = db_query(c, sql, values, count, error);
    if (statement == NULL) {
        return false;
    }
    DbStep step;
    do {
        step = db_step(c, statement, error);
    } while (step == DB_ROW);
    db_reset(c, statement);
    return step == DB_DONE;
}

bool db_execute(DbConnection *c, const char *sql, DbError *error) {
    return c->driver->execute(c, sql, error);
}

bool db_begin(DbConnection *c, DbError *error) {
    return c->driver->begin(c, error);
}

bool db_commit(DbConnection *c, DbError *error) {
    return c->driver->commit(c, error);
}

void db_rollback(DbConnection *c) {
    c->driver->rollback(c);
}

bool db_in_transaction(DbConnection *c) {
    return c->driver->in_transaction(c);
}
