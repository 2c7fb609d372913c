/* runtime/database/schema.c: makes the tables of Models, once.
 *
 * `_dever_history` tells for each Model which schema its table was made with. The usual start
 * compares revisions and takes no lock; only when something is missing is everything looked at
 * again and made inside one BEGIN IMMEDIATE, so that processes may start together in any order. */
#include "runtime/database/schema.h"

#include <string.h>

#include "base/buf.h"

enum { DEFINITION_LIMIT = 1024 * 1024 };

/* The row of a Model's tables is (model, 'schema', 'current'); other kinds are for what comes
 * later. */
static const char sql_history[] = "CREATE TABLE _dever_history (\n"
                                  "  model TEXT NOT NULL,\n"
                                  "  kind TEXT NOT NULL,\n"
                                  "  name TEXT NOT NULL,\n"
                                  "  revision TEXT NOT NULL,\n"
                                  "  definition TEXT NOT NULL,\n"
                                  "  applied_at INTEGER NOT NULL,\n"
                                  "  PRIMARY KEY (model, kind, name)\n"
                                  ") STRICT, WITHOUT ROWID";

static const char sql_table[] =
    "SELECT 1 FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ?1";

static const char sql_recorded[] =
    "SELECT revision FROM _dever_history WHERE model = ?1 AND kind = 'schema' AND name = 'current'";

static const char sql_record[] =
    "INSERT INTO _dever_history (model, kind, name, revision, definition, applied_at)"
    " VALUES (?1, 'schema', 'current', ?2, ?3, ?4)";

typedef enum Found { FOUND_MISSING, FOUND_RIGHT, FOUND_WRONG, FOUND_FAILURE } Found;

static bool table_there(DbConnection *c, const char *name, bool *out_there, DbError *error) {
    DbValue value = db_text(str_from(name));
    DbStatement *look = db_query(c, sql_table, &value, 1, error);
    if (look == NULL) {
        return false;
    }
    DbStep step = db_step(c, look, error);
    db_reset(c, look);
    *out_there = step == DB_ROW;
    return step != DB_FAILED;
}

typedef struct Recorded {
    bool present;
    char revision[65];
} Recorded;

static bool recorded(DbConnection *c, const dv_model *model, Recorded *out, DbError *error) {
    *out = (Recorded){0};
    bool history = false;
    if (!table_there(c, "_dever_history", &history, error)) {
        return false;
    }
    if (!history) {
        return true;
    }
    DbValue value = db_text(str_from(model->package));
    DbStatement *look = db_query(c, sql_recorded, &value, 1, error);
    if (look == NULL) {
        return false;
    }
    DbStep step = db_step(c, look, error);
    if (step == DB_ROW) {
        Str revision = str_slice(db_column(c, look, 0).bytes, 0, sizeof out->revision - 1);
        out->present = true;
        memcpy(out->revision, revision.ptr, revision.len);
    }
    db_reset(c, look);
    return step != DB_FAILED;
}

static Found model_look(DbConnection *c, const dv_model *model, DbError *error) {
    Recorded history;
    bool table = false;
    if (!recorded(c, model, &history, error) || !table_there(c, model->table, &table, error)) {
        return FOUND_FAILURE;
    }
    if (!history.present && !table) {
        return FOUND_MISSING;
    }
    if (!history.present) {
        db_error(
            error, DV_DATABASE_MIGRATION,
            "the database has a table \"%s\" that no Dever program made, and %s needs that name; "
            "nothing was changed",
            model->table, model->package);
    } else if (!table) {
        db_error(error, DV_DATABASE_MIGRATION,
                 "the table \"%s\" of %s was made once and is gone; nothing was changed",
                 model->table, model->package);
    } else if (strcmp(history.revision, model->revision) != 0) {
        db_error(error, DV_DATABASE_MIGRATION,
                 "schema changes are not supported yet: %s differs from its table \"%s\" (made as "
                 "revision %s, wanted as %s); nothing was changed",
                 model->package, model->table, history.revision, model->revision);
    } else {
        return FOUND_RIGHT;
    }
    return FOUND_WRONG;
}

/* Looks at all Models: how many must be made, or why nothing may be. */
static Found look_around(DbConnection *c, const dv_model *const *models, uint32_t count,
                         DbError *error) {
    Found all = FOUND_RIGHT;
    for (uint32_t i = 0; i < count; i++) {
        Found found = model_look(c, models[i], error);
        if (found == FOUND_WRONG || found == FOUND_FAILURE) {
            return found;
        }
        all = found == FOUND_MISSING ? FOUND_MISSING : all;
    }
    return all;
}

static bool model_make(DbConnection *c, const dv_model *model, int64_t now, DbError *error) {
    Buf definition = {.limit = DEFINITION_LIMIT};
    bool ok = true;
    for (uint32_t i = 0; i < model->ddl_count && ok; i++) {
        ok = db_execute(c, model->sqlite_ddl[i], error);
        buf_format(&definition, "%s;\n", model->sqlite_ddl[i]);
    }
    if (ok) {
        DbValue row[] = {db_text(str_from(model->package)), db_text(str_from(model->revision)),
                         db_text(buf_str(&definition)), db_integer(now)};
        ok = db_run(c, sql_record, row, 4, error);
    }
    buf_done(&definition);
    return ok;
}

static bool make_missing(DbConnection *c, const dv_model *const *models, uint32_t count,
                         int64_t now, DbError *error) {
    bool history = false;
    if (!table_there(c, "_dever_history", &history, error) ||
        (!history && !db_execute(c, sql_history, error))) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        Found found = model_look(c, models[i], error);
        if (found != FOUND_RIGHT &&
            (found != FOUND_MISSING || !model_make(c, models[i], now, error))) {
            return false;
        }
    }
    return true;
}

static bool prepare(Database *database, DbConnection *c, const dv_model *const *models,
                    uint32_t count, int64_t now, DbError *error) {
    Found found = look_around(c, models, count, error);
    if (found == FOUND_RIGHT || found == FOUND_FAILURE) {
        return found == FOUND_RIGHT;
    }
    /* Without the lock, another process may be making the tables between two looks: only "right" is
     * final. */
    *error = (DbError){0};
    if (!database_begin(database, c, false, error)) {
        return false;
    }
    if (make_missing(c, models, count, now, error)) {
        return database_commit(database, c, error);
    }
    database_rollback(database, c);
    return false;
}

bool schema_prepare(Database *database, const dv_model *const *models, uint32_t count, int64_t now,
                    DbError *error) {
    DbWatch patient = {.patience_ms = DATABASE_WRITE_WAIT_MS};
    *error = (DbError){0};
    DbConnection *c = database_take(database, &patient, error);
    if (c == NULL) {
        return false;
    }
    bool ok = prepare(database, c, models, count, now, error);
    database_give(database, c);
    return ok;
}
