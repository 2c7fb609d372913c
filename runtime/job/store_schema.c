/* runtime/job/store_schema.c: making and checking the queue's tables (J4.3).
 *
 * The usual start only reads. The tables are made inside one BEGIN IMMEDIATE, after looking again:
 * the first of several processes makes them, the others find them. */
#include "runtime/job/sql.h"
#include "runtime/job/store.h"

#include <inttypes.h>

typedef enum Found { FOUND_NONE, FOUND_RIGHT, FOUND_WRONG, FOUND_FAILURE } Found;

/* Does the object exist, and with this text? */
static bool object_look(DbConnection *c, const JobObject *object, bool *out_there, bool *out_same,
                        DbError *error) {
    DbValue name = db_text(str_from(object->name));
    DbStatement *look = db_query(c, sql_object, &name, 1, error);
    if (look == NULL) {
        return false;
    }
    DbStep step = db_step(c, look, error);
    *out_there = step == DB_ROW;
    *out_same = false;
    if (step == DB_ROW) {
        DbValue sql = db_column(c, look, 0);
        *out_same = sql.kind == DB_TEXT && str_equal(sql.bytes, str_from(object->sql));
    }
    db_reset(c, look);
    return step != DB_FAILED;
}

static Found version_check(DbConnection *c, DbError *error) {
    DbStatement *look = db_query(c, sql_version, NULL, 0, error);
    if (look == NULL) {
        return FOUND_FAILURE;
    }
    int rows = 0;
    int64_t version = 0;
    DbStep step;
    while ((step = db_step(c, look, error)) == DB_ROW) {
        rows++;
        version = db_column(c, look, 0).integer;
    }
    db_reset(c, look);
    if (step == DB_FAILED) {
        return FOUND_FAILURE;
    }
    if (rows != 1) {
        db_error(
            error, DV_DATABASE_MIGRATION,
            "the job tables of this database have %d version rows where one is expected; nothing "
            "was changed",
            rows);
        return FOUND_WRONG;
    }
    if (version != JOB_SCHEMA_VERSION) {
        db_error(error, DV_DATABASE_MIGRATION,
                 "the job tables of this database have version %" PRId64 ", and this program knows "
                 "version %d; nothing was changed",
                 version, JOB_SCHEMA_VERSION);
        return FOUND_WRONG;
    }
    return FOUND_RIGHT;
}

static Found look_around(DbConnection *c, DbError *error) {
    bool there = false;
    bool same = false;
    if (!object_look(c, &job_objects[0], &there, &same, error)) {
        return FOUND_FAILURE;
    }
    if (!there) {
        DbStatement *any = db_query(c, sql_object_any, NULL, 0, error);
        if (any == NULL) {
            return FOUND_FAILURE;
        }
        DbStep step = db_step(c, any, error);
        db_reset(c, any);
        if (step == DB_ROW) {
            db_error(
                error, DV_DATABASE_MIGRATION,
                "this database has job tables without a version, and this program knows version "
                "%d; nothing was changed",
                JOB_SCHEMA_VERSION);
            return FOUND_WRONG;
        }
        return step == DB_FAILED ? FOUND_FAILURE : FOUND_NONE;
    }
    Found found = version_check(c, error);
    for (int i = 0; i < JOB_OBJECT_COUNT && found == FOUND_RIGHT; i++) {
        if (!object_look(c, &job_objects[i], &there, &same, error)) {
            return FOUND_FAILURE;
        }
        if (!there || !same) {
            db_error(
                error, DV_DATABASE_MIGRATION,
                "%s is %s version %d of the job tables, which this program knows and this database "
                "claims to have; nothing was changed",
                job_objects[i].name, there ? "not as in" : "missing from", JOB_SCHEMA_VERSION);
            return FOUND_WRONG;
        }
    }
    return found;
}

static bool make_all(DbConnection *c, int64_t now, DbError *error) {
    for (int i = 0; i < JOB_OBJECT_COUNT; i++) {
        if (!db_execute(c, job_objects[i].sql, error)) {
            return false;
        }
    }
    DbValue row[] = {db_integer(JOB_SCHEMA_VERSION), db_integer(now)};
    return db_run(c, sql_version_insert, row, 2, error);
}

bool store_prepare(DbConnection *c, int64_t now, DbError *error) {
    /* Without the lock another process may be making the tables between two of these looks: only
     * "right" is final. */
    Found found = look_around(c, error);
    if (found == FOUND_RIGHT || found == FOUND_FAILURE) {
        return found == FOUND_RIGHT;
    }
    if (!db_begin(c, error)) {
        return false;
    }
    found = look_around(c, error);
    if (found == FOUND_NONE && make_all(c, now, error)) {
        return db_commit(c, error);
    }
    db_rollback(c);
    return found == FOUND_RIGHT;
}
