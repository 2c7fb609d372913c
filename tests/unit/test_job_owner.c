/* tests/unit/test_job_owner.c: lock files as proof of life (J6.12), wake-ups (J6.3) and the queue's
 * clock (J5.1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/job/clock.h"
#include "runtime/job/owner.h"
#include "runtime/job/wake.h"

static char folder[64];
static char path[96];
static DbError error;

static int setup(void **state) {
    (void)state;
    strcpy(folder, "/tmp/dever-owner-XXXXXX");
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    snprintf(path, sizeof path, "%s/queue.db", folder);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static bool file_there(const char *id) {
    char file[160];
    snprintf(file, sizeof file, "%s-worker-%s", path, id);
    return access(file, F_OK) == 0;
}

static void dead_when_worker_lives_has_no_proof(void **state) {
    (void)state;
    Owner *a = owner_new(path, &error);
    Owner *b = owner_new(path, &error);
    assert_non_null(a);
    assert_non_null(b);
    assert_string_not_equal(owner_id(a), owner_id(b));
    DeadOwner dead;
    assert_false(owner_dead(a, str_from(owner_id(b)), &dead));
    assert_false(owner_dead(a, str_from(owner_id(a)), &dead));
    owner_tidy(a);
    assert_true(file_there(owner_id(a)));
    assert_true(file_there(owner_id(b)));
    char id[WORKER_ID_SIZE];
    strcpy(id, owner_id(b));
    owner_free(b);
    assert_false(file_there(id));
    assert_false(owner_dead(a, str_from(id), &dead)); /* a missing file proves nothing */
    owner_free(a);
}

/* A process that makes an owner, tells its id and waits to be killed. */
static pid_t start_worker(char id[WORKER_ID_SIZE]) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        Owner *owner = owner_new(path, NULL);
        ssize_t told = write(ends[1], owner_id(owner), WORKER_ID_SIZE);
        (void)told;
        for (;;) {
            pause();
        }
    }
    assert_int_equal(read(ends[0], id, WORKER_ID_SIZE), WORKER_ID_SIZE);
    close(ends[0]);
    close(ends[1]);
    return child;
}

static void dead_when_worker_killed_is_proved_once(void **state) {
    (void)state;
    char id[WORKER_ID_SIZE];
    pid_t child = start_worker(id);
    Owner *a = owner_new(path, &error);
    Owner *b = owner_new(path, &error);
    DeadOwner dead;
    DeadOwner too;
    assert_false(owner_dead(a, str_from(id), &dead));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(owner_dead(a, str_from(id), &dead));
    assert_false(owner_dead(b, str_from(id), &too)); /* somebody is at it */
    owner_leave(&dead);
    assert_true(owner_dead(b, str_from(id), &too));
    owner_bury(b, &too);
    assert_false(file_there(id));
    assert_false(owner_dead(a, str_from(id), &dead));
    owner_free(a);
    owner_free(b);
}

static void tidy_when_files_are_left_removes_the_dead(void **state) {
    (void)state;
    char id[WORKER_ID_SIZE];
    pid_t child = start_worker(id);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    Owner *a = owner_new(path, &error);
    assert_true(file_there(id));
    owner_tidy(a);
    assert_false(file_there(id));
    owner_free(a);
}

/* Ids come from rows: they never reach another file. */
static void dead_when_id_is_a_path_has_no_proof(void **state) {
    (void)state;
    Owner *a = owner_new(path, &error);
    DeadOwner dead;
    assert_false(owner_dead(a, STR("/../../etc/pass"), &dead));
    assert_false(owner_dead(a, STR("0123456789abcde/"), &dead));
    assert_false(owner_dead(a, STR(""), &dead));
    owner_free(a);
}

static void make_when_folder_missing_is_refused(void **state) {
    (void)state;
    assert_null(owner_new("/nonexistent/queue.db", &error));
    assert_int_equal(error.tag, DV_DATABASE_CONNECTION);
}

/* ---- waking ---- */

static void sleep_when_posted_ends(void **state) {
    (void)state;
    Wake *wake = wake_new(path);
    assert_non_null(wake);
    wake_post(wake);
    assert_true(wake_sleep(wake, 60000000, INT64_MIN));
    assert_false(wake_sleep(wake, 0, INT64_MIN));
    wake_free(wake);
}

/* J2.6: work due before the end of the sleep wakes, later work does not. */
static void sleep_when_due_later_goes_on(void **state) {
    (void)state;
    Wake *wake = wake_new(path);
    wake_listen(wake);
    wake_post_due(wake, 5000); /* between the look and the sleep */
    assert_true(wake_sleep(wake, 60000000, 4000));
    wake_post_due(wake, 1000); /* nobody sleeps */
    assert_false(wake_sleep(wake, 0, 4000));
    wake_free(wake);
}

static void *write_to_wake_file(void *self) {
    (void)self;
    wake_others(path);
    return NULL;
}

/* J6.3: another process, and again after the file was removed. */
static void sleep_when_wake_file_written_ends(void **state) {
    (void)state;
    wake_others(path); /* no worker yet: nothing to do */
    Wake *wake = wake_new(path);
    pthread_t thread;
    for (int round = 0; round < 2; round++) {
        wake_listen(wake);
        pthread_create(&thread, NULL, write_to_wake_file, NULL);
        assert_true(wake_sleep(wake, 60000000, INT64_MAX));
        pthread_join(thread, NULL);
        char file[128];
        snprintf(file, sizeof file, "%s-wake", path);
        unlink(file);
        wake_listen(wake);
        wake_sleep(wake, 1000000,
                   INT64_MAX); /* the removal itself wakes; the next listen mends it */
    }
    wake_free(wake);
}

/* ---- the clock ---- */

static int64_t fake_now(void *self) {
    return *(int64_t *)self;
}

static void now_when_clock_steps_back_smooths_small_steps(void **state) {
    (void)state;
    int64_t now = 100000;
    int64_t back = 0;
    JobClock clock;
    job_clock_init(&clock, fake_now, &now);
    assert_int_equal(job_clock_now(&clock, &back), 100000);
    now = 95000;
    assert_int_equal(job_clock_now(&clock, &back), 100000);
    assert_int_equal(back, 0);
    now = 100001;
    assert_int_equal(job_clock_now(&clock, &back), 100001);
    now = 95000;
    assert_int_equal(job_clock_now(&clock, &back), 95000);
    assert_int_equal(back, 5001);
    assert_int_equal(job_clock_now(&clock, &back), 95000);
    assert_int_equal(back, 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(dead_when_worker_lives_has_no_proof),
        TEST(dead_when_worker_killed_is_proved_once),
        TEST(tidy_when_files_are_left_removes_the_dead),
        TEST(dead_when_id_is_a_path_has_no_proof),
        TEST(make_when_folder_missing_is_refused),
        TEST(sleep_when_posted_ends),
        TEST(sleep_when_due_later_goes_on),
        TEST(sleep_when_wake_file_written_ends),
        TEST(now_when_clock_steps_back_smooths_small_steps),
    };
    return cmocka_run_group_tests_name("job_owner", tests, NULL, NULL);
}
