/* The request to stop (J9.5): each case in a process of its own, since signals belong to processes. */
#include "tests/unit/test_process_fixture.h"

#include <poll.h>
#include <signal.h>

#include "base/clock.h"
#include "runtime/process/stop.h"

enum { LONG_MS = 600000 };

static int told[2]; /* a pipe: written at the deadline */
static char note[] = "x";

static void tell(void *self) {
    ssize_t written = write(told[1], self, 1);
    (void)written;
}

static bool readable(int descriptor) {
    struct pollfd file = {.fd = descriptor, .events = POLLIN};
    return poll(&file, 1, 10000) == 1;
}

/* Numbers tell where a child gave up. */
#define MUST(condition, number) \
    do {                        \
        if (!(condition)) {     \
            return (number);    \
        }                       \
    } while (0)

static int start_one(int64_t shutdown_ms) {
    MUST(pipe(told) == 0, 10);
    MUST(stop_start(shutdown_ms, tell, note), 11);
    MUST(!stop_requested() && stop_deadline_boot_ms() == INT64_MAX, 12);
    return 0;
}

static int first_signal(void *signal_number) {
    int64_t before = clock_boot_ms();
    MUST(start_one(LONG_MS) == 0, 2);
    MUST(kill(getpid(), *(int *)signal_number) == 0, 3);
    MUST(readable(stop_descriptor()), 4);
    MUST(stop_requested(), 5);
    int64_t deadline = stop_deadline_boot_ms();
    MUST(deadline >= before + LONG_MS && deadline <= clock_boot_ms() + LONG_MS, 6);
    MUST(!stop_was_forced(), 7);
    stop_finish();
    MUST(!stop_requested() && stop_descriptor() == -1, 8);
    return 0;
}

static void stop_when_first_signal_sets_the_deadline(void **state) {
    (void)state;
    int numbers[] = {SIGTERM, SIGINT};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        Printed printed = run_child(first_signal, &numbers[i], "");
        assert_int_equal(printed.status, 0);
        assert_contains(printed.err, "shutdown: asked to stop");
    }
}

static int second_signal(void *third) {
    MUST(start_one(LONG_MS) == 0, 2);
    kill(getpid(), SIGTERM);
    MUST(readable(stop_descriptor()), 3);
    kill(getpid(), SIGTERM);
    MUST(readable(told[0]), 4); /* the deadline is now */
    MUST(stop_deadline_boot_ms() <= clock_boot_ms(), 5);
    if (third != NULL) {
        kill(getpid(), SIGTERM);
        pause(); /* the process ends here */
    }
    stop_finish();
    return 0;
}

static void stop_when_second_signal_moves_the_deadline_to_now(void **state) {
    (void)state;
    Printed printed = run_child(second_signal, NULL, "");
    assert_int_equal(printed.status, 0);
    assert_contains(printed.err, "asked again");
}

static void stop_when_third_signal_ends_the_process(void **state) {
    (void)state;
    Printed printed = run_child(second_signal, note, "");
    assert_int_equal(printed.status, 1);
    assert_contains(printed.err, "asked a third time");
}

static int deadline_over(void *unused) {
    (void)unused;
    MUST(start_one(1) == 0, 2);
    kill(getpid(), SIGTERM);
    MUST(readable(told[0]), 3);
    MUST(clock_boot_ms() >= stop_deadline_boot_ms(), 4);
    stop_note_cancelled();
    MUST(stop_was_forced(), 5);
    stop_finish();
    return 0;
}

static void stop_when_the_deadline_is_over_says_so_once(void **state) {
    (void)state;
    assert_int_equal(run_child(deadline_over, NULL, "").status, 0);
}

static int budget_over(void *unused) {
    (void)unused;
    MUST(start_one(LONG_MS) == 0, 2);
    stop_request(clock_boot_ms() - STOP_AFTER_DEADLINE_MS);
    pause(); /* the process ends here */
    return 3;
}

static int inside_then_finish(void *unused) {
    (void)unused;
    MUST(start_one(LONG_MS) == 0, 2);
    stop_request(clock_boot_ms() + LONG_MS);
    MUST(readable(stop_descriptor()), 3);
    int64_t now = clock_boot_ms();
    stop_request(now);
    stop_request(now + LONG_MS); /* it only comes nearer */
    MUST(stop_deadline_boot_ms() == now, 4);
    MUST(readable(told[0]), 5);
    stop_finish();
    MUST(start_one(LONG_MS) == 0, 6);
    stop_finish();
    return 0;
}

static void stop_when_asked_from_inside_is_the_same(void **state) {
    (void)state;
    assert_int_equal(run_child(inside_then_finish, NULL, "").status, 0);
}

static void stop_when_the_budget_is_over_ends_the_process(void **state) {
    (void)state;
    Printed printed = run_child(budget_over, NULL, "");
    assert_int_equal(printed.status, 1);
    assert_contains(printed.err, "the budget is over");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stop_when_first_signal_sets_the_deadline),
        cmocka_unit_test(stop_when_second_signal_moves_the_deadline_to_now),
        cmocka_unit_test(stop_when_third_signal_ends_the_process),
        cmocka_unit_test(stop_when_the_deadline_is_over_says_so_once),
        cmocka_unit_test(stop_when_asked_from_inside_is_the_same),
        cmocka_unit_test(stop_when_the_budget_is_over_ends_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
