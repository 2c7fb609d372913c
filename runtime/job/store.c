/* runtime/job/store.c: enqueue, claim, renew and finish, on one connection.
 *
 * Everything that may be decided without a thread or a wait is decided here; the texts of the
 * statements, and why they are shaped so, are in sql.c. */
#include "runtime/job/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "contract/job_limits.h"
#include "runtime/job/sql.h"
#include "runtime/job/store_internal.h"

enum { TURN_ARENA_LIMIT = 4 * 1024 * 1024, CLAIM_ROUNDS = 8 };

/* ---- the store ---- */

JobStore *store_new(const StoreOptions *options) {
    JobStore *store = calloc(1, sizeof *store);
    if (store == NULL) {
        return NULL;
    }
    store->options = *options;
    store->worker = str_from(options->worker);
    store->turn = arena_new(TURN_ARENA_LIMIT);
    if (store->turn == NULL) {
        free(store);
        return NULL;
    }
    return store;
}

void store_free(JobStore *store) {
    if (store != NULL) {
        arena_free(store->turn);
        buf_done(&store->after_target);
        buf_done(&store->after_schema);
        free(store);
    }
}

void store_turn(JobStore *store) {
    arena_reset(store->turn);
    store->first_event = NULL;
    store->last_event = NULL;
    store->foreign_count = 0;
}

const StoreEvent *store_events(const JobStore *store) {
    return store->first_event;
}

void store_note(JobStore *store, Str id, Str target, int64_t attempt, int64_t max_attempts,
                OutcomeNext end) {
    StoreEvent *event = arena_make(store->turn, StoreEvent);
    if (event == NULL) {
        return;
    }
    *event = (StoreEvent){.id = str_dup(store->turn, id),
                          .target = str_dup(store->turn, target),
                          .attempt = attempt,
                          .max_attempts = max_attempts,
                          .end = end};
    if (event->id.ptr == NULL || event->target.ptr == NULL) {
        return;
    }
    if (store->last_event == NULL) {
        store->first_event = event;
    } else {
        store->last_event->next = event;
    }
    store->last_event = event;
}

uint32_t store_random(void) {
    uint32_t value = 0;
    random_bytes(&value, sizeof value);
    return value;
}

/* ---- enqueue ---- */

bool store_enqueue(DbConnection *c, int64_t now, const NewTask *task, char id[TASK_ID_SIZE],
                   bool *out_made, DbError *error) {
    Str target = str_from(task->job->target);
    DbValue row[] = {db_text(str_from(id)),
                     db_text(target),
                     db_text(str_from(task->job->fingerprint)),
                     db_text(task->key),
                     db_integer(task->run_at),
                     db_integer(task->job->max_attempts),
                     db_integer(task->job->timeout_ms),
                     db_integer(now)};
    if (!db_run(c, sql_enqueue, row, 8, error)) {
        return false;
    }
    *out_made = db_changes(c) == 1;
    if (*out_made) {
        DbValue payload[] = {db_text(str_from(id)), db_text(task->payload)};
        return !task->has_payload || db_run(c, sql_enqueue_payload, payload, 2, error);
    }
    DbValue key[] = {db_text(target), db_text(task->key)};
    DbStatement *look = db_query(c, sql_active, key, 2, error);
    if (look == NULL) {
        return false;
    }
    DbStep step = db_step(c, look, error);
    bool read = false;
    if (step == DB_ROW) {
        DbValue active = db_column(c, look, 0);
        if ((read = active.kind == DB_TEXT && active.bytes.len == TASK_ID_SIZE - 1)) {
            memcpy(id, active.bytes.ptr, TASK_ID_SIZE - 1);
        }
    }
    db_reset(c, look);
    if (step != DB_FAILED && !read) {
        return db_error(error, DV_DATABASE_INVALID_DATA,
                        "the active task of this key cannot be read");
    }
    return step != DB_FAILED;
}

/* ---- claim ---- */

typedef struct Candidate {
    int64_t run_at;
    Str id; /* in the turn's arena */
    uint32_t job;
} Candidate;

static bool before(int64_t run_at, Str id, const Candidate *other) {
    return run_at != other->run_at ? run_at < other->run_at : str_compare(id, other->id) < 0;
}

/* The best `room` rows of all targets, sorted; and the best row of each target but the first
 * candidate's, which J6.10 may need. */
typedef struct Choice {
    Candidate *best;
    uint32_t count;
    uint32_t room;
    Candidate *heads; /* one for each job; run_at INT64_MAX: nothing due */
} Choice;

static void choice_add(Choice *choice, const Candidate *candidate) {
    uint32_t at = choice->count < choice->room ? choice->count++ : choice->room - 1;
    while (at > 0 && before(candidate->run_at, candidate->id, &choice->best[at - 1])) {
        choice->best[at] = choice->best[at - 1];
        at--;
    }
    choice->best[at] = *candidate;
}

static bool choice_read_job(JobStore *store, DbConnection *c, int64_t now, uint32_t job,
                            Choice *choice, DbError *error) {
    const dv_job *declared = store->options.jobs[job];
    choice->heads[job].run_at = INT64_MAX;
    DbValue values[] = {db_text(str_from(declared->target)),
                        db_text(str_from(declared->fingerprint)), db_integer(now),
                        db_integer(choice->room)};
    DbStatement *due = db_query(c, sql_due, values, 4, error);
    if (due == NULL) {
        return false;
    }
    DbStep step;
    while ((step = db_step(c, due, error)) == DB_ROW) {
        int64_t run_at = db_column(c, due, 0).integer;
        Str id = db_column(c, due, 1).bytes;
        bool first = choice->heads[job].run_at == INT64_MAX;
        bool full = choice->count == choice->room;
        if (full && !before(run_at, id, &choice->best[choice->count - 1]) && !first) {
            break;
        }
        Candidate candidate = {.run_at = run_at, .id = str_dup(store->turn, id), .job = job};
        if (candidate.id.ptr == NULL) {
            break; /* the turn's memory is used up: what was found is enough */
        }
        if (first) {
            choice->heads[job] = candidate;
        }
        if (full && !before(run_at, id, &choice->best[choice->count - 1])) {
            break;
        }
        choice_add(choice, &candidate);
    }
    db_reset(c, due);
    return step != DB_FAILED;
}

/* J6.10: with two slots or more, the last slot does not go to the target that has all the others
 * while another target has due work. */
static void choice_share_last_slot(const JobStore *store, const StoreLoad *load, Choice *choice) {
    if (load->slots < 2 || choice->count == 0) {
        return;
    }
    uint32_t job = choice->best[0].job;
    uint32_t taken = load->running[job];
    for (uint32_t i = 0; i < choice->count; i++) {
        taken += choice->best[i].job == job ? 1 : 0;
    }
    if (taken < load->slots) {
        return;
    }
    const Candidate *other = NULL;
    for (uint32_t i = 0; i < store->options.job_count; i++) {
        const Candidate *head = &choice->heads[i];
        if (i != job && head->run_at != INT64_MAX &&
            (other == NULL || before(head->run_at, head->id, other))) {
            other = head;
        }
    }
    if (other != NULL) {
        choice->best[choice->count - 1] = *other;
    }
}

static bool choose(JobStore *store, DbConnection *c, int64_t now, const StoreLoad *load,
                   Choice *choice, DbError *error) {
    choice->count = 0;
    for (uint32_t job = 0; job < store->options.job_count; job++) {
        if (!choice_read_job(store, c, now, job, choice, error)) {
            return false;
        }
    }
    choice_share_last_slot(store, load, choice);
    return true;
}

static bool block(JobStore *store, DbConnection *c, int64_t now, const Candidate *candidate,
                  OutcomeKind kind, int64_t attempt, int64_t max_attempts, DbError *error) {
    OutcomeNext end = outcome_next(kind, 0, 0, now, false, &store->options.retry, 0);
    DbValue values[] = {db_text(candidate->id), db_integer(now), db_text(str_from(end.error))};
    if (!db_run(c, sql_block, values, 3, error)) {
        return false;
    }
    store_note(store, candidate->id, str_from(store->options.jobs[candidate->job]->target), attempt,
               max_attempts, end);
    return true;
}

static bool id_is_ours(Str id) {
    if (id.len != TASK_ID_SIZE - 1) {
        return false;
    }
    for (size_t i = 0; i < id.len; i++) {
        if (id.ptr[i] <= ' ' || id.ptr[i] > '~') {
            return false;
        }
    }
    return true;
}

static void token_make(char token[CLAIM_TOKEN_SIZE]) {
    static const char digits[] = "0123456789abcdef";
    uint8_t bytes[(CLAIM_TOKEN_SIZE - 1) / 2];
    random_bytes(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++) {
        token[2 * i] = digits[bytes[i] >> 4];
        token[2 * i + 1] = digits[bytes[i] & 15];
    }
    token[CLAIM_TOKEN_SIZE - 1] = '\0';
}

static bool read_payload(DbConnection *c, Claim *claim, DbError *error) {
    claim->has_payload = false;
    claim->payload_broken = false;
    buf_clear(&claim->payload);
    DbValue id = db_text(str_from(claim->id));
    DbStatement *look = db_query(c, sql_payload, &id, 1, error);
    if (look == NULL) {
        return false;
    }
    DbStep step = db_step(c, look, error);
    if (step == DB_ROW) {
        DbValue payload = db_column(c, look, 0);
        claim->has_payload = true;
        claim->payload_broken = payload.kind != DB_TEXT || payload.bytes.len > JOB_PAYLOAD_MAX;
        if (!claim->payload_broken) {
            buf_add(&claim->payload, payload.bytes);
            claim->payload_broken = !buf_ok(&claim->payload);
        }
    }
    db_reset(c, look);
    return step != DB_FAILED;
}

typedef enum Taken { TAKEN, TAKEN_NOT, TAKEN_FAILURE } Taken;

/* Reads the row of a candidate into the claim; *out_kind tells why it must not run (J7.4),
 * OUTCOME_SUCCEEDED that it may. */
static bool inspect(JobStore *store, DbConnection *c, const Candidate *candidate, Claim *claim,
                    OutcomeKind *out_kind, DbError *error) {
    *out_kind = OUTCOME_INVALID_ROW;
    claim->attempt = 0;
    claim->max_attempts = 0;
    if (!id_is_ours(candidate->id)) {
        return true;
    }
    DbValue id = db_text(candidate->id);
    DbStatement *look = db_query(c, sql_candidate, &id, 1, error);
    if (look == NULL) {
        return false;
    }
    DbStep step = db_step(c, look, error);
    if (step == DB_ROW) {
        claim->attempt = db_column(c, look, 0).integer;
        claim->max_attempts = db_column(c, look, 1).integer;
        claim->timeout_ms = db_column(c, look, 2).integer;
        bool policy = claim->max_attempts >= 1 && claim->max_attempts <= JOB_RETRY_MAX &&
                      claim->timeout_ms >= 1 &&
                      claim->timeout_ms <= store->options.longest_timeout_ms;
        if (claim->attempt >= 0 && !policy) {
            *out_kind = OUTCOME_INVALID_POLICY;
        } else if (claim->attempt >= 0 && claim->attempt < claim->max_attempts) {
            *out_kind = OUTCOME_SUCCEEDED;
        }
    }
    db_reset(c, look);
    return step != DB_FAILED;
}

static bool take(JobStore *store, DbConnection *c, int64_t now, const Candidate *candidate,
                 Claim *claim, DbError *error) {
    claim->job_index = candidate->job;
    claim->job = store->options.jobs[candidate->job];
    memcpy(claim->id, candidate->id.ptr, TASK_ID_SIZE - 1);
    claim->id[TASK_ID_SIZE - 1] = '\0';
    token_make(claim->token);
    claim->attempt++;
    claim->lease_until = now + store->options.lease_ms;
    DbValue values[] = {db_text(candidate->id), db_text(str_from(claim->token)),
                        db_text(store->worker), db_integer(claim->lease_until), db_integer(now)};
    return db_run(c, sql_claim, values, 5, error) && read_payload(c, claim, error);
}

static Taken take_or_block(JobStore *store, DbConnection *c, int64_t now,
                           const Candidate *candidate, Claim *claim, DbError *error) {
    OutcomeKind kind;
    if (!inspect(store, c, candidate, claim, &kind, error)) {
        return TAKEN_FAILURE;
    }
    if (kind == OUTCOME_SUCCEEDED) {
        return take(store, c, now, candidate, claim, error) ? TAKEN : TAKEN_FAILURE;
    }
    return block(store, c, now, candidate, kind, claim->attempt, claim->max_attempts, error)
               ? TAKEN_NOT
               : TAKEN_FAILURE;
}

/* One look at the heads, and the claims of what it found. *out_refused counts the rows that were
 * blocked instead, for which another look may find others. */
static bool claim_round(JobStore *store, DbConnection *c, int64_t now, const StoreLoad *load,
                        Choice *choice, Claim *claims, uint32_t *count, uint32_t *out_refused,
                        DbError *error) {
    *out_refused = 0;
    if (!choose(store, c, now, load, choice, error)) {
        return false;
    }
    for (uint32_t i = 0; i < choice->count; i++) {
        switch (take_or_block(store, c, now, &choice->best[i], &claims[*count], error)) {
        case TAKEN:
            (*count)++;
            break;
        case TAKEN_NOT:
            (*out_refused)++;
            break;
        case TAKEN_FAILURE:
            return false;
        }
    }
    return true;
}

bool store_claim(JobStore *store, DbConnection *c, int64_t now, const StoreLoad *load,
                 uint32_t wanted, Claim *claims, uint32_t *out_count, DbError *error) {
    *out_count = 0;
    uint32_t jobs = store->options.job_count;
    Choice choice = {.best = arena_make_n(store->turn, Candidate, wanted),
                     .heads = arena_make_n(store->turn, Candidate, jobs)};
    uint32_t *running = arena_make_n(store->turn, uint32_t, jobs);
    if (wanted == 0 || choice.best == NULL || choice.heads == NULL || running == NULL) {
        return true;
    }
    memcpy(running, load->running, jobs * sizeof *running);
    uint32_t refused = 0;
    uint32_t round = 0;
    do {
        choice.room = wanted - *out_count;
        uint32_t from = *out_count;
        StoreLoad with = {.slots = load->slots, .running = running};
        if (!claim_round(store, c, now, &with, &choice, claims, out_count, &refused, error)) {
            return false;
        }
        for (uint32_t i = from; i < *out_count; i++) {
            running[claims[i].job_index]++;
        }
    } while (refused > 0 && *out_count < wanted && ++round < CLAIM_ROUNDS);
    return true;
}

/* The job of a row by target and fingerprint. */
static bool job_find(const JobStore *store, Str target, Str schema, uint32_t *out_job) {
    for (uint32_t i = 0; i < store->options.job_count; i++) {
        const dv_job *job = store->options.jobs[i];
        if (str_equal(target, str_from(job->target)) &&
            str_equal(schema, str_from(job->fingerprint))) {
            *out_job = i;
            return true;
        }
    }
    return false;
}

bool store_mine(JobStore *store, DbConnection *c, Claim *claims, uint32_t room, uint32_t *out_count,
                DbError *error) {
    *out_count = 0;
    DbValue worker = db_text(store->worker);
    DbStatement *mine = db_query(c, sql_mine, &worker, 1, error);
    if (mine == NULL) {
        return false;
    }
    DbStep step;
    while (*out_count < room && (step = db_step(c, mine, error)) == DB_ROW) {
        Claim *claim = &claims[*out_count];
        Str id = db_column(c, mine, 0).bytes;
        Str token = db_column(c, mine, 3).bytes;
        if (!id_is_ours(id) || token.len != CLAIM_TOKEN_SIZE - 1 ||
            !job_find(store, db_column(c, mine, 1).bytes, db_column(c, mine, 2).bytes,
                      &claim->job_index)) {
            continue;
        }
        memcpy(claim->id, id.ptr, id.len);
        claim->id[id.len] = '\0';
        memcpy(claim->token, token.ptr, token.len);
        claim->token[token.len] = '\0';
        claim->job = store->options.jobs[claim->job_index];
        claim->attempt = db_column(c, mine, 4).integer;
        claim->max_attempts = db_column(c, mine, 5).integer;
        claim->timeout_ms = db_column(c, mine, 6).integer;
        claim->lease_until = db_column(c, mine, 7).integer;
        (*out_count)++;
    }
    db_reset(c, mine);
    for (uint32_t i = 0; i < *out_count && step != DB_FAILED; i++) {
        if (!read_payload(c, &claims[i], error)) {
            return false;
        }
    }
    return step != DB_FAILED;
}

/* ---- guarded writes ---- */

/* What a guarded write that matched nothing means. `written` is the state it would have written;
 * NULL: a renewal. */
static bool settle(DbConnection *c, const Claim *claim, const char *written,
                   WriteResult *out_result, DbError *error) {
    *out_result = WRITE_LOST;
    DbValue id = db_text(str_from(claim->id));
    DbStatement *look = db_query(c, sql_task_now, &id, 1, error);
    if (look == NULL) {
        return false;
    }
    DbStep step = db_step(c, look, error);
    if (step == DB_ROW && written != NULL) {
        DbValue token = db_column(c, look, 0);
        DbValue state = db_column(c, look, 1);
        if (token.kind == DB_TEXT && str_equal(token.bytes, str_from(claim->token)) &&
            state.kind == DB_TEXT && str_equal(state.bytes, str_from(written))) {
            *out_result = WRITE_DONE_BEFORE;
        }
    }
    db_reset(c, look);
    return step != DB_FAILED;
}

static bool guarded(DbConnection *c, const char *sql, const DbValue *values, int count,
                    const Claim *claim, const char *written, WriteResult *out_result,
                    DbError *error) {
    if (!db_run(c, sql, values, count, error)) {
        return false;
    }
    if (db_changes(c) == 1) {
        *out_result = WRITE_DONE;
        return true;
    }
    return settle(c, claim, written, out_result, error);
}

bool store_finish(JobStore *store, DbConnection *c, int64_t now, const Claim *claim,
                  const Outcome *outcome, WriteResult *out_result, OutcomeNext *out_next,
                  DbError *error) {
    bool succeeded = outcome->kind == OUTCOME_SUCCEEDED;
    *out_next = outcome_next(outcome->kind, claim->attempt, claim->max_attempts, now, false,
                             &store->options.retry, succeeded ? 0 : store_random());
    DbValue values[] = {db_text(str_from(claim->id)),
                        db_text(str_from(claim->token)),
                        db_integer(now),
                        db_text(str_from(out_next->state)),
                        db_integer(out_next->run_at),
                        db_text(str_from(out_next->error)),
                        outcome->detail[0] == '\0' ? db_null()
                                                   : db_text(str_from(outcome->detail))};
    return guarded(c, succeeded ? sql_succeed : sql_end_attempt, values, succeeded ? 3 : 7, claim,
                   out_next->state, out_result, error);
}

bool store_renew(JobStore *store, DbConnection *c, int64_t now, Claim *claim,
                 WriteResult *out_result, DbError *error) {
    int64_t until = now + store->options.lease_ms;
    DbValue values[] = {db_text(str_from(claim->id)), db_text(str_from(claim->token)),
                        db_integer(now), db_integer(until)};
    if (!guarded(c, sql_renew, values, 4, claim, NULL, out_result, error)) {
        return false;
    }
    if (*out_result == WRITE_DONE) {
        claim->lease_until = until;
    }
    return true;
}

bool store_complete(DbConnection *c, int64_t now, const Claim *claim, bool *out_held,
                    DbError *error) {
    DbValue values[] = {db_text(str_from(claim->id)), db_text(str_from(claim->token)),
                        db_integer(now)};
    if (!db_run(c, sql_succeed, values, 3, error)) {
        return false;
    }
    *out_held = db_changes(c) == 1;
    return true;
}

bool store_claim_holds(DbConnection *c, int64_t now, const Claim *claim, bool *out_held,
                       DbError *error) {
    DbValue values[] = {db_text(str_from(claim->id)), db_text(str_from(claim->token)),
                        db_integer(now)};
    DbStatement *look = db_query(c, sql_claim_holds, values, 3, error);
    if (look == NULL) {
        return false;
    }
    DbStep step = db_step(c, look, error);
    *out_held = step == DB_ROW;
    db_reset(c, look);
    return step != DB_FAILED;
}
