/* runtime/job/store_sweep.c: what a worker does beside claiming: looks at what is due and expired,
 * recovers the tasks of dead workers, and blocks what no program runs. */
#include <string.h>

#include "runtime/job/sql.h"
#include "runtime/job/store.h"
#include "runtime/job/store_internal.h"

enum { PAIR_ROWS_SEEN = 1000, PAIRS_SEEN = 1000 };

/* ---- looking ---- */

static bool exists(DbConnection *c, const char *sql, const DbValue *values, int count,
                   bool *out_any, DbError *error) {
    DbStatement *look = db_query(c, sql, values, count, error);
    if (look == NULL) {
        return false;
    }
    DbStep step = db_step(c, look, error);
    db_reset(c, look);
    *out_any = step == DB_ROW;
    return step != DB_FAILED;
}

bool store_expired(JobStore *store, DbConnection *c, int64_t now, bool *out_any, DbError *error) {
    (void)store;
    DbValue moment = db_integer(now);
    return exists(c, sql_expired_any, &moment, 1, out_any, error);
}

bool store_next_due(JobStore *store, DbConnection *c, int64_t *out_run_at, DbError *error) {
    *out_run_at = INT64_MAX;
    for (uint32_t i = 0; i < store->options.job_count; i++) {
        const dv_job *job = store->options.jobs[i];
        DbValue values[] = {db_text(str_from(job->target)), db_text(str_from(job->fingerprint))};
        DbStatement *look = db_query(c, sql_next_due, values, 2, error);
        if (look == NULL) {
            return false;
        }
        DbStep step = db_step(c, look, error);
        if (step == DB_ROW && db_column(c, look, 0).integer < *out_run_at) {
            *out_run_at = db_column(c, look, 0).integer;
        }
        db_reset(c, look);
        if (step == DB_FAILED) {
            return false;
        }
    }
    return true;
}

bool store_owners(JobStore *store, DbConnection *c, bool (*each)(void *self, Str worker),
                  void *self, DbError *error) {
    DbValue me = db_text(store->worker);
    DbStatement *look = db_query(c, sql_owners, &me, 1, error);
    if (look == NULL) {
        return false;
    }
    DbStep step;
    while ((step = db_step(c, look, error)) == DB_ROW) {
        DbValue worker = db_column(c, look, 0);
        if (worker.kind == DB_TEXT && !each(self, worker.bytes)) {
            break;
        }
    }
    db_reset(c, look);
    return step != DB_FAILED;
}

bool store_end_owner(DbConnection *c, int64_t now, Str worker, DbError *error) {
    DbValue values[] = {db_text(worker), db_integer(now)};
    return db_run(c, sql_end_owner, values, 2, error);
}

/* ---- expired leases ---- */

typedef struct ExpiredRow {
    Str id;
    Str target;
    int64_t attempt;
    int64_t max_attempts;
    bool repeated; /* the attempt before expired too */
} ExpiredRow;

static bool read_expired(JobStore *store, DbConnection *c, int64_t now, ExpiredRow *rows,
                         uint32_t *out_count, DbError *error) {
    *out_count = 0;
    DbValue values[] = {db_integer(now), db_integer(SWEEP_ROWS)};
    DbStatement *look = db_query(c, sql_expired, values, 2, error);
    if (look == NULL) {
        return false;
    }
    DbStep step;
    while ((step = db_step(c, look, error)) == DB_ROW) {
        ExpiredRow *row = &rows[*out_count];
        DbValue last = db_column(c, look, 4);
        *row = (ExpiredRow){
            .id = str_dup(store->turn, db_column(c, look, 0).bytes),
            .target = str_dup(store->turn, db_column(c, look, 1).bytes),
            .attempt = db_column(c, look, 2).integer,
            .max_attempts = db_column(c, look, 3).integer,
            .repeated = last.kind == DB_TEXT &&
                        str_equal(last.bytes, str_from(outcome_word(OUTCOME_LEASE_EXPIRED))),
        };
        if (row->id.ptr == NULL || row->target.ptr == NULL) {
            break; /* the turn's memory is used up: the next turn goes on */
        }
        (*out_count)++;
    }
    db_reset(c, look);
    return step != DB_FAILED;
}

bool store_recover(JobStore *store, DbConnection *c, int64_t now, bool *out_more, DbError *error) {
    ExpiredRow rows[SWEEP_ROWS];
    uint32_t count = 0;
    if (!read_expired(store, c, now, rows, &count, error)) {
        return false;
    }
    *out_more = count == SWEEP_ROWS;
    for (uint32_t i = 0; i < count; i++) {
        const ExpiredRow *row = &rows[i];
        OutcomeNext end = outcome_next(OUTCOME_LEASE_EXPIRED, row->attempt, row->max_attempts, now,
                                       row->repeated, &store->options.retry, store_random());
        DbValue values[] = {db_text(row->id), db_integer(now), db_text(str_from(end.state)),
                            db_integer(end.run_at), db_text(str_from(end.error))};
        if (!db_run(c, sql_recover, values, 5, error)) {
            return false;
        }
        if (db_changes(c) == 1) {
            store_note(store, row->id, row->target, row->attempt, row->max_attempts, end);
        }
    }
    return true;
}

/* ---- tasks of other programs ---- */

/* Whether this program runs tasks of the pair; else what is wrong with it. */
static bool pair_is_ours(const JobStore *store, Str target, Str schema, OutcomeKind *out_kind) {
    *out_kind = OUTCOME_UNKNOWN_TARGET;
    for (uint32_t i = 0; i < store->options.job_count; i++) {
        if (str_equal(target, str_from(store->options.jobs[i]->target))) {
            *out_kind = OUTCOME_SCHEMA_MISMATCH;
            if (str_equal(schema, str_from(store->options.jobs[i]->fingerprint))) {
                return true;
            }
        }
    }
    return false;
}

static bool read_pair_old(JobStore *store, DbConnection *c, Str target, Str schema,
                          OutcomeKind kind, DbError *error) {
    DbValue values[] = {db_text(target), db_text(schema), db_integer(store->foreign_moment),
                        db_integer(PAIR_ROWS_SEEN), db_integer(SWEEP_ROWS - store->foreign_count)};
    DbStatement *look = db_query(c, sql_pair_old, values, 5, error);
    if (look == NULL) {
        return false;
    }
    DbStep step;
    while ((step = db_step(c, look, error)) == DB_ROW) {
        Str id = str_dup(store->turn, db_column(c, look, 0).bytes);
        if (id.ptr == NULL) {
            break;
        }
        store->foreign[store->foreign_count++] = (ForeignRow){
            .id = id,
            .target = target,
            .attempt = db_column(c, look, 1).integer,
            .max_attempts = db_column(c, look, 2).integer,
            .kind = kind,
        };
    }
    db_reset(c, look);
    return step != DB_FAILED;
}

/* The next pair behind (*target, *schema), which become it; *out_any false at the end. */
static bool next_pair(JobStore *store, DbConnection *c, Str *target, Str *schema, bool *out_any,
                      DbError *error) {
    DbValue after[] = {db_text(*target), db_text(*schema)};
    DbStatement *look = db_query(c, sql_pair_after, after, 2, error);
    if (look == NULL) {
        return false;
    }
    DbStep step = db_step(c, look, error);
    *out_any = step == DB_ROW;
    if (step == DB_ROW) {
        *target = str_dup(store->turn, db_column(c, look, 0).bytes);
        *schema = str_dup(store->turn, db_column(c, look, 1).bytes);
        *out_any = target->ptr != NULL && schema->ptr != NULL;
    }
    db_reset(c, look);
    return step != DB_FAILED;
}

static void go_on_after(JobStore *store, Str target, Str schema) {
    buf_clear(&store->after_target);
    buf_clear(&store->after_schema);
    buf_add(&store->after_target, target);
    buf_add(&store->after_schema, schema);
}

bool store_find_foreign(JobStore *store, DbConnection *c, int64_t now, uint32_t *out_count,
                        DbError *error) {
    store->foreign_count = 0;
    store->foreign_moment = now - store->options.grace_ms;
    *out_count = 0;
    Str target = str_dup(store->turn, buf_str(&store->after_target));
    Str schema = str_dup(store->turn, buf_str(&store->after_schema));
    bool any = true;
    for (int seen = 0; seen < PAIRS_SEEN && store->foreign_count < SWEEP_ROWS; seen++) {
        OutcomeKind kind;
        if (!next_pair(store, c, &target, &schema, &any, error)) {
            return false;
        }
        if (!any) {
            break;
        }
        if (!pair_is_ours(store, target, schema, &kind) &&
            !read_pair_old(store, c, target, schema, kind, error)) {
            return false;
        }
    }
    /* Round and round: from the start again after the end, and after a pair that has more. */
    bool from_start = !any || store->foreign_count == SWEEP_ROWS;
    go_on_after(store, from_start ? STR("") : target, from_start ? STR("") : schema);
    *out_count = store->foreign_count;
    return true;
}

bool store_block_foreign(JobStore *store, DbConnection *c, int64_t now, DbError *error) {
    for (uint32_t i = 0; i < store->foreign_count; i++) {
        const ForeignRow *row = &store->foreign[i];
        OutcomeNext end = outcome_next(row->kind, 0, 0, now, false, &store->options.retry, 0);
        DbValue values[] = {db_text(row->id), db_integer(now), db_text(str_from(end.error)),
                            db_integer(store->foreign_moment)};
        if (!db_run(c, sql_block_old, values, 4, error)) {
            return false;
        }
        if (db_changes(c) == 1) {
            store_note(store, row->id, row->target, row->attempt, row->max_attempts, end);
        }
    }
    return true;
}
