/* tests/unit/test_job_store.c: the queue's rules about rows, with the clock in hand. Each test
 * names the rule of the jobs specification, or the fault, that it holds to. */
#include "tests/unit/test_job_fixture.h"

#include <pthread.h>

#include "runtime/job/sql.h"

static char id[TASK_ID_SIZE], id2[TASK_ID_SIZE], id3[TASK_ID_SIZE];

/* ---- J4: tables ---- */

/* J4.3: a current schema needs no write lock. */
static void prepare_when_current_needs_no_lock(void **state) {
    Fixture *f = *state;
    DbError error = {0};
    DbConnection *writer = sqlite_open(f->path, &error);
    assert_non_null(writer);
    db_watch(writer, &fixture_patient);
    OK(db_begin(writer, &error));
    db_watch(f->c, NULL);
    OK(store_prepare(f->c, f->now, &error));
    db_watch(f->c, &fixture_patient);
    db_rollback(writer);
    db_close(writer);
}

/* J4.3: an unknown version names both, and nothing is altered. */
static void prepare_when_version_unknown_refuses_with_both(void **state) {
    Fixture *f = *state;
    DbError error = {0};
    fixture_sql(f, "UPDATE _dever_job_version SET version = 7");
    assert_false(store_prepare(f->c, f->now, &error));
    assert_int_equal(error.tag, DV_DATABASE_MIGRATION);
    assert_non_null(strstr(error.message, "version 7"));
    assert_non_null(strstr(error.message, "knows version 1"));
    assert_int_equal(fixture_number(f, "SELECT version FROM _dever_job_version"), 7);
}

/* J4.3: tables that do not match the version are refused. */
static void prepare_when_table_altered_refuses(void **state) {
    Fixture *f = *state;
    DbError error = {0};
    fixture_sql(f, "ALTER TABLE _dever_jobs ADD COLUMN extra TEXT");
    assert_false(store_prepare(f->c, f->now, &error));
    assert_non_null(strstr(error.message, "_dever_jobs"));
}

static void prepare_when_index_missing_refuses(void **state) {
    Fixture *f = *state;
    DbError error = {0};
    fixture_sql(f, "DROP INDEX _dever_jobs_due");
    assert_false(store_prepare(f->c, f->now, &error));
    assert_non_null(strstr(error.message, "_dever_jobs_due"));
}

static void prepare_when_tables_have_no_version_refuses(void **state) {
    Fixture *f = *state;
    DbError error = {0};
    fixture_sql(f, "DROP TABLE _dever_job_version");
    assert_false(store_prepare(f->c, f->now, &error));
    assert_non_null(strstr(error.message, "without a version"));
}

typedef struct Starter {
    pthread_t thread;
    const char *path;
    bool ok;
} Starter;

static void *start_on(void *self) {
    Starter *starter = self;
    DbConnection *c = sqlite_open(starter->path, NULL);
    if (c != NULL) {
        db_watch(c, &fixture_patient);
        starter->ok = store_prepare(c, START, NULL);
        db_close(c);
    }
    return NULL;
}

/* F33: several start at once on an empty database. */
static void prepare_when_many_start_makes_one_schema(void **state) {
    Fixture *f = *state;
    char path[160];
    snprintf(path, sizeof path, "%s/fresh.db", f->folder);
    Starter starters[8];
    for (int i = 0; i < 8; i++) {
        starters[i] = (Starter){.path = path};
        pthread_create(&starters[i].thread, NULL, start_on, &starters[i]);
    }
    for (int i = 0; i < 8; i++) {
        pthread_join(starters[i].thread, NULL);
        assert_true(starters[i].ok);
    }
    DbError error = {0};
    DbConnection *c = sqlite_open(path, &error);
    assert_non_null(c);
    DbStatement *q = db_query(c, "SELECT count(*) FROM _dever_job_version", NULL, 0, &error);
    assert_int_equal(db_step(c, q, &error), DB_ROW);
    assert_int_equal(db_column(c, q, 0).integer, 1);
    db_reset(c, q);
    db_close(c);
}

/* J4.1: the state is one of five words. */
static void table_when_state_unknown_refuses(void **state) {
    Fixture *f = *state;
    fixture_enqueue(f, &job_mail, "a", START, NULL, id);
    assert_false(db_execute(f->c, "UPDATE _dever_jobs SET state = 'done'", NULL));
    assert_false(db_execute(f->c, "UPDATE _dever_jobs SET attempt = -1", NULL));
    assert_false(db_execute(f->c, "UPDATE _dever_jobs SET run_at = 'soon'", NULL));
    assert_false(db_execute(f->c, "UPDATE _dever_jobs SET state = 'running'", NULL));
}

/* J4.2: each hot statement walks the index meant for it. (The others say so with INDEXED BY, which
 * fails to prepare when it cannot.) */
static void statements_when_explained_use_keys(void **state) {
    Fixture *f = *state;
    static const char *const by_id[] = {sql_claim,       sql_succeed,  sql_end_attempt, sql_renew,
                                        sql_claim_holds, sql_task_now, sql_recover,     sql_block,
                                        sql_block_old,   sql_payload,  sql_candidate};
    DbError error = {0};
    for (size_t i = 0; i < COUNT_OF(by_id); i++) {
        char text[1024];
        snprintf(text, sizeof text, "EXPLAIN QUERY PLAN %s", by_id[i]);
        DbConnection *c =
            sqlite_open(f->path, &error); /* texts of the cache are known by address */
        DbStatement *q;
        OK((q = db_query(c, text, NULL, 0, &error)) != NULL);
        assert_int_equal(db_step(c, q, &error), DB_ROW);
        Str plan = db_column(c, q, 3).bytes;
        if (!str_find(plan, STR("PRIMARY KEY (id=?)"), NULL)) {
            fail_msg("%s: " STR_FMT, by_id[i], STR_ARG(plan));
        }
        db_reset(c, q);
        db_close(c);
    }
    static const char *const by_index[] = {
        sql_active, sql_due,       sql_next_due,   sql_mine,     sql_expired_any, sql_expired,
        sql_owners, sql_end_owner, sql_pair_after, sql_pair_old, sql_cursor,      sql_version};
    for (size_t i = 0; i < COUNT_OF(by_index); i++) {
        DbStatement *q;
        OK((q = db_prepare(f->c, by_index[i], &error)) != NULL);
        db_reset(f->c, q);
    }
}

/* ---- J2: enqueue ---- */

/* J2.3: one active task for a key; its payload and run_at stay. */
static void enqueue_when_key_active_returns_its_id(void **state) {
    Fixture *f = *state;
    assert_true(fixture_enqueue(f, &job_mail, "k", START + 5, "{\"n\":1}", id));
    assert_false(fixture_enqueue(f, &job_mail, "k", START + 9, "{\"n\":2}", id2));
    assert_string_equal(id, id2);
    assert_int_equal(fixture_number(f, "SELECT count(*) FROM _dever_jobs"), 1);
    assert_int_equal(fixture_number(f, "SELECT run_at FROM _dever_jobs"), START + 5);
    assert_string_equal(fixture_text(f, "SELECT payload FROM _dever_job_payload"), "{\"n\":1}");
    assert_string_equal(fixture_text(f, "SELECT dedupe_key FROM _dever_jobs"), "business:k");
}

/* J2.3: running counts as active; the same key of another target does not. */
static void enqueue_when_running_returns_its_id(void **state) {
    Fixture *f = *state;
    fixture_enqueue(f, &job_mail, "k", START, NULL, id);
    assert_int_equal(fixture_claim(f, 1), 1);
    assert_false(fixture_enqueue(f, &job_mail, "k", START, NULL, id2));
    assert_string_equal(id, id2);
    assert_true(fixture_enqueue(f, &job_ship, "k", START, NULL, id3));
}

/* J2.3: after succeeded, dead or blocked the key is free. */
static void enqueue_when_finished_makes_another(void **state) {
    Fixture *f = *state;
    static const char *const ends[] = {"UPDATE _dever_jobs SET state = 'succeeded'",
                                       "UPDATE _dever_jobs SET state = 'dead'",
                                       "UPDATE _dever_jobs SET state = 'blocked'"};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        assert_true(fixture_enqueue(f, &job_mail, "k", START, NULL, id));
        fixture_sql(f, ends[i]);
    }
    assert_int_equal(fixture_number(f, "SELECT count(*) FROM _dever_jobs"), 3);
}

/* F22: a business transaction with an active key goes on. */
static void enqueue_when_key_active_inside_transaction_goes_on(void **state) {
    Fixture *f = *state;
    DbError error = {0};
    fixture_sql(f, "CREATE TABLE business (n INTEGER)");
    fixture_enqueue(f, &job_mail, "k", START, NULL, id);
    OK(db_begin(f->c, &error));
    fixture_sql(f, "INSERT INTO business VALUES (1)");
    assert_false(fixture_put(f, &job_mail, "k", START, NULL, id2));
    fixture_sql(f, "INSERT INTO business VALUES (2)");
    OK(db_commit(f->c, &error));
    assert_string_equal(id, id2);
    assert_int_equal(fixture_number(f, "SELECT count(*) FROM business"), 2);
}

/* J2.4, F42: what a rolled back transaction enqueued is not there. */
static void enqueue_when_rolled_back_leaves_nothing(void **state) {
    Fixture *f = *state;
    DbError error = {0};
    OK(db_begin(f->c, &error));
    fixture_put(f, &job_mail, "k", START, "{}", id);
    db_rollback(f->c);
    assert_int_equal(fixture_number(f, "SELECT count(*) FROM _dever_jobs"), 0);
    assert_int_equal(fixture_number(f, "SELECT count(*) FROM _dever_job_payload"), 0);
    assert_true(fixture_enqueue(f, &job_mail, "k", START, NULL, id2)); /* F61 */
}

/* ---- J6: claim ---- */

/* J6.4: a claim counts the attempt, makes a fresh token, and leases. */
static void claim_when_due_counts_and_leases(void **state) {
    Fixture *f = *state;
    fixture_enqueue(f, &job_mail, "k", START - 1000, "{\"n\":1}", id);
    f->now = START + 50000; /* F14: it waited long; the lease counts from the claim */
    assert_int_equal(fixture_claim(f, 4), 1);
    const Claim *claim = &f->claims[0];
    assert_string_equal(claim->id, id);
    assert_ptr_equal(claim->job, &job_mail);
    assert_int_equal(claim->attempt, 1);
    assert_int_equal(claim->max_attempts, 3);
    assert_int_equal(claim->lease_until, f->now + LEASE_MS);
    assert_int_equal(strlen(claim->token), 32);
    assert_true(claim->has_payload && !claim->payload_broken);
    assert_string_equal(claim->payload.data, "{\"n\":1}");
    assert_string_equal(fixture_text(f, "SELECT state FROM _dever_jobs"), "running");
    assert_string_equal(fixture_text(f, "SELECT worker FROM _dever_jobs"), "00000000000000aa");
    assert_int_equal(fixture_number(f, "SELECT started_at FROM _dever_jobs"), f->now);
    assert_int_equal(fixture_claim(f, 4), 0);
}

/* J5.3: never before its time. */
static void claim_when_not_due_takes_nothing(void **state) {
    Fixture *f = *state;
    DbError error = {0};
    fixture_enqueue(f, &job_mail, "k", START + 1, NULL, id);
    assert_int_equal(fixture_claim(f, 4), 0);
    int64_t due = 0;
    OK(store_next_due(f->store, f->c, &due, &error));
    assert_int_equal(due, START + 1);
    f->now = START + 1;
    assert_int_equal(fixture_claim(f, 4), 1);
    OK(store_next_due(f->store, f->c, &due, &error));
    assert_true(due == INT64_MAX);
}

/* J6.2: as many as wanted, ordered by (run_at, id) over all targets. */
static void claim_when_many_takes_the_oldest(void **state) {
    Fixture *f = *state;
    fixture_enqueue(f, &job_ship, "1", START - 5, NULL, id);
    fixture_enqueue(f, &job_mail, "2", START - 7, NULL, id2);
    fixture_enqueue(f, &job_pack, "3", START - 5, NULL, id3);
    fixture_enqueue(f, &job_mail, "4", START - 1, NULL, id);
    assert_int_equal(fixture_claim(f, 3), 3);
    assert_ptr_equal(f->claims[0].job, &job_mail);
    assert_ptr_equal(f->claims[1].job, &job_ship);
    assert_ptr_equal(f->claims[2].job, &job_pack);
    assert_string_not_equal(f->claims[0].token, f->claims[1].token);
}

/* J6.10: one target never takes the last slot while another has due work. */
static void claim_when_one_target_floods_leaves_a_slot(void **state) {
    Fixture *f = *state;
    char key[8];
    for (int i = 0; i < 20; i++) {
        snprintf(key, sizeof key, "%d", i);
        fixture_enqueue(f, &job_mail, key, START - 100, NULL, id);
    }
    fixture_enqueue(f, &job_ship, "late", START, NULL, id2);
    assert_int_equal(fixture_claim(f, FIXTURE_SLOTS), FIXTURE_SLOTS);
    assert_ptr_equal(f->claims[FIXTURE_SLOTS - 2].job, &job_mail);
    assert_ptr_equal(f->claims[FIXTURE_SLOTS - 1].job, &job_ship);
}

static void claim_when_others_run_one_target_leaves_the_last_slot(void **state) {
    Fixture *f = *state;
    fixture_enqueue(f, &job_mail, "a", START - 100, NULL, id);
    fixture_enqueue(f, &job_ship, "b", START, NULL, id2);
    f->running[0] = FIXTURE_SLOTS - 1;
    assert_int_equal(fixture_claim(f, 1), 1);
    assert_ptr_equal(f->claims[0].job, &job_ship);
    f->running[0] = FIXTURE_SLOTS - 1;
    assert_int_equal(fixture_claim(f, 1), 1); /* nobody else waits: it may have it */
    assert_ptr_equal(f->claims[0].job, &job_mail);
}

/* J7.4: a stored policy outside today's limits is blocked before the claim, without an attempt. */
static void claim_when_policy_invalid_blocks_without_attempt(void **state) {
    Fixture *f = *state;
    fixture_enqueue(f, &job_mail, "a", START - 2, "{}", id);
    fixture_enqueue(f, &job_mail, "b", START - 1, NULL, id2);
    fixture_enqueue(f, &job_mail, "c", START, NULL, id3);
    fixture_sql(f, "UPDATE _dever_jobs SET timeout_ms = 30001 WHERE dedupe_key = 'business:a'");
    fixture_sql(f, "UPDATE _dever_jobs SET max_attempts = 101 WHERE dedupe_key = 'business:b'");
    assert_int_equal(fixture_claim(f, 1), 1); /* the slot is filled nevertheless */
    assert_string_equal(f->claims[0].id, id3);
    assert_int_equal(fixture_number(f, "SELECT count(*) FROM _dever_jobs WHERE state = 'blocked'"
                                       " AND error = 'invalid_policy' AND attempt = 0"),
                     2);
    assert_int_equal(fixture_number(f, "SELECT count(*) FROM _dever_job_payload"), 1);
    const StoreEvent *event = store_events(f->store);
    assert_non_null(event);
    assert_string_equal(event->end.error, "invalid_policy");
    assert_non_null(event->next);
    assert_null(event->next->next);
}

/* J6.4: a row that cannot be read is blocked on its own. */
static void claim_when_row_unreadable_blocks_it_alone(void **state) {
    Fixture *f = *state;
    fixture_enqueue(f, &job_mail, "a", START - 3, NULL, id);
    fixture_enqueue(f, &job_mail, "b", START - 2, NULL, id2);
    fixture_enqueue(f, &job_mail, "c", START - 1, NULL, id2);
    fixture_enqueue(f, &job_ship, "d", START, NULL, id3);
    fixture_sql(f, "PRAGMA ignore_check_constraints = ON");
    fixture_sql(f, "UPDATE _dever_jobs SET attempt = -4 WHERE dedupe_key = 'business:a'");
    fixture_sql(
        f, "UPDATE _dever_jobs SET id = CAST(x'ff41' AS TEXT) WHERE dedupe_key = 'business:b'");
    fixture_sql(f, "UPDATE _dever_jobs SET attempt = 3 WHERE dedupe_key = 'business:c'");
    fixture_sql(f, "PRAGMA ignore_check_constraints = OFF");
    assert_int_equal(fixture_claim(f, 4), 1);
    assert_string_equal(f->claims[0].id, id3);
    assert_int_equal(fixture_number(f, "SELECT count(*) FROM _dever_jobs WHERE state = 'blocked'"
                                       " AND error = 'invalid_row'"),
                     3);
}

/* J3.4, J7.4: a payload that is no text is claimed and told apart. */
static void claim_when_payload_too_long_marks_it(void **state) {
    Fixture *f = *state;
    fixture_enqueue(f, &job_mail, "a", START, "{}", id);
    fixture_sql(f, "UPDATE _dever_job_payload SET payload = hex(zeroblob(600000))");
    assert_int_equal(fixture_claim(f, 1), 1);
    assert_true(f->claims[0].payload_broken);
    assert_int_equal(fixture_finish(f, &f->claims[0], OUTCOME_INVALID_PAYLOAD), WRITE_DONE);
    assert_string_equal(fixture_text(f, "SELECT state || ' ' || error FROM _dever_jobs"),
                        "blocked invalid_payload");
    assert_int_equal(fixture_number(f, "SELECT count(*) FROM _dever_job_payload"), 1);
}

/* J6.9: after a commit whose end is unknown, the table tells what this worker holds. */
static void mine_when_commit_unknown_finds_the_claims(void **state) {
    Fixture *f = *state;
    DbError error = {0};
    fixture_enqueue(f, &job_mail, "a", START, "{\"n\":1}", id);
    fixture_enqueue(f, &job_ship, "b", START, NULL, id2);
    assert_int_equal(fixture_claim(f, 2), 2);
    Claim found[4] = {0};
    uint32_t count = 0;
    OK(store_mine(f->store, f->c, found, 4, &count, &error));
    assert_int_equal(count, 2);
    assert_string_equal(found[0].id, id);
    assert_string_equal(found[0].token, f->claims[0].token);
    assert_int_equal(found[0].attempt, 1);
    assert_string_equal(found[0].payload.data, "{\"n\":1}");
    assert_ptr_equal(found[1].job, &job_ship);
    for (int i = 0; i < 4; i++) {
        buf_done(&found[i].payload);
    }
}

/* ---- J7: ends ---- */

static void finish_when_succeeded_writes_it(void **state) {
    Fixture *f = *state;
    fixture_enqueue(f, &job_mail, "a", START, "{}", id);
    fixture_claim(f, 1);
    f->now += 10;
    assert_int_equal(fixture_finish(f, &f->claims[0], OUTCOME_SUCCEEDED), WRITE_DONE);
    assert_string_equal(fixture_text(f, "SELECT state FROM _dever_jobs"), "succeeded");
    assert_int_equal(fixture_number(f, "SELECT finished_at FROM _dever_jobs"), START + 10);
    /* J4.1: token and worker stay, so that an unknown commit can be read back (F26). */
    assert_string_equal(fixture_text(f, "SELECT claim_token FROM _dever_jobs"), f->claims[0].token);
    assert_int_equal(fixture_finish(f, &f->claims[0], OUTCOME_SUCCEEDED), WRITE_DONE_BEFORE);
}

/* J7: a failure goes back to pending after the delay, and to dead with the same word at the end. */
static void finish_when_failed_retries_then_dies(void **state) {
    Fixture *f = *state;
    DbError error = {0};
    fixture_enqueue(f, &job_mail, "a", START, "{}", id);
    static const int64_t delays[] = {1000, 2000};
    for (int attempt = 1; attempt <= 3; attempt++) {
        assert_int_equal(fixture_claim(f, 1), 1);
        assert_int_equal(f->claims[0].attempt, attempt);
        Outcome outcome = {.kind = OUTCOME_HANDLER_FAILED,
                           .detail = "shop.order.app.Error.Full a:1:2"};
        WriteResult result;
        OutcomeNext next;
        OK(db_begin(f->c, &error));
        OK(store_finish(f->store, f->c, f->now, &f->claims[0], &outcome, &result, &next, &error));
        OK(db_commit(f->c, &error));
        assert_int_equal(result, WRITE_DONE);
        if (attempt < 3) {
            assert_string_equal(next.state, "pending");
            assert_int_equal(next.run_at, f->now + delays[attempt - 1]);
            assert_int_equal(fixture_claim(f, 1), 0);
            f->now = next.run_at;
        }
    }
    assert_string_equal(fixture_text(f, "SELECT state || ' ' || error FROM _dever_jobs"),
                        "dead handler_failed");
    assert_string_equal(fixture_text(f, "SELECT error_detail FROM _dever_jobs"),
                        "shop.order.app.Error.Full a:1:2");
    assert_int_equal(fixture_number(f, "SELECT count(*) FROM _dever_job_payload"), 1);
}

/* J7: a task that is given back at a shutdown is due at once; its attempt stays used. */
static void finish_when_shut_down_is_due_now(void **state) {
    Fixture *f = *state;
    fixture_enqueue(f, &job_mail, "a", START, NULL, id);
    fixture_claim(f, 1);
    assert_int_equal(fixture_finish(f, &f->claims[0], OUTCOME_WORKER_SHUTDOWN), WRITE_DONE);
    assert_int_equal(fixture_claim(f, 1), 1);
    assert_int_equal(f->claims[0].attempt, 2);
}

/* ---- J6.7: fencing ---- */

/* F01, F02: whoever slept past the lease changes nothing any more, whatever it reports. */
static void finish_when_lease_lost_changes_nothing(void **state) {
    Fixture *f = *state;
    fixture_enqueue(f, &job_mail, "a", START, NULL, id);
    fixture_claim(f, 1);
    Claim slept = f->claims[0];
    f->claims[0].payload = (Buf){0};
    f->now += LEASE_MS;
    fixture_recover(f);
    JobStore *other = fixture_store("00000000000000bb", fixture_jobs, FIXTURE_JOBS, 0);
    assert_int_equal(fixture_claim_with(f, other, 1), 1);
    assert_int_equal(fixture_finish(f, &slept, OUTCOME_SUCCEEDED), WRITE_LOST);
    assert_int_equal(fixture_finish(f, &slept, OUTCOME_HANDLER_FAILED), WRITE_LOST);
    assert_int_equal(fixture_renew(f, &slept), WRITE_LOST);
    assert_string_equal(fixture_text(f, "SELECT state || worker FROM _dever_jobs"),
                        "running00000000000000bb");
    assert_int_equal(fixture_number(f, "SELECT attempt FROM _dever_jobs"), 2);
    assert_int_equal(fixture_finish(f, &f->claims[0], OUTCOME_SUCCEEDED), WRITE_DONE);
    assert_string_equal(fixture_text(f, "SELECT state FROM _dever_jobs"), "succeeded");
    buf_done(&slept.payload);
    store_free(other);
}

/* F04, J5.2: an expired lease is never revived, also when nobody took the task. */
static void renew_when_expired_is_refused(void **state) {
    Fixture *f = *state;
    fixture_enqueue(f, &job_mail, "a", START, NULL, id);
    fixture_claim(f, 1);
    f->now += LEASE_MS - 1;
    assert_int_equal(fixture_renew(f, &f->claims[0]), WRITE_DONE);
    assert_int_equal(f->claims[0].lease_until, f->now + LEASE_MS);
    f->now += LEASE_MS;
    assert_int_equal(fixture_renew(f, &f->claims[0]), WRITE_LOST);
    assert_int_equal(fixture_finish(f, &f->claims[0], OUTCOME_SUCCEEDED), WRITE_LOST);
    assert_string_equal(fixture_text(f, "SELECT state FROM _dever_jobs"), "running");
}

/* F03, J7.3: the commit of a handler's transaction is refused when the claim is gone. */
static void complete_when_claim_gone_tells_so(void **state) {
    Fixture *f = *state;
    DbError error = {0};
    fixture_sql(f, "CREATE TABLE business (n INTEGER)");
    fixture_enqueue(f, &job_mail, "a", START, NULL, id);
    fixture_claim(f, 1);
    bool held = false;
    OK(db_begin(f->c, &error));
    fixture_sql(f, "INSERT INTO business VALUES (1)");
    OK(store_claim_holds(f->c, f->now + 1, &f->claims[0], &held, &error));
    assert_true(held);
    OK(store_claim_holds(f->c, f->now + LEASE_MS, &f->claims[0], &held, &error));
    assert_false(held);
    OK(store_complete(f->c, f->now + LEASE_MS, &f->claims[0], &held, &error));
    assert_false(held);
    db_rollback(f->c);
    assert_int_equal(fixture_number(f, "SELECT count(*) FROM business"), 0);
    OK(db_begin(f->c, &error));
    fixture_sql(f, "INSERT INTO business VALUES (1)");
    OK(store_complete(f->c, f->now + 1, &f->claims[0], &held, &error));
    assert_true(held);
    OK(db_commit(f->c, &error));
    assert_string_equal(fixture_text(f, "SELECT state FROM _dever_jobs"), "succeeded");
}

/* F21: the row of one task is gone; the others of the batch are written. */
static void finish_when_row_deleted_writes_the_others(void **state) {
    Fixture *f = *state;
    DbError error = {0};
    fixture_enqueue(f, &job_mail, "a", START - 1, NULL, id);
    fixture_enqueue(f, &job_mail, "b", START, NULL, id2);
    assert_int_equal(fixture_claim(f, 2), 2);
    fixture_sql(f, "DELETE FROM _dever_jobs WHERE dedupe_key = 'business:a'");
    WriteResult results[2];
    OutcomeNext next;
    Outcome outcome = {.kind = OUTCOME_SUCCEEDED};
    OK(db_begin(f->c, &error));
    for (int i = 0; i < 2; i++) {
        OK(store_finish(f->store, f->c, f->now, &f->claims[i], &outcome, &results[i], &next,
                        &error));
    }
    OK(db_commit(f->c, &error));
    assert_int_equal(results[0], WRITE_LOST);
    assert_int_equal(results[1], WRITE_DONE);
}

/* ---- J6.4: recovery ---- */

/* J6.4: due at once the first time, after the delay when it expires again. */
static void recover_when_expired_again_waits(void **state) {
    Fixture *f = *state;
    fixture_enqueue(f, &job_ship, "a", START, NULL, id);
    fixture_claim(f, 1);
    f->now += LEASE_MS - 1;
    fixture_recover(f);
    assert_string_equal(fixture_text(f, "SELECT state FROM _dever_jobs"), "running");
    f->now += 1;
    fixture_recover(f);
    assert_string_equal(fixture_text(f, "SELECT state || ' ' || error FROM _dever_jobs"),
                        "pending lease_expired");
    assert_int_equal(fixture_number(f, "SELECT run_at FROM _dever_jobs"), f->now);
    assert_int_equal(fixture_claim(f, 1), 1);
    f->now += LEASE_MS;
    fixture_recover(f);
    assert_int_equal(fixture_number(f, "SELECT run_at FROM _dever_jobs"), f->now + 2000);
    assert_int_equal(fixture_number(f, "SELECT attempt FROM _dever_jobs"), 2);
}

/* F10: no attempt left: dead, attempts_exhausted; nothing else is touched. */
static void recover_when_no_attempt_left_ends_dead(void **state) {
    Fixture *f = *state;
    fixture_enqueue(f, &job_pack, "a", START - 1, NULL, id);
    fixture_enqueue(f, &job_ship, "b", START, NULL, id2);
    assert_int_equal(fixture_claim(f, 1), 1);
    f->now += LEASE_MS;
    fixture_recover(f);
    assert_string_equal(fixture_text(f, "SELECT state || ' ' || error FROM _dever_jobs WHERE"
                                        " target = 'shop.order.job.pack'"),
                        "dead attempts_exhausted");
    assert_string_equal(fixture_text(f, "SELECT state FROM _dever_jobs WHERE"
                                        " target = 'shop.order.job.ship'"),
                        "pending");
}

/* F05: the owner finishes between the look and the sweep. */
static void recover_when_owner_finished_leaves_it(void **state) {
    Fixture *f = *state;
    DbError error = {0};
    fixture_enqueue(f, &job_mail, "a", START, NULL, id);
    fixture_claim(f, 1);
    bool expired = false;
    OK(store_expired(f->store, f->c, f->now + LEASE_MS, &expired, &error));
    assert_true(expired);
    assert_int_equal(fixture_finish(f, &f->claims[0], OUTCOME_SUCCEEDED), WRITE_DONE);
    f->now += LEASE_MS;
    fixture_recover(f);
    assert_string_equal(fixture_text(f, "SELECT state FROM _dever_jobs"), "succeeded");
    assert_int_equal(fixture_claim(f, 1), 0);
}

/* F08: many live leases with small ids do not hide a dead one; F13: more than one sweep's rows. */
static void recover_when_many_live_finds_the_dead(void **state) {
    Fixture *f = *state;
    fixture_sql(
        f, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
           " INSERT INTO _dever_jobs (id, target, schema, dedupe_key, state, run_at, attempt,"
           " max_attempts, timeout_ms, claim_token, lease_until, worker, created_at, updated_at)"
           " SELECT printf('00000000-0000-7000-8000-%012d', i), 'shop.order.job.ship', 'v1:ship',"
           " 'business:' || i, 'running', 1764590400000, 1, 5, 1000, 't', 1764590460001, 'w',"
           " 1764590400000, 1764590400000 FROM n");
    fixture_enqueue(f, &job_ship, "dead", START, NULL, id);
    assert_int_equal(fixture_claim(f, 1), 1);
    f->now += LEASE_MS;
    fixture_recover(f);
    assert_int_equal(fixture_number(f, "SELECT count(*) FROM _dever_jobs WHERE state = 'pending'"),
                     1);
    f->now += 1;
    fixture_recover(f);
    assert_int_equal(fixture_number(f, "SELECT count(*) FROM _dever_jobs WHERE state = 'pending'"),
                     1001);
}

static bool note_owner(void *self, Str worker) {
    snprintf(self, 64, STR_FMT, STR_ARG(worker));
    return true;
}

/* J6.12: the leases of a worker that is proved dead end at once. */
static void end_owner_when_dead_ends_its_leases(void **state) {
    Fixture *f = *state;
    DbError error = {0};
    fixture_enqueue(f, &job_mail, "a", START, NULL, id);
    JobStore *other = fixture_store("00000000000000bb", fixture_jobs, FIXTURE_JOBS, 0);
    assert_int_equal(fixture_claim_with(f, other, 1), 1);
    store_free(other);
    char owner[64] = "";
    OK(store_owners(f->store, f->c, note_owner, owner, &error));
    assert_string_equal(owner, "00000000000000bb");
    OK(db_begin(f->c, &error));
    OK(store_end_owner(f->c, f->now, str_from(owner), &error));
    OK(db_commit(f->c, &error));
    fixture_recover(f);
    assert_int_equal(fixture_claim(f, 1), 1);
    owner[0] = '\0';
    OK(store_owners(f->store, f->c, note_owner, owner, &error)); /* never oneself */
    assert_string_equal(owner, "");
}

/* ---- J7.5: other programs' tasks ---- */

static void block_foreign(Fixture *f, JobStore *store, uint32_t expected) {
    DbError error = {0};
    uint32_t count = 0;
    store_turn(store);
    OK(store_find_foreign(store, f->c, f->now, &count, &error));
    assert_int_equal(count, expected);
    OK(db_begin(f->c, &error));
    OK(store_block_foreign(store, f->c, f->now, &error));
    OK(db_commit(f->c, &error));
}

/* J7.5: only after the grace, and with the reason. F53. */
static void foreign_when_grace_over_is_blocked(void **state) {
    Fixture *f = *state;
    static const dv_job changed = {.target = "shop.order.job.ship",
                                   .schema = "()",
                                   .fingerprint = "v1:ship2",
                                   .max_attempts = 5,
                                   .timeout_ms = 1000,
                                   .place = "job.dever:3:1"};
    static const dv_job *const newer_jobs[] = {&job_mail, &changed};
    JobStore *newer = fixture_store("00000000000000bb", newer_jobs, 2, 300000);
    fixture_enqueue(f, &job_pack, "a", START, "{}", id);         /* unknown to the newer program */
    fixture_enqueue(f, &job_ship, "b", START, "{}", id2);        /* another fingerprint */
    fixture_enqueue(f, &job_mail, "c", START, NULL, id3);        /* fine */
    fixture_enqueue(f, &job_pack, "d", START + 1000, NULL, id3); /* due later */
    assert_int_equal(fixture_claim_with(f, newer, 4), 1);        /* the filter: only the fine one */
    f->now = START + 300000 - 1;
    block_foreign(f, newer, 0);
    f->now = START + 300000;
    block_foreign(f, newer, 2);
    assert_string_equal(fixture_text(f, "SELECT state || ' ' || error FROM _dever_jobs"
                                        " WHERE dedupe_key = 'business:a'"),
                        "blocked unknown_target");
    assert_string_equal(fixture_text(f, "SELECT state || ' ' || error FROM _dever_jobs"
                                        " WHERE dedupe_key = 'business:b'"),
                        "blocked schema_mismatch");
    assert_int_equal(
        fixture_number(f, "SELECT sum(attempt) FROM _dever_jobs WHERE state = 'blocked'"), 0);
    assert_int_equal(fixture_number(f, "SELECT count(*) FROM _dever_job_payload"), 2);
    store_free(newer);
}

/* F07: a recovered task waits at least the grace from its recovery. */
static void foreign_when_just_recovered_waits(void **state) {
    Fixture *f = *state;
    static const dv_job *const only_mail[] = {&job_mail};
    JobStore *store = fixture_store("00000000000000bb", only_mail, 1, 300000);
    fixture_enqueue(f, &job_ship, "a", START, NULL, id);
    fixture_claim(f, 1);
    f->now += 3 * 300000;
    fixture_recover(f);
    assert_int_equal(fixture_claim_with(f, store, 1), 0);
    block_foreign(f, store, 0);
    f->now += 300000;
    block_foreign(f, store, 1);
    store_free(store);
}

/* A found row that changed meanwhile stays. */
static void foreign_when_changed_meanwhile_stays(void **state) {
    Fixture *f = *state;
    DbError error = {0};
    static const dv_job *const only_mail[] = {&job_mail};
    JobStore *store = fixture_store("00000000000000bb", only_mail, 1, 0);
    fixture_enqueue(f, &job_ship, "a", START, NULL, id);
    uint32_t count = 0;
    store_turn(store);
    OK(store_find_foreign(store, f->c, f->now, &count, &error));
    assert_int_equal(count, 1);
    assert_int_equal(fixture_claim(f, 1), 1);
    OK(db_begin(f->c, &error));
    OK(store_block_foreign(store, f->c, f->now, &error));
    OK(db_commit(f->c, &error));
    assert_string_equal(fixture_text(f, "SELECT state FROM _dever_jobs"), "running");
    assert_null(store_events(store));
    store_free(store);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(prepare_when_current_needs_no_lock),
        TEST(prepare_when_version_unknown_refuses_with_both),
        TEST(prepare_when_table_altered_refuses),
        TEST(prepare_when_index_missing_refuses),
        TEST(prepare_when_tables_have_no_version_refuses),
        TEST(prepare_when_many_start_makes_one_schema),
        TEST(table_when_state_unknown_refuses),
        TEST(statements_when_explained_use_keys),
        TEST(enqueue_when_key_active_returns_its_id),
        TEST(enqueue_when_running_returns_its_id),
        TEST(enqueue_when_finished_makes_another),
        TEST(enqueue_when_key_active_inside_transaction_goes_on),
        TEST(enqueue_when_rolled_back_leaves_nothing),
        TEST(claim_when_due_counts_and_leases),
        TEST(claim_when_not_due_takes_nothing),
        TEST(claim_when_many_takes_the_oldest),
        TEST(claim_when_one_target_floods_leaves_a_slot),
        TEST(claim_when_others_run_one_target_leaves_the_last_slot),
        TEST(claim_when_policy_invalid_blocks_without_attempt),
        TEST(claim_when_row_unreadable_blocks_it_alone),
        TEST(claim_when_payload_too_long_marks_it),
        TEST(mine_when_commit_unknown_finds_the_claims),
        TEST(finish_when_succeeded_writes_it),
        TEST(finish_when_failed_retries_then_dies),
        TEST(finish_when_shut_down_is_due_now),
        TEST(finish_when_lease_lost_changes_nothing),
        TEST(renew_when_expired_is_refused),
        TEST(complete_when_claim_gone_tells_so),
        TEST(finish_when_row_deleted_writes_the_others),
        TEST(recover_when_expired_again_waits),
        TEST(recover_when_no_attempt_left_ends_dead),
        TEST(recover_when_owner_finished_leaves_it),
        TEST(recover_when_many_live_finds_the_dead),
        TEST(end_owner_when_dead_ends_its_leases),
        TEST(foreign_when_grace_over_is_blocked),
        TEST(foreign_when_just_recovered_waits),
        TEST(foreign_when_changed_meanwhile_stays),
    };
    return cmocka_run_group_tests_name("job_store", tests, NULL, NULL);
}
