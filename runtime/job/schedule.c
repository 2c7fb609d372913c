/* runtime/job/schedule.c: cursors and occurrences.
 *
 * A cursor is the last minute for which a schedule made its task. The next one is computed from the
 * fields of the expression, never searched minute by minute, and kept in memory, so that nothing is
 * read until it comes. Under the write lock the cursor is read again: another worker may have been
 * here. The unique index makes each window at most once, whatever happens between. */
#include "runtime/job/schedule.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/datetime.h"
#include "base/uuid.h"
#include "contract/cron.h"
#include "runtime/job/report.h"
#include "runtime/job/sql.h"
#include "runtime/job/store.h"

enum {
    OCCURRENCES_MOST = 256, /* J8.4: for one transaction */
    TAKE_OVER_MS = 120000,  /* J8.7: a row not seen for two minutes may be taken */
    FORGOTTEN_MS = 600000,  /* J8.7: not seen for ten minutes longer than any worker */
    RETRY_MS = 1000
};

typedef struct Item {
    const dv_schedule *schedule;
    Cron cron;
    char fingerprint[CRON_FINGERPRINT_SIZE];
    int64_t next;     /* epoch ms; INT64_MIN: the cursor was not looked at yet */
    bool left_noted;  /* it was logged that another program has this schedule */
    bool error_noted; /* the first error of a series was logged */
} Item;

struct Schedules {
    Item *items;
    uint32_t count;
    int64_t built_at;
};

typedef struct Cursor {
    bool present;
    bool ours; /* of the same expression */
    int64_t build;
    int64_t last_minute;
    int64_t seen_at;
    int64_t lived_at; /* when any worker of this database was seen */
} Cursor;

Schedules *schedules_new(const dv_schedule *schedules, uint32_t count, int64_t built_at) {
    Schedules *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    made->built_at = built_at;
    made->items = calloc(count == 0 ? 1 : count, sizeof *made->items);
    if (made->items == NULL) {
        schedules_free(made);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        Item *item = &made->items[made->count];
        *item = (Item){.schedule = &schedules[i], .next = INT64_MIN};
        /* The compiler has checked it; a text that it would refuse cannot be run. */
        if (!cron_parse(str_from(schedules[i].cron), &item->cron, NULL)) {
            report_error("a schedule cannot be read and is left out", schedules[i].job->target);
            continue;
        }
        cron_fingerprint(&item->cron, item->fingerprint);
        made->count++;
    }
    return made;
}

void schedules_free(Schedules *schedules) {
    if (schedules != NULL) {
        free(schedules->items);
        free(schedules);
    }
}

int64_t schedules_next(const Schedules *schedules) {
    int64_t next = INT64_MAX;
    for (uint32_t i = 0; i < schedules->count; i++) {
        next = schedules->items[i].next < next ? schedules->items[i].next : next;
    }
    return next;
}

static int64_t minute_of(int64_t now) {
    return floor_div(now, MS_PER_MINUTE) * MS_PER_MINUTE;
}

/* ---- the cursor ---- */

static bool read_cursor(DbConnection *c, const Item *item, Cursor *out, DbError *error) {
    *out = (Cursor){0};
    DbValue identity = db_text(str_from(item->schedule->job->target));
    DbStatement *look = db_query(c, sql_cursor, &identity, 1, error);
    if (look == NULL) {
        return false;
    }
    DbStep step = db_step(c, look, error);
    if (step == DB_ROW) {
        *out = (Cursor){.present = true,
                        .ours = str_equal(db_column(c, look, 0).bytes, str_from(item->fingerprint)),
                        .build = db_column(c, look, 1).integer,
                        .last_minute = db_column(c, look, 2).integer,
                        .seen_at = db_column(c, look, 3).integer,
                        .lived_at = db_column(c, look, 4).integer};
    }
    db_reset(c, look);
    return step != DB_FAILED;
}

/* Makes the row, or takes it over, with the cursor at `minute`; see sql_cursor_take. */
static bool write_cursor(const Schedules *all, DbConnection *c, const Item *item, const char *sql,
                         int64_t minute, int64_t now, DbError *error) {
    DbValue values[] = {db_text(str_from(item->schedule->job->target)),
                        db_text(str_from(item->fingerprint)), db_integer(all->built_at),
                        db_integer(minute), db_integer(now)};
    return db_run(c, sql, values, 5, error);
}

static bool advance_cursor(DbConnection *c, const Item *item, int64_t minute, DbError *error) {
    DbValue values[] = {db_text(str_from(item->schedule->job->target)), db_integer(minute)};
    return db_run(c, sql_cursor_advance, values, 2, error);
}

/* ---- occurrences ---- */

static bool make_occurrence(DbConnection *c, const Item *item, int64_t minute, int64_t now,
                            bool *out_made, DbError *error) {
    Buf key = {0};
    buf_add(&key, STR("schedule:"));
    if (!datetime_format(minute, &key) || !buf_ok(&key)) {
        buf_done(&key);
        return db_error(error, DV_DATABASE_DATABASE, "no memory for the key of an occurrence");
    }
    char id[TASK_ID_SIZE];
    uuid_text(uuid_v7(now), id);
    NewTask task = {.job = item->schedule->job, .key = buf_str(&key), .run_at = minute};
    bool ok = store_enqueue(c, now, &task, id, out_made, error);
    buf_done(&key);
    return ok;
}

/* The oldest matching minutes after the cursor, up to now. */
static bool make_occurrences(DbConnection *c, Item *item, int64_t last, int64_t now,
                             uint32_t *out_made, DbError *error) {
    int64_t newest = last;
    int64_t minute = cron_next(&item->cron, last);
    for (int i = 0; i < OCCURRENCES_MOST && minute <= now; i++) {
        bool made = false;
        if (!make_occurrence(c, item, minute, now, &made, error)) {
            return false;
        }
        *out_made += made ? 1 : 0;
        newest = minute;
        minute = cron_next(&item->cron, minute);
    }
    item->next = minute;
    return newest == last || advance_cursor(c, item, newest, error);
}

/* ---- one schedule ---- */

/* Another program has this schedule with another expression (J8.7). */
static bool leave_it(const Schedules *all, const Cursor *cursor, int64_t now) {
    return all->built_at <= cursor->build && now - cursor->seen_at < TAKE_OVER_MS;
}

/* Under the write lock. item->next is set by everything that succeeds. */
static bool run_locked(const Schedules *all, DbConnection *c, Item *item, int64_t now,
                       uint32_t *out_made, DbError *error) {
    Cursor cursor;
    int64_t minute = minute_of(now);
    if (!read_cursor(c, item, &cursor, error)) {
        return false;
    }
    if (!cursor.present) {
        item->next = cron_next(&item->cron, minute);
        return write_cursor(all, c, item, sql_cursor_insert, minute, now, error);
    }
    if (!cursor.ours && leave_it(all, &cursor, now)) {
        if (!item->left_noted) {
            report_warning(
                "another program that is newer or still at work serves this schedule with "
                "another expression",
                item->schedule->job->target);
            item->left_noted = true;
        }
        item->next = now + MS_PER_MINUTE;
        return true;
    }
    item->left_noted = false;
    bool forgotten = cursor.seen_at + FORGOTTEN_MS < cursor.lived_at;
    if (!cursor.ours || forgotten) {
        int64_t from = cursor.last_minute > minute ? cursor.last_minute : minute;
        item->next = cron_next(&item->cron, from);
        return write_cursor(all, c, item, sql_cursor_take, from, now, error);
    }
    if (cursor.build < all->built_at &&
        !write_cursor(all, c, item, sql_cursor_take, cursor.last_minute, now, error)) {
        return false;
    }
    if (cursor.last_minute > now) {
        report_error("the cursor of a schedule is in the future; it makes nothing until then",
                     item->schedule->job->target);
        item->next = now + MS_PER_MINUTE;
        return true;
    }
    return make_occurrences(c, item, cursor.last_minute, now, out_made, error);
}

/* Is there anything to write? Without the lock; sets item->next when not. */
static bool nothing_to_do(const Schedules *all, DbConnection *c, Item *item, int64_t now,
                          bool *out_nothing, DbError *error) {
    Cursor cursor;
    if (!read_cursor(c, item, &cursor, error)) {
        return false;
    }
    int64_t next = cursor.present ? cron_next(&item->cron, cursor.last_minute) : now;
    *out_nothing = cursor.present && cursor.ours && cursor.build >= all->built_at &&
                   cursor.last_minute <= now && cursor.seen_at + FORGOTTEN_MS >= cursor.lived_at &&
                   next > now;
    if (*out_nothing) {
        item->next = next;
    }
    return true;
}

typedef enum ItemEnd { ITEM_DONE, ITEM_FAILED, ITEM_UNREACHED } ItemEnd;

static ItemEnd run_item(const Schedules *all, Database *database, DbConnection *c, JobClock *clock,
                        Item *item, uint32_t *out_made, DbError *error) {
    bool nothing = false;
    if (!nothing_to_do(all, c, item, job_clock_now(clock, NULL), &nothing, error)) {
        return ITEM_FAILED;
    }
    if (nothing) {
        return ITEM_DONE;
    }
    if (!database_begin(database, c, true, error)) {
        return ITEM_UNREACHED;
    }
    if (!run_locked(all, c, item, job_clock_now(clock, NULL), out_made, error)) {
        database_rollback(database, c);
        return ITEM_FAILED;
    }
    return database_commit(database, c, error) ? ITEM_DONE : ITEM_FAILED;
}

bool schedules_run(Schedules *schedules, Database *database, DbConnection *c, JobClock *clock,
                   uint32_t *out_made, DbError *error) {
    *out_made = 0;
    for (uint32_t i = 0; i < schedules->count; i++) {
        Item *item = &schedules->items[i];
        int64_t now = job_clock_now(clock, NULL);
        if (item->next > now) {
            continue;
        }
        switch (run_item(schedules, database, c, clock, item, out_made, error)) {
        case ITEM_DONE:
            item->error_noted = false;
            break;
        case ITEM_FAILED:
            if (!item->error_noted) {
                report_error("a schedule failed and is tried again", item->schedule->job->target);
                item->error_noted = true;
            }
            item->next = now + RETRY_MS;
            break;
        case ITEM_UNREACHED:
            return false;
        }
    }
    return true;
}

static bool seen(const Schedules *schedules, DbConnection *c, int64_t now, DbError *error) {
    DbValue moment = db_integer(now);
    if (!db_run(c, sql_version_seen, &moment, 1, error)) {
        return false;
    }
    for (uint32_t i = 0; i < schedules->count; i++) {
        const Item *item = &schedules->items[i];
        DbValue values[] = {db_text(str_from(item->schedule->job->target)),
                            db_text(str_from(item->fingerprint)), db_integer(now)};
        if (!db_run(c, sql_cursor_seen, values, 3, error)) {
            return false;
        }
    }
    return true;
}

bool schedules_seen(Schedules *schedules, Database *database, DbConnection *c, JobClock *clock,
                    DbError *error) {
    if (!database_begin(database, c, true, error)) {
        return false;
    }
    if (!seen(schedules, c, job_clock_now(clock, NULL), error)) {
        database_rollback(database, c);
        return false;
    }
    return database_commit(database, c, error);
}
