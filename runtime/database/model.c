/* runtime/database/model.c: Model operations, as generated code calls them.
 *
 * Each operation is one prepared statement whose parameters and columns are moved by the types in
 * dv_column. A read runs on the scope's open transaction, else on any connection of the pool; a
 * write runs in the open transaction, else in a short one of its own. */
#include <dever/collection.h>

#include <string.h>

#include "runtime/database/column.h"
#include "runtime/database/database.h"
#include "runtime/database/transaction.h"

/* One operation under way. */
typedef struct Operation {
    dv_scope *s;
    const dv_model *model;
    Database *database;
    DbConnection *c;
    DbWatch watch; /* of a read outside a transaction */
    DbError error;
} Operation;

/* The "path:line:column" at the end of a statement's name. */
static const char *place_of(const dv_statement *q) {
    const char *at = strstr(q->name, " at ");
    return at == NULL ? NULL : at + 4;
}

static bool fail(Operation *op, const dv_statement *q) {
    return transaction_fail(op->s, &op->error, place_of(q));
}

static bool find_database(Operation *op, const dv_statement *q) {
    op->database = databases_find(&op->model->connection);
    if (op->database != NULL) {
        return true;
    }
    db_error(&op->error, DV_DATABASE_CONNECTION, "%s has no database in the settings",
             op->model->package);
    return fail(op, q);
}

/* Prepares and binds; NULL with op->error filled. */
static DbStatement *start(Operation *op, const dv_statement *q, const dv_bind *binds,
                          uint32_t count) {
    DbStatement *statement = db_prepare(op->c, q->sqlite, &op->error);
    if (statement == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        DbValue value;
        if (!column_write(op->s, binds[i].column, binds[i].value, &value, &op->error) ||
            !db_bind(op->c, statement, (int)i + 1, value, &op->error)) {
            db_reset(op->c, statement);
            return NULL;
        }
    }
    return statement;
}

static bool read_record(Operation *op, DbStatement *statement, void *record) {
    const dv_model *model = op->model;
    if (db_column_count(op->c, statement) != (int)model->column_count) {
        return db_error(&op->error, DV_DATABASE_INVALID_DATA,
                        "%s: %d columns where %u are expected", model->package,
                        db_column_count(op->c, statement), model->column_count);
    }
    for (uint32_t i = 0; i < model->column_count; i++) {
        const dv_column *column = &model->columns[i];
        if (!column_read(op->s, column, db_column(op->c, statement, (int)i),
                         (char *)record + column->offset, &op->error)) {
            return false;
        }
    }
    return true;
}

/* Runs a statement that gives at most one row of interest. */
static bool one_row(Operation *op, const dv_statement *q, const dv_bind *binds, uint32_t count,
                    bool *out_present,
                    bool (*read)(Operation *op, DbStatement *statement, void *out), void *out) {
    DbStatement *statement = start(op, q, binds, count);
    if (statement == NULL) {
        return false;
    }
    DbStep step = db_step(op->c, statement, &op->error);
    *out_present = step == DB_ROW;
    bool ok = step != DB_FAILED && (step == DB_DONE || read(op, statement, out));
    if (ok && step == DB_ROW) {
        /* To the end, so that a writing statement is complete. */
        ok = db_step(op->c, statement, &op->error) != DB_FAILED;
    }
    db_reset(op->c, statement);
    return ok;
}

static bool read_integer(Operation *op, DbStatement *statement, void *out) {
    *(int64_t *)out = db_column(op->c, statement, 0).integer;
    return true;
}

/* A read of at most one row, with its connection. */
static bool read_one(dv_scope *s, const dv_model *m, const dv_statement *q, const dv_bind *binds,
                     uint32_t count, bool *out_present,
                     bool (*read)(Operation *op, DbStatement *statement, void *out), void *out) {
    Operation op = {.s = s, .model = m};
    if (!find_database(&op, q) || (op.c = transaction_read(s, op.database, &op.watch)) == NULL) {
        return false;
    }
    bool ok = one_row(&op, q, binds, count, out_present, read, out);
    transaction_read_done(s, op.database, op.c);
    return ok || fail(&op, q);
}

bool dv_model_create(dv_scope *s, const dv_model *m, const dv_statement *q, const dv_bind *binds,
                     uint32_t count, void *record) {
    Operation op = {.s = s, .model = m};
    if (!find_database(&op, q) || !transaction_begin(s, op.database)) {
        return false;
    }
    op.c = transaction_connection(s);
    bool present = false;
    bool ok = one_row(&op, q, binds, count, &present, read_record, record);
    if (ok && !present) {
        ok = db_error(&op.error, DV_DATABASE_INVALID_DATA, "%s: the new row was not returned",
                      m->package);
    }
    return transaction_end(s, ok || fail(&op, q));
}

bool dv_model_change(dv_scope *s, const dv_model *m, const dv_statement *q, const dv_bind *binds,
                     uint32_t count, int64_t *changed) {
    Operation op = {.s = s, .model = m};
    if (!find_database(&op, q) || !transaction_begin(s, op.database)) {
        return false;
    }
    op.c = transaction_connection(s);
    DbStatement *statement = start(&op, q, binds, count);
    bool ok = statement != NULL;
    if (ok) {
        ok = db_step(op.c, statement, &op.error) == DB_DONE;
        *changed = ok ? db_changes(op.c) : 0;
        db_reset(op.c, statement);
    }
    return transaction_end(s, ok || fail(&op, q));
}

bool dv_model_first(dv_scope *s, const dv_model *m, const dv_statement *q, const dv_bind *binds,
                    uint32_t count, bool *present, void *record) {
    return read_one(s, m, q, binds, count, present, read_record, record);
}

bool dv_model_get(dv_scope *s, const dv_model *m, const dv_statement *q, const dv_bind *binds,
                  uint32_t count, void *record) {
    bool present = false;
    if (!read_one(s, m, q, binds, count, &present, read_record, record)) {
        return false;
    }
    if (present) {
        return true;
    }
    DbError error;
    db_error(&error, DV_DATABASE_NOT_FOUND, "%s: no row with this id", m->package);
    return transaction_fail(s, &error, place_of(q));
}

bool dv_model_count(dv_scope *s, const dv_model *m, const dv_statement *q, const dv_bind *binds,
                    uint32_t count, int64_t *out) {
    bool present = false;
    return read_one(s, m, q, binds, count, &present, read_integer, out);
}

bool dv_model_exists(dv_scope *s, const dv_model *m, const dv_statement *q, const dv_bind *binds,
                     uint32_t count, bool *out) {
    bool present = false;
    int64_t number = 0;
    if (!read_one(s, m, q, binds, count, &present, read_integer, &number)) {
        return false;
    }
    *out = number != 0;
    return true;
}

/* ---- pages ---- */

static bool check_page(Operation *op, int64_t page, int64_t size, int64_t *out_offset) {
    int64_t most = database_max_page_size(op->database);
    if (size < 1 || size > most) {
        return db_error(&op->error, DV_DATABASE_INVALID_DATA,
                        "%s: the size of a page is 1 to %lld, found %lld", op->model->package,
                        (long long)most, (long long)size);
    }
    if (page < 1 || page - 1 > INT64_MAX / size) {
        return db_error(
            &op->error, DV_DATABASE_INVALID_DATA, "%s: %s, found %lld", op->model->package,
            page < 1 ? "pages count from 1" : "there are no pages so far", (long long)page);
    }
    *out_offset = (page - 1) * size;
    return true;
}

/* Reads rows into memory that doubles as they come: a page may be allowed to be much larger than
 * the rows there are. */
static bool read_rows(Operation *op, DbStatement *statement, int64_t size, dv_list *out) {
    size_t width = op->model->record->size;
    int64_t room = 0;
    int64_t count = 0;
    char *rows = NULL;
    DbStep step;
    while ((step = db_step(op->c, statement, &op->error)) == DB_ROW && count < size) {
        if (count == room) {
            int64_t more = room == 0 ? 16 : room * 2;
            more = more > size ? size : more;
            char *grown = dv_new(op->s, (size_t)more * width);
            if (grown == NULL) {
                return false;
            }
            if (count > 0) {
                memcpy(grown, rows, (size_t)count * width);
            }
            rows = grown;
            room = more;
        }
        if (!read_record(op, statement, rows + (size_t)count * width)) {
            return false;
        }
        count++;
    }
    return step != DB_FAILED && dv_list_of(op->s, op->model->record, rows, count, out);
}

static bool read_page(Operation *op, const dv_statement *q, const dv_bind *binds, uint32_t count,
                      int64_t size, int64_t offset, dv_list *out) {
    DbStatement *statement = start(op, q, binds, count);
    if (statement == NULL) {
        return false;
    }
    bool ok = db_bind(op->c, statement, (int)count + 1, db_integer(size), &op->error) &&
              db_bind(op->c, statement, (int)count + 2, db_integer(offset), &op->error) &&
              read_rows(op, statement, size, out);
    db_reset(op->c, statement);
    return ok;
}

bool dv_model_list(dv_scope *s, const dv_model *m, const dv_statement *total, const dv_statement *q,
                   const dv_bind *binds, uint32_t count, int64_t page, int64_t size, dv_page *out) {
    Operation op = {.s = s, .model = m};
    int64_t offset = 0;
    if (!find_database(&op, q)) {
        return false;
    }
    if (!check_page(&op, page, size, &offset)) {
        return fail(&op, q);
    }
    if ((op.c = transaction_read(s, op.database, &op.watch)) == NULL) {
        return false;
    }
    *out = (dv_page){.page = page, .size = size};
    bool present = false;
    bool ok = one_row(&op, total, binds, count, &present, read_integer, &out->total) &&
              read_page(&op, q, binds, count, size, offset, &out->items);
    transaction_read_done(s, op.database, op.c);
    out->pages = out->total / size + (out->total % size != 0 ? 1 : 0);
    return ok || fail(&op, q);
}
