/* tests/unit/test_job_interleave.c: two workers, one task, and every order in which their steps and
 * the passing of a lease can fall (F01, F02, F04, F05, J6.7).
 *
 * Each order runs on a fresh row. Before each step the row is read, and what the step may do follows
 * from the row alone; afterwards the row must say so, and nothing else may have changed. */
#include "tests/unit/test_job_fixture.h"

typedef enum Step {
    W1_CLAIM,
    W1_RENEW,
    W1_FINISH,
    W2_RECOVER,
    W2_CLAIM,
    W2_FINISH,
    LEASE_OVER
} Step;

enum { STEPS = 8, TRACE_SIZE = 256 };

/* What a worker does, in its own order. */
static const Step first_worker[] = {W1_CLAIM, W1_RENEW, W1_FINISH};
static const Step second_worker[] = {W2_RECOVER, W2_CLAIM, W2_FINISH};
static const Step time_passes[] = {LEASE_OVER, LEASE_OVER};

static const char *const names[] = {"1 claims", "1 renews",   "1 finishes",      "2 recovers",
                                    "2 claims", "2 finishes", "the lease passes"};

typedef struct Row {
    char state[16];
    char token[CLAIM_TOKEN_SIZE];
    int64_t attempt;
    int64_t lease_until;
    int64_t run_at;
} Row;

typedef struct Worker {
    JobStore *store;
    Claim claim;
    bool claimed;
} Worker;

typedef struct Play {
    Fixture *f;
    Worker workers[2];
    int claims;
    int ends; /* reports that were written */
    char trace[TRACE_SIZE];
} Play;

static Row read_row(Fixture *f) {
    DbError error = {0};
    Row row = {0};
    static const char sql[] = "SELECT state, claim_token, attempt, lease_until, run_at FROM"
                              " _dever_jobs";
    DbStatement *q;
    OK((q = db_query(f->c, sql, NULL, 0, &error)) != NULL);
    assert_int_equal(db_step(f->c, q, &error), DB_ROW);
    snprintf(row.state, sizeof row.state, STR_FMT, STR_ARG(db_column(f->c, q, 0).bytes));
    DbValue token = db_column(f->c, q, 1);
    if (token.kind == DB_TEXT) {
        snprintf(row.token, sizeof row.token, STR_FMT, STR_ARG(token.bytes));
    }
    row.attempt = db_column(f->c, q, 2).integer;
    row.lease_until = db_column(f->c, q, 3).integer;
    row.run_at = db_column(f->c, q, 4).integer;
    db_reset(f->c, q);
    return row;
}

static void check(const Play *play, bool holds, const char *what) {
    if (!holds) {
        fail_msg("%s; the order:%s", what, play->trace);
    }
}

static bool same(const Row *a, const Row *b) {
    return strcmp(a->state, b->state) == 0 && strcmp(a->token, b->token) == 0 &&
           a->attempt == b->attempt && a->lease_until == b->lease_until && a->run_at == b->run_at;
}

static bool holds_claim(const Play *play, const Worker *worker, const Row *row) {
    return worker->claimed && strcmp(row->state, "running") == 0 &&
           strcmp(row->token, worker->claim.token) == 0 && row->lease_until > play->f->now;
}

static void play_claim(Play *play, Worker *worker) {
    Fixture *f = play->f;
    Row row = read_row(f);
    uint32_t count = fixture_claim_with(f, worker->store, 1);
    Row after = read_row(f);
    bool due = strcmp(row.state, "pending") == 0 && row.run_at <= f->now;
    check(play, (count == 1) == due, "exactly a due task is claimed");
    if (count == 0) {
        check(play, same(&row, &after), "without a claim nothing changes");
        return;
    }
    Claim kept = worker->claim;
    worker->claim = f->claims[0];
    worker->claimed = true;
    f->claims[0] = kept;
    play->claims++;
    check(play, after.attempt == row.attempt + 1, "a claim counts one attempt");
    check(play, strcmp(after.token, row.token) != 0, "a claim has a fresh token");
    check(play, after.lease_until == f->now + LEASE_MS, "a claim has its whole lease");
}

static void play_renew(Play *play, Worker *worker) {
    if (!worker->claimed) {
        return;
    }
    Row row = read_row(play->f);
    bool held = holds_claim(play, worker, &row);
    WriteResult result = fixture_renew(play->f, &worker->claim);
    Row after = read_row(play->f);
    check(play, (result == WRITE_DONE) == held, "exactly a held lease is renewed");
    check(play, held || same(&row, &after), "a refused renewal changes nothing");
}

static void play_finish(Play *play, Worker *worker, OutcomeKind kind) {
    if (!worker->claimed) {
        return;
    }
    Row row = read_row(play->f);
    bool held = holds_claim(play, worker, &row);
    WriteResult result = fixture_finish(play->f, &worker->claim, kind);
    Row after = read_row(play->f);
    check(play, (result == WRITE_DONE) == held, "exactly a held claim is finished");
    check(play, held || same(&row, &after), "a refused report changes nothing");
    play->ends += held ? 1 : 0;
}

static void play_recover(Play *play) {
    Row row = read_row(play->f);
    bool expired = strcmp(row.state, "running") == 0 && row.lease_until <= play->f->now;
    fixture_recover(play->f);
    Row after = read_row(play->f);
    check(play, expired == (strcmp(after.state, row.state) != 0), "exactly an expired lease ends");
}

static void play_step(Play *play, Step step, OutcomeKind report) {
    size_t length = strlen(play->trace);
    snprintf(play->trace + length, TRACE_SIZE - length, " %s,", names[step]);
    switch (step) {
    case W1_CLAIM:
        play_claim(play, &play->workers[0]);
        break;
    case W1_RENEW:
        play_renew(play, &play->workers[0]);
        break;
    case W1_FINISH:
        play_finish(play, &play->workers[0], report);
        break;
    case W2_RECOVER:
        play_recover(play);
        break;
    case W2_CLAIM:
        play_claim(play, &play->workers[1]);
        break;
    case W2_FINISH:
        play_finish(play, &play->workers[1], OUTCOME_SUCCEEDED);
        break;
    case LEASE_OVER:
        play->f->now += LEASE_MS;
        break;
    }
}

static void play_order(Fixture *f, JobStore *stores[2], const Step order[STEPS],
                       OutcomeKind report) {
    fixture_sql(f, "DELETE FROM _dever_jobs");
    f->now = START;
    char id[TASK_ID_SIZE];
    fixture_enqueue(f, &job_ship, "k", START, NULL, id);
    Play play = {.f = f, .workers = {{.store = stores[0]}, {.store = stores[1]}}};
    for (int i = 0; i < STEPS; i++) {
        play_step(&play, order[i], report);
    }
    Row row = read_row(f);
    check(&play, row.attempt == play.claims, "the attempts are the claims");
    check(&play, strcmp(row.state, "succeeded") != 0 || play.ends >= 1,
          "somebody's report ended it");
    for (int i = 0; i < 2; i++) {
        buf_done(&play.workers[i].claim.payload);
    }
}

/* All merges of the three sequences. */
static int merge(Fixture *f, JobStore *stores[2], Step order[STEPS], int a, int b, int t,
                 OutcomeKind report) {
    if (a + b + t == STEPS) {
        play_order(f, stores, order, report);
        return 1;
    }
    int count = 0;
    if (a < (int)COUNT_OF(first_worker)) {
        order[a + b + t] = first_worker[a];
        count += merge(f, stores, order, a + 1, b, t, report);
    }
    if (b < (int)COUNT_OF(second_worker)) {
        order[a + b + t] = second_worker[b];
        count += merge(f, stores, order, a, b + 1, t, report);
    }
    if (t < (int)COUNT_OF(time_passes)) {
        order[a + b + t] = time_passes[t];
        count += merge(f, stores, order, a, b, t + 1, report);
    }
    return count;
}

static void play_all(Fixture *f, OutcomeKind report) {
    fixture_sql(f, "PRAGMA synchronous = OFF"); /* the order of the steps is the subject */
    JobStore *stores[2] = {f->store,
                           fixture_store("00000000000000bb", fixture_jobs, FIXTURE_JOBS, 0)};
    Step order[STEPS];
    assert_int_equal(merge(f, stores, order, 0, 0, 0, report), 560); /* 8! / (3! 3! 2!) */
    store_free(stores[1]);
}

static void steps_when_first_reports_success_keep_the_rules(void **state) {
    play_all(*state, OUTCOME_SUCCEEDED);
}

static void steps_when_first_reports_failure_keep_the_rules(void **state) {
    play_all(*state, OUTCOME_HANDLER_FAILED);
}

static void steps_when_first_gives_back_keep_the_rules(void **state) {
    play_all(*state, OUTCOME_WORKER_SHUTDOWN);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(steps_when_first_reports_success_keep_the_rules),
        TEST(steps_when_first_reports_failure_keep_the_rules),
        TEST(steps_when_first_gives_back_keep_the_rules),
    };
    return cmocka_run_group_tests_name("job_interleave", tests, NULL, NULL);
}
