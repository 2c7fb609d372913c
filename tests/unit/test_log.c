/* The log: one whole line of JSON for each event. */
#include "tests/unit/test_process_fixture.h"

#include <pthread.h>

#include "base/json_reader.h"
#include "runtime/process/log.h"

static int write_one(void *unused) {
    (void)unused;
    LogField fields[] = {{STR("task"), STR("7\n\"")}, {STR("b"), STR("\xC2\x9B\x7F\xFFz")}};
    log_write(LOG_WARN, STR("it is\tlate: é"), fields, 2);
    return 0;
}

static void line_when_not_a_terminal_is_escaped_json(void **state) {
    (void)state;
    Printed printed = run_child(write_one, NULL, "");
    static const char rest[] = "\",\"level\":\"warn\",\"message\":\"it is\\tlate: é\",\"fields\":"
                               "{\"task\":\"7\\n\\\"\",\"b\":\"\\u009b\\u007f\xEF\xBF\xBDz\"}}\n";
    static const char time[] = "{\"time\":\"2026-01-01T00:00:00.000Z";
    assert_int_equal(strlen(printed.err), strlen(time) + strlen(rest));
    assert_memory_equal(printed.err, time, strlen("{\"time\":\""));
    assert_int_equal(printed.err[strlen(time) - 1], 'Z');
    assert_int_equal(printed.err[strlen(time) - 5], '.');
    assert_string_equal(printed.err + strlen(time), rest);
    assert_string_equal(printed.out, "");
}

static int write_levels(void *unused) {
    (void)unused;
    log_write(LOG_DEBUG, STR("before: debug"), NULL, 0);
    log_write(LOG_INFO, STR("before: info"), NULL, 0);
    log_set_level(LOG_ERROR);
    log_write(LOG_WARN, STR("after: warn"), NULL, 0);
    log_write(LOG_ERROR, STR("after: error"), NULL, 0);
    return 0;
}

static void line_when_below_the_level_is_dropped(void **state) {
    (void)state;
    Printed printed = run_child(write_levels, NULL, "");
    assert_null(strstr(printed.err, "before: debug"));
    assert_contains(printed.err, "before: info");
    assert_null(strstr(printed.err, "after: warn"));
    assert_contains(printed.err, "after: error");
}

static int write_long(void *unused) {
    (void)unused;
    char text[6000];
    LogField fields[20];
    for (size_t i = 0; i + 1 < sizeof text; i += 2) {
        memcpy(text + i, "é", 2);
    }
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        fields[i] = (LogField){STR("n"), STR("v")};
    }
    fields[0].value = (Str){text, 1025}; /* ends in the middle of a scalar */
    log_write(LOG_INFO, (Str){text, sizeof text}, fields, COUNT_OF(fields));
    return 0;
}

static void line_when_too_long_is_cut_between_scalars(void **state) {
    (void)state;
    Printed printed = run_child(write_long, NULL, "");
    size_t scalars = 0;
    size_t fields = 0;
    for (const char *at = printed.err; (at = strstr(at, "é")) != NULL; at += 2) {
        scalars++;
    }
    for (const char *at = printed.err; (at = strstr(at, "\"n\":")) != NULL; at += 4) {
        fields++;
    }
    assert_int_equal(scalars, 4096 / 2 + 1024 / 2);
    assert_int_equal(fields, 16);
    assert_null(strstr(printed.err, "\xEF\xBF\xBD"));
}

enum { THREADS = 4, LINES = 20 };

static void *write_lines(void *unused) {
    (void)unused;
    for (int i = 0; i < LINES; i++) {
        log_write(LOG_INFO, STR("0123456789"), NULL, 0);
    }
    return NULL;
}

static int write_from_threads(void *unused) {
    (void)unused;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, write_lines, NULL) != 0) {
            return 1;
        }
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}

static void lines_when_from_many_threads_stay_whole(void **state) {
    (void)state;
    Printed printed = run_child(write_from_threads, NULL, "");
    int lines = 0;
    Arena *arena = arena_new_unlimited();
    for (char *line = strtok(printed.err, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        JsonReader reader;
        json_reader_init(&reader, arena, str_from(line), (JsonLimits){1000, 8, 100});
        assert_true(json_reader_skip(&reader, NULL) && json_reader_end(&reader));
        lines++;
    }
    arena_free(arena);
    assert_int_equal(lines, THREADS * LINES);
}

static int write_closed(void *unused) {
    (void)unused;
    close(STDERR_FILENO);
    log_write(LOG_ERROR, STR("nobody reads"), NULL, 0);
    return 3;
}

static void line_when_nobody_reads_is_lost_and_the_program_goes_on(void **state) {
    (void)state;
    assert_int_equal(run_child(write_closed, NULL, "").status, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_when_not_a_terminal_is_escaped_json),
        cmocka_unit_test(line_when_below_the_level_is_dropped),
        cmocka_unit_test(line_when_too_long_is_cut_between_scalars),
        cmocka_unit_test(lines_when_from_many_threads_stay_whole),
        cmocka_unit_test(line_when_nobody_reads_is_lost_and_the_program_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
