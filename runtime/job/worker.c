/* runtime/job/worker.c: the loop of the control thread.
 *
 * Each round collects what the slots have finished, decides what the next turn must do, and either
 * runs the turn or sleeps until something can change: a wake-up, the next due task, a timer.
 * Looking for work only reads; a write lock is taken when there is something to write. No error of
 * the database ends the loop (J6.9). */
#include "runtime/job/worker.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"
#include "contract/job_limits.h"
#include "runtime/database/transaction.h"
#include "runtime/job/schedule.h"
#include "runtime/job/turn.h"
#include "runtime/process/stop.h"

enum {
    FILL_WAIT_US = 100,      /* J6.6 */
    FOREIGN_EVERY_MS = 5000, /* J7.5 */
    MINUTE_MS = 60000,
    BACKOFF_FIRST_MS = 50,
    BACKOFF_MOST_MS = 5000, /* J6.9 */
    CANCEL_WAIT_MS = 2000,  /* J9.5: to cancel and join */
    WRITE_WAIT_MS = 1500,   /* J9.5: to write and release */
    CONTROL_MOST_MS = 1000, /* one step of waiting for a lock */
    DRAIN_LOOK_MS = 100,
    SCHEDULES_RETRY_MS = 100
};

typedef enum Phase {
    PHASE_WORKING,
    PHASE_DRAINING,  /* stop was asked for: no claims, handlers may finish */
    PHASE_CANCELLED, /* the deadline is over: handlers were cancelled */
} Phase;

typedef struct Worker {
    const WorkerOptions *options;
    TurnParts parts;
    Owner *owner;
    Schedules *schedules;
    Counts counts;
    DbWatch watch;       /* of the control connection */
    int64_t control_end; /* boot ms: when the current control statements are given up */

    Phase phase;
    int64_t phase_end; /* boot ms: of PHASE_CANCELLED */

    /* Timers, in boot ms. */
    int64_t renew_at;
    int64_t sweep_at;
    int64_t foreign_at;
    int64_t minute_at;
    int64_t schedules_at; /* not before this: the last try failed */
    int64_t retry_at;     /* after an error: no statement before this */
    int64_t backoff_ms;   /* 0: no error series */
    int64_t sweep_ms;

    bool recover; /* something has expired */
    bool foreign; /* store_find_foreign found something */
    bool tidied;
    uint64_t minutes;
    int64_t next_due; /* epoch ms, by the last look */
    DeadOwner dead[TURN_DEAD_OWNERS];
    uint32_t dead_count;
} Worker;

int64_t worker_longest_timeout(int64_t lease_ms) {
    return lease_ms / 2 < JOB_TIMEOUT_MAX ? lease_ms / 2 : JOB_TIMEOUT_MAX;
}

/* ---- the control connection ---- */

static bool control_over(void *self) {
    const Worker *w = self;
    return clock_boot_ms() >= w->control_end;
}

/* Control statements have a short deadline of their own (J5.4). */
static void control_begin(Worker *w) {
    int64_t sixth = w->options->job->lease_ms / 6;
    int64_t patience = sixth < CONTROL_MOST_MS ? sixth : CONTROL_MOST_MS;
    w->watch.patience_ms = patience < 1 ? 1 : patience;
    /* The patience counts twice, for the process's turn and for the file's lock. */
    w->control_end = clock_boot_ms() + 2 * w->watch.patience_ms + sixth + 1;
}

/* Replaces the connection when it broke. */
static bool control_connect(Worker *w, DbError *error) {
    if (w->parts.c != NULL && w->parts.c->broken) {
        database_give(w->options->database, w->parts.c);
        w->parts.c = NULL;
    }
    if (w->parts.c == NULL) {
        w->parts.c = database_take(w->options->database, &w->watch, error);
    }
    return w->parts.c != NULL;
}

/* The first error of a series is logged; then the worker waits longer and longer, never for ever. A
 * lock that another process holds is no error: the wait for it was the pause. */
static void note_error(Worker *w, const DbError *error) {
    if (error->busy) {
        w->retry_at = clock_boot_ms() + 1; /* some kinds of busy are told without a wait */
        return;
    }
    if (w->backoff_ms == 0) {
        report_error("the job worker cannot use its database and tries again", error->message);
        w->backoff_ms = BACKOFF_FIRST_MS;
    } else {
        w->backoff_ms = w->backoff_ms * 2 > BACKOFF_MOST_MS ? BACKOFF_MOST_MS : w->backoff_ms * 2;
    }
    int64_t jitter = w->backoff_ms * (int64_t)random_below(50) / 100;
    w->retry_at = clock_boot_ms() + w->backoff_ms - jitter;
}

static void note_success(Worker *w) {
    if (w->backoff_ms != 0) {
        report_info("the job worker uses its database again", NULL);
        w->backoff_ms = 0;
    }
    w->retry_at = 0;
}

/* ---- looking ---- */

static bool note_owner(void *self, Str worker) {
    Worker *w = self;
    DeadOwner dead;
    if (w->dead_count == TURN_DEAD_OWNERS) {
        return false; /* the others at the next look */
    }
    if (owner_dead(w->owner, worker, &dead)) {
        w->dead[w->dead_count++] = dead;
    }
    return true;
}

/* Expired leases, and workers whose process is dead (J6.12). */
static bool look_for_dead(Worker *w, int64_t now, DbError *error) {
    if (!store_expired(w->parts.store, w->parts.c, now, &w->recover, error) ||
        !store_owners(w->parts.store, w->parts.c, note_owner, w, error)) {
        return false;
    }
    if (w->dead_count == 0 && !w->tidied) {
        owner_tidy(w->owner);
        w->tidied = true;
    }
    return true;
}

/* Only reads. `probe`: there are free slots that could take due work. */
static bool look(Worker *w, bool probe, DbError *error) {
    control_begin(w);
    if (!control_connect(w, error)) {
        return false;
    }
    int64_t boot = clock_boot_ms();
    int64_t now = job_clock_now(w->options->clock, NULL);
    if (probe) {
        wake_listen(w->options->wake);
        if (!store_next_due(w->parts.store, w->parts.c, &w->next_due, error)) {
            return false;
        }
    }
    if (boot >= w->sweep_at) {
        if (!look_for_dead(w, now, error)) {
            return false;
        }
        w->sweep_at = boot + w->sweep_ms;
    }
    if (w->phase == PHASE_WORKING && boot >= w->foreign_at) {
        uint32_t count = 0;
        if (!store_find_foreign(w->parts.store, w->parts.c, now, &count, error)) {
            return false;
        }
        w->foreign = count > 0;
        w->foreign_at = boot + FOREIGN_EVERY_MS;
    }
    return true;
}

/* ---- doing ---- */

/* J6.6: with every slot taken, the first result waits a moment for the others, so that one flush
 * serves them all. */
static void fill(Worker *w) {
    uint32_t running = 0;
    uint32_t done = 0;
    slots_load(w->parts.slots, &running, &done);
    if (done == 0 || running + done < slots_count(w->parts.slots)) {
        return;
    }
    int64_t start = clock_monotonic_ns();
    int64_t waited = 0;
    while (running > 0 && waited < FILL_WAIT_US) {
        wake_sleep(w->options->wake, FILL_WAIT_US - waited, INT64_MIN);
        waited = (clock_monotonic_ns() - start) / 1000;
        slots_load(w->parts.slots, &running, &done);
    }
}

static bool run_turn(Worker *w, DbError *error) {
    int64_t boot = clock_boot_ms();
    Turn turn = {.claim = w->phase == PHASE_WORKING,
                 .renew = boot >= w->renew_at,
                 .recover = w->recover,
                 .foreign = w->foreign,
                 .dead_count = w->dead_count};
    for (uint32_t i = 0; i < w->dead_count; i++) {
        turn.dead[i] = w->dead[i];
    }
    w->dead_count = 0;
    w->foreign = false;
    control_begin(w);
    if (!turn_run(&w->parts, &turn, error)) {
        return false;
    }
    w->recover = turn.more;
    if (turn.renew) {
        w->renew_at = boot + w->options->job->lease_ms / 3;
    }
    return true;
}

/* Once a minute, and when the worker starts: that it lives, and its counts. */
static bool minute(Worker *w, DbError *error) {
    control_begin(w);
    if (!schedules_seen(w->schedules, w->options->database, w->parts.c, w->options->clock, error)) {
        return false;
    }
    w->minute_at = clock_boot_ms() + MINUTE_MS;
    return true;
}

static bool run_schedules(Worker *w, DbError *error) {
    uint32_t made = 0;
    control_begin(w);
    if (schedules_run(w->schedules, w->options->database, w->parts.c, w->options->clock, &made,
                      error)) {
        return true;
    }
    w->schedules_at = clock_boot_ms() + SCHEDULES_RETRY_MS;
    return false;
}

/* What the clock asks for, however busy the slots are: the schedules, and the sign of life. They are
 * rare and short, so they go before the next turn. */
static bool keep_time(Worker *w, uint32_t running, bool *out_did, DbError *error) {
    int64_t boot = clock_boot_ms();
    *out_did = false;
    if (w->phase != PHASE_WORKING) {
        return true;
    }
    if (boot >= w->schedules_at &&
        job_clock_now(w->options->clock, NULL) >= schedules_next(w->schedules)) {
        *out_did = true;
        return run_schedules(w, error);
    }
    if (boot >= w->minute_at) {
        *out_did = true;
        if (w->minutes++ > 0) {
            report_counts(&w->counts, running, slots_count(w->parts.slots));
        }
        return minute(w, error);
    }
    return true;
}

/* One step of work. *out_idle: there was none. */
static bool step(Worker *w, bool *out_idle, DbError *error) {
    *out_idle = false;
    bool did = false;
    uint32_t running = 0;
    uint32_t done = 0;
    slots_load(w->parts.slots, &running, &done);
    bool free_slots = running + done < slots_count(w->parts.slots);
    bool probe = w->phase == PHASE_WORKING && done == 0 && free_slots;
    store_turn(w->parts.store);
    if (!look(w, probe, error) || !keep_time(w, running, &did, error)) {
        return false;
    }
    int64_t boot = clock_boot_ms();
    if (running == 0 && boot >= w->renew_at) {
        w->renew_at = boot + w->options->job->lease_ms / 3;
    }
    bool due = probe && w->next_due <= job_clock_now(w->options->clock, NULL);
    if (done > 0 || due || w->recover || w->foreign || w->dead_count > 0 || boot >= w->renew_at ||
        (w->parts.unsettled && probe)) {
        return run_turn(w, error);
    }
    *out_idle = !did;
    return true;
}

/* ---- sleeping ---- */

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Milliseconds from `now` to `then`, at least 0. */
static int64_t until_then(int64_t now, int64_t then) {
    return then <= now ? 0 : then - now;
}

/* Sleeps until the earliest of all timers, exactly until the next due task, or until something is
 * posted. The poll is spread by ± 20 %, so that many workers do not look in step (F43). */
static void sleep_idle(Worker *w) {
    int64_t boot = clock_boot_ms();
    uint32_t running = 0;
    uint32_t done = 0;
    slots_load(w->parts.slots, &running, &done);
    bool looks = w->phase == PHASE_WORKING && w->retry_at <= boot &&
                 running + done < slots_count(w->parts.slots);
    int64_t end = least(w->sweep_at, boot + MINUTE_MS);
    if (w->retry_at > boot) {
        end = w->retry_at;
    } else if (w->phase == PHASE_WORKING) {
        end = least(end, least(w->foreign_at, w->minute_at));
    }
    if (running > 0) {
        end = least(end, w->renew_at > boot ? w->renew_at : boot + 1);
    }
    if (w->phase != PHASE_WORKING) {
        end = least(end, boot + DRAIN_LOOK_MS); /* a second signal moves the deadline to now */
    }
    int64_t ms = until_then(boot, end);
    int64_t now = job_clock_now(w->options->clock, NULL);
    if (w->phase == PHASE_WORKING && w->retry_at <= boot) {
        int64_t next = until_then(now, schedules_next(w->schedules));
        ms = least(ms, next == 0 ? until_then(boot, w->schedules_at) : next);
    }
    if (looks) {
        int64_t poll = w->options->job->poll_ms * (800 + (int64_t)random_below(401)) / 1000;
        ms = least(ms, least(poll < 1 ? 1 : poll, until_then(now, w->next_due)));
    }
    wake_sleep(w->options->wake, ms * 1000, looks ? now + ms : INT64_MIN);
}

/* ---- stopping (J9.5) ---- */

static void cancel_all(Worker *w) {
    for (uint32_t i = 0; i < slots_count(w->parts.slots); i++) {
        slots_cancel(w->parts.slots, i, CANCEL_SHUTDOWN);
    }
}

/* False: the loop is over. */
static bool next_phase(Worker *w) {
    uint32_t running = 0;
    uint32_t done = 0;
    if (w->phase == PHASE_WORKING) {
        if (!stop_requested()) {
            return true;
        }
        w->phase = PHASE_DRAINING;
        wake_also(w->options->wake, -1); /* it stays readable */
        report_info("the job worker stops claiming and lets its handlers finish", NULL);
    }
    slots_load(w->parts.slots, &running, &done);
    if (running == 0 && done == 0) {
        return false;
    }
    int64_t boot = clock_boot_ms();
    if (w->phase == PHASE_DRAINING && boot >= stop_deadline_boot_ms()) {
        w->phase = PHASE_CANCELLED;
        w->phase_end = boot + CANCEL_WAIT_MS;
        stop_note_cancelled();
        report_warning("the shutdown deadline is over: running handlers are cancelled", NULL);
        cancel_all(w);
    }
    if (w->phase == PHASE_CANCELLED && boot >= w->phase_end) {
        return false;
    }
    return true;
}

/* ---- start and end ---- */

static void loop(Worker *w) {
    while (next_phase(w)) {
        fill(w);
        turn_collect(&w->parts);
        if (clock_boot_ms() < w->retry_at) {
            sleep_idle(w);
            continue;
        }
        DbError error = {0};
        bool idle = false;
        if (!step(w, &idle, &error)) {
            note_error(w, &error);
        } else if (idle) {
            note_success(w);
            sleep_idle(w);
        } else {
            note_success(w);
        }
    }
}

/* The last counts, and the handlers that could not be stopped. */
static void report_last(Worker *w) {
    uint32_t running = 0;
    uint32_t done = 0;
    slots_load(w->parts.slots, &running, &done);
    report_counts(&w->counts, running, slots_count(w->parts.slots));
    for (uint32_t i = 0; i < slots_count(w->parts.slots); i++) {
        if (slots_state(w->parts.slots, i) == SLOT_RUNNING) {
            report_stuck_task(slots_at(w->parts.slots, i));
        }
    }
}

/* Results that could not be written are given one more bounded chance after everything has stopped.
 */
static void write_the_rest(Worker *w) {
    int64_t end = clock_boot_ms() + WRITE_WAIT_MS;
    uint32_t running = 0;
    uint32_t done = 0;
    slots_load(w->parts.slots, &running, &done);
    while (done > 0 && clock_boot_ms() < end) {
        DbError error = {0};
        store_turn(w->parts.store);
        control_begin(w);
        if (!control_connect(w, &error) || !run_turn(w, &error)) {
            note_error(w, &error);
            wake_sleep(w->options->wake, 20000, INT64_MIN);
        }
        turn_collect(&w->parts);
        slots_load(w->parts.slots, &running, &done);
    }
}

static void worker_free(Worker *w) {
    for (uint32_t i = 0; i < w->dead_count; i++) {
        owner_leave(&w->dead[i]);
    }
    if (w->parts.c != NULL) {
        database_give(w->options->database, w->parts.c);
    }
    if (w->parts.incoming != NULL) {
        for (uint32_t i = 0; i < (uint32_t)w->options->job->workers; i++) {
            buf_done(&w->parts.incoming[i].payload);
        }
    }
    free(w->parts.incoming);
    free(w->parts.running);
    free(w->parts.ended);
    schedules_free(w->schedules);
    store_free(w->parts.store);
    owner_free(w->owner);
    free(w);
}

static bool make_parts(Worker *w, DbError *error) {
    const WorkerOptions *options = w->options;
    uint32_t slots = (uint32_t)options->job->workers;
    if ((w->owner = owner_new(database_path(options->database), error)) == NULL) {
        return false;
    }
    StoreOptions store = {.jobs = options->jobs,
                          .job_count = options->job_count,
                          .lease_ms = options->job->lease_ms,
                          .retry = {.base_ms = options->job->retry_base_ms,
                                    .max_ms = options->job->retry_max_ms,
                                    .jitter = options->job->retry_jitter},
                          .grace_ms = options->job->deploy_grace_ms,
                          .longest_timeout_ms = worker_longest_timeout(options->job->lease_ms),
                          .worker = owner_id(w->owner)};
    w->parts = (TurnParts){.database = options->database,
                           .store = store_new(&store),
                           .clock = options->clock,
                           .owner = w->owner,
                           .counts = &w->counts,
                           .lease_ms = options->job->lease_ms,
                           .job_count = options->job_count,
                           .incoming = calloc(slots, sizeof(Claim)),
                           .running = calloc(options->job_count, sizeof(uint32_t)),
                           .ended = calloc(slots, sizeof(ReportEnd))};
    w->schedules = schedules_new(options->schedules, options->schedule_count, options->built_at);
    if (w->parts.store == NULL || w->parts.incoming == NULL || w->parts.running == NULL ||
        w->parts.ended == NULL || w->schedules == NULL) {
        return db_error(error, DV_DATABASE_DATABASE, "out of memory");
    }
    w->parts.slots = slots_new(slots, options->clock, options->wake);
    return w->parts.slots != NULL ||
           db_error(error, DV_DATABASE_DATABASE, "the system refuses %u threads for the job worker",
                    slots + 1);
}

static void start_timers(Worker *w) {
    int64_t boot = clock_boot_ms();
    /* Now: what a killed worker left behind is taken up at the start (J6.12). */
    w->sweep_at = boot;
    w->foreign_at = boot;
    w->minute_at = boot;
    w->renew_at = boot;
    w->sweep_ms = w->options->job->lease_ms / 8;
    w->sweep_ms = w->sweep_ms > 1000 ? 1000 : w->sweep_ms < 10 ? 10 : w->sweep_ms;
    w->next_due = INT64_MAX;
}

bool worker_run(dv_scope *s, const WorkerOptions *options) {
    Worker *w = calloc(1, sizeof *w);
    DbError error = {0};
    if (w == NULL) {
        return dv_fault(s, DV_FAULT_MEMORY, "the job worker");
    }
    w->options = options;
    w->watch = (DbWatch){.ended = control_over, .self = w};
    if (!make_parts(w, &error)) {
        worker_free(w);
        return transaction_fail(s, &error, NULL);
    }
    start_timers(w);
    wake_also(options->wake, stop_descriptor());
    report_start(owner_id(w->owner), slots_count(w->parts.slots));
    loop(w);
    write_the_rest(w);
    report_last(w);
    int64_t left = stop_deadline_boot_ms() + STOP_AFTER_DEADLINE_MS - clock_boot_ms();
    if (!slots_end(w->parts.slots, left < 0 ? 0 : left)) {
        /* A thread that cannot be stopped still uses all this, so nothing can be closed. The lock
         * of this worker ends with the process: another one takes the task at once. */
        report_error("the process ends without its handlers", NULL);
        _exit(1);
    }
    report_info("the job worker has stopped", NULL);
    worker_free(w);
    return true;
}
