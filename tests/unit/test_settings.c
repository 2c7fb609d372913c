/* tests/unit/test_settings.c: config/setting.json, J9.1 to J9.4. */
#include "tests/unit/test_base_fixture.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "contract/settings.h"

static const char whole[] =
    "{ \"runtime\": { \"mode\": \"worker\", \"shutdown_ms\": 5000 },\n"
    "  \"job\": { \"workers\": 4, \"poll_ms\": 250, \"lease_ms\": 60000, \"retry_base_ms\": 200,\n"
    "    \"retry_max_ms\": 5000 },\n"
    "  \"database\": { \"default\": { \"type\": \"sqlite\", \"path\": \"data/db/app.db\",\n"
    "    \"max_connections\": 8 } },\n"
    "  \"log\": { \"level\": \"warn\" } }\n";

static Settings settings_of(Arena *arena, const char *text) {
    Settings settings;
    JsonError e;
    if (!settings_parse(arena, str_from(text), &settings, &e)) {
        fail_msg("%s:%u:%u: %s", e.path, e.line, e.column, e.message);
    }
    return settings;
}

static void parse_when_all_is_given_takes_it(void **state) {
    Settings s = settings_of(*state, whole);
    assert_true(s.has_runtime && s.has_job && s.has_database && s.has_log);
    assert_int_equal(s.runtime.mode, MODE_WORKER);
    assert_int_equal(s.runtime.shutdown_ms, 5000);
    assert_int_equal(s.job.workers, 4);
    assert_int_equal(s.job.poll_ms, 250);
    assert_int_equal(s.job.lease_ms, 60000);
    assert_int_equal(s.job.retry_base_ms, 200);
    assert_int_equal(s.job.retry_max_ms, 5000);
    assert_int_equal(s.database.max_connections, 8);
    assert_str(s.database.path, "data/db/app.db");
    assert_int_equal(s.log.level, LOG_WARN);
}

static void parse_when_optional_entries_are_absent_uses_the_defaults(void **state) {
    Settings s = settings_of(*state, "{}");
    assert_false(s.has_runtime || s.has_job || s.has_database || s.has_log);
    assert_int_equal(s.runtime.mode, MODE_API);
    assert_int_equal(s.runtime.shutdown_ms, 30000);
    assert_int_equal(s.log.level, LOG_INFO);
    s = settings_of(*state, whole);
    assert_int_equal(s.job.retry_jitter, 10);
    assert_int_equal(s.job.deploy_grace_ms, 300000);
    assert_int_equal(s.database.max_page_size, 100);
}

/* The same text with one part replaced; `from` stands once in it. */
static Str changed(Arena *arena, const char *from, const char *to) {
    const char *at = strstr(whole, from);
    assert_non_null(at);
    return str_format(arena, "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
}

static void refuse(Arena *arena, Str text, const char *path, const char *message) {
    Settings settings;
    JsonError e;
    if (settings_parse(arena, text, &settings, &e)) {
        fail_msg("accepted: " STR_FMT, STR_ARG(text));
    }
    if (strcmp(e.path, path) != 0 || strcmp(e.message, message) != 0 || e.line == 0 ||
        e.column == 0) {
        fail_msg("%s: %s\nin " STR_FMT "expected %s: %s", e.path, e.message, STR_ARG(text), path,
                 message);
    }
}

static void int_when_outside_its_range_names_range_and_value(void **state) {
    static const struct {
        const char *path,
            *from; /* `from` ends before the value, which ends before `,` ` ` or `}` */
        long long least, most;
    } rows[] = {
        {"$.job.workers", "\"workers\": 4", 1, 256},
        {"$.job.poll_ms", "\"poll_ms\": 250", 1, 60000},
        {"$.job.lease_ms", "\"lease_ms\": 60000", 100, 7200000},
        {"$.job.retry_base_ms", "\"retry_base_ms\": 200", 1, 3600000},
        {"$.job.retry_jitter", "\"retry_jitter\": 10", 0, 100},
        {"$.job.deploy_grace_ms", "\"deploy_grace_ms\": 1", 0, 86400000},
        {"$.runtime.shutdown_ms", "\"shutdown_ms\": 5000", 1, 3600000},
        {"$.database.default.max_connections", "\"max_connections\": 8", 1, 512},
        {"$.database.default.max_page_size", "\"max_page_size\": 8", 1, 10000},
    };
    static const char *const not_ints[] = {"1.0", "1e2", "1E2", "99999999999999999999999999",
                                           "-99999999999999999999999999"};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const char *name = strrchr(rows[i].path, '.') + 1;
        /* Settings that are not in the text are put before one of their neighbours. */
        const char *place = rows[i].from;
        const char *behind = "";
        if (strstr(whole, place) == NULL) {
            place = strstr(rows[i].path, "database") ? "\"max_connections\": 8" : "\"workers\": 4";
            behind = place;
        }
        for (size_t j = 0; j < 2 + COUNT_OF(not_ints); j++) {
            char value[40];
            char to[120];
            char message[120];
            if (j < 2) {
                snprintf(value, sizeof value, "%lld",
                         j == 0 ? rows[i].least - 1 : rows[i].most + 1);
            } else {
                snprintf(value, sizeof value, "%s", not_ints[j - 2]);
            }
            snprintf(to, sizeof to, "\"%s\": %s%s%s", name, value, behind[0] ? ", " : "", behind);
            snprintf(message, sizeof message, "expected a whole number from %lld to %lld, found %s",
                     rows[i].least, rows[i].most, value);
            refuse(*state, changed(*state, place, to), rows[i].path, message);
        }
        for (int j = 0; j < 2; j++) {
            char to[200];
            bool is_base = strcmp(name, "retry_base_ms") == 0; /* it may not be above the maximum */
            snprintf(to, sizeof to, "\"%s\": %lld%s%s", name,
                     j == 0 || is_base ? rows[i].least : rows[i].most, behind[0] ? ", " : "",
                     behind);
            settings_of(*state, changed(*state, place, to).ptr);
        }
    }
}

static void entry_when_wrong_names_path_and_what_is_expected(void **state) {
    static const struct {
        const char *from, *to, *path, *message;
    } rows[] = {
        {"5000 }", "null }", "$.runtime.shutdown_ms",
         "expected a whole number from 1 to 3600000, found null"},
        {"\"workers\": 4", "\"workers\": \"4\"", "$.job.workers",
         "expected a whole number from 1 to 256, found a string"},
        {"\"workers\": 4", "\"workers\": true", "$.job.workers",
         "expected a whole number from 1 to 256, found true or false"},
        {"\"workers\": 4", "\"workers\": 4, \"workers\": 4", "$.job.workers",
         "this setting stands twice"},
        {"\"workers\": 4,", "", "$.job", "`workers` is missing"},
        {"\"poll_ms\": 250,", "", "$.job", "`poll_ms` is missing"},
        {"\"lease_ms\": 60000,", "", "$.job", "`lease_ms` is missing"},
        {"\"retry_base_ms\": 200,", "", "$.job", "`retry_base_ms` is missing"},
        {"\"retry_base_ms\": 200,\n    \"retry_max_ms\": 5000", "\"retry_base_ms\": 200", "$.job",
         "`retry_max_ms` is missing"},
        {"\"mode\": \"worker\",", "", "$.runtime", "`mode` is missing"},
        {", \"shutdown_ms\": 5000", "", "$.runtime", "`shutdown_ms` is missing"},
        {"\"type\": \"sqlite\",", "", "$.database.default", "`type` is missing"},
        {"\"path\": \"data/db/app.db\",", "", "$.database.default", "`path` is missing"},
        {"\"workers\": 4", "\"worker\": 4", "$.job.worker",
         "there is no such setting; expected workers, poll_ms, lease_ms, retry_base_ms, "
         "retry_max_ms, "
         "retry_jitter, deploy_grace_ms"},
        {"\"log\"", "\"logs\"", "$.logs",
         "there is no such setting; expected runtime, job, database, log"},
        {"\"level\"", "\"\\u001b[2J\"", "$.log[\"\\u001b[2J\"]",
         "there is no such setting; expected level"},
        {"\"log\": {", "\"log\": {}, \"log\": {", "$.log", "this setting stands twice"},
        {"{ \"level\": \"warn\" }", "null", "$.log", "expected an object, found null"},
        {"{ \"level\": \"warn\" }", "[]", "$.log", "expected an object, found an array"},
        {"\"warn\"", "\"trace\"", "$.log.level",
         "expected one of \"debug\", \"info\", \"warn\", \"error\", found \"trace\""},
        {"\"warn\"", "\"Warn\"", "$.log.level",
         "expected one of \"debug\", \"info\", \"warn\", \"error\", found \"Warn\""},
        {"\"warn\"", "\"\\u001b[2J\"",
         "$.log.level", /* as written: nothing reaches a terminal raw */
         "expected one of \"debug\", \"info\", \"warn\", \"error\", found \"\\u001b[2J\""},
        {"\"warn\"", /* 79 bytes are shown: the 80th would be half of a character */
         "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\xC3\xA9y"
         "yy\"",
         "$.log.level",
         "expected one of \"debug\", \"info\", \"warn\", \"error\", found "
         "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..."},
        {"\"worker\"", "\"both\"", "$.runtime.mode",
         "expected one of \"api\", \"worker\", \"all\", found \"both\""},
        {"\"worker\"", "1", "$.runtime.mode",
         "expected one of \"api\", \"worker\", \"all\", found a number"},
        {"\"sqlite\"", "\"postgres\"", "$.database.default.type",
         "\"postgres\" is not supported yet; expected one of \"sqlite\""},
        {"\"sqlite\"", "\"oracle\"", "$.database.default.type",
         "expected one of \"sqlite\", found \"oracle\""},
        {"data/db/app.db", "../x.db", "$.database.default.path",
         "expected the path of a file, absolute or relative without `..`, found \"../x.db\""},
        {"data/db/app.db", "a/../x.db", "$.database.default.path",
         "expected the path of a file, absolute or relative without `..`, found \"a/../x.db\""},
        {"data/db/app.db", "a/..", "$.database.default.path",
         "expected the path of a file, absolute or relative without `..`, found \"a/..\""},
        {"data/db/app.db", "a\\u0000", "$.database.default.path",
         "expected the path of a file, absolute or relative without `..`, found \"a\\u0000\""},
        {"data/db/app.db", "", "$.database.default.path",
         "expected the path of a file, absolute or relative without `..`, found \"\""},
        {"\"type\": \"sqlite\"", "\"url\": \"postgres://a:secret@b/c\"", "$.database.default.url",
         "`url` is not supported yet"},
        {"\"default\"", "\"archive\"", "$.database.archive",
         "a connection beside `default` is not supported yet"},
        {"\"default\"", "\"The one\"", "$.database[\"The one\"]",
         "the name of a connection is lower_snake_case"},
        {"\"default\": {", "\"default\": {\"type\":\"sqlite\",\"path\":\"x\"}, \"default\": {",
         "$.database.default", "this setting stands twice"},
        {"\"poll_ms\"", "\"retention_ms\": 1, \"poll_ms\"", "$.job.retention_ms",
         "`retention_ms` is not supported yet"},
        {"\"poll_ms\"", "\"dead_retention_ms\": 1, \"poll_ms\"", "$.job.dead_retention_ms",
         "`dead_retention_ms` is not supported yet"},
        {"\"log\"", "\"http\": {}, \"log\"", "$.http", "`http` is not supported yet"},
        {"\"log\"", "\"adapter\": {}, \"log\"", "$.adapter", "`adapter` is not supported yet"},
        {"\"retry_max_ms\": 5000", "\"retry_max_ms\": 199", "$.job.retry_max_ms",
         "expected a whole number from retry_base_ms (200) to 86400000, found 199"},
        {"\"retry_max_ms\": 5000", "\"retry_max_ms\": 86400001", "$.job.retry_max_ms",
         "expected a whole number from 1 to 86400000, found 86400001"},
        {"\"retry_base_ms\": 200,\n    \"retry_max_ms\": 5000",
         "\"retry_max_ms\": 100, \"retry_base_ms\": 200", "$.job.retry_base_ms",
         "expected a whole number from 1 to retry_max_ms (100), found 200"},
        {"\"warn\" } }", "\"warn\" } } x", "$", "there is text behind the value"},
        {"\"warn\" } }", "\"warn\" }", "$", "expected `,` or `}`"},
        {"\"warn\"", "warn", "$.log.level", "this is no JSON value"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        refuse(*state, changed(*state, rows[i].from, rows[i].to), rows[i].path, rows[i].message);
    }
    refuse(*state, STR("[]"), "$", "expected an object, found an array");
    refuse(*state, STR(""), "$", "the text ends where a value is expected");
    refuse(*state, STR("{\"database\":{}}"), "$.database", "`default` is missing");
    refuse(*state, STR("{\"database\":null}"), "$.database", "expected an object, found null");
    refuse(*state, STR("{\"runtime\":{\"mode\":\"api\"}}"), "$.runtime",
           "`shutdown_ms` is missing");
}

static void error_when_a_key_is_wrong_points_at_the_key(void **state) {
    Settings settings;
    JsonError e;
    assert_false(
        settings_parse(*state, STR("{\n  \"log\": {\n    \"levels\": 1 } }"), &settings, &e));
    assert_int_equal(e.line, 3);
    assert_int_equal(e.column, 5);
    assert_false(settings_parse(*state, STR("{\n  \"job\": {\"workers\": 1}}"), &settings, &e));
    assert_int_equal(e.line, 2);
    assert_int_equal(e.column, 10);
}

static void parse_when_larger_than_a_mebibyte_is_refused(void **state) {
    Settings settings;
    JsonError e;
    Buf text = {0};
    buf_add(&text, STR("{}"));
    while (text.len < SETTINGS_BYTES_MAX) {
        buf_add_char(&text, ' ');
    }
    assert_true(settings_parse(*state, buf_str(&text), &settings, &e));
    buf_add_char(&text, ' ');
    assert_false(settings_parse(*state, buf_str(&text), &settings, &e));
    buf_done(&text);
}

static void check_when_the_program_needs_more_names_it(void **state) {
    static const SettingsNeeds worker = {true, true, true, true, 30000};
    static const SettingsNeeds command = {false, true, true, true, 30000};
    static const SettingsNeeds nothing = {0};
    static const struct {
        const char *from, *to;
        const SettingsNeeds *needs;
        const char *path, *message; /* NULL: fine */
    } rows[] = {
        {"4", "4", &worker, NULL, NULL},
        {"60000", "59999", &worker, "$.job.lease_ms",
         "expected at least twice the longest timeout of a job on SQLite (30000 ms) = 60000, found "
         "59999"},
        {"\"max_connections\": 8", "\"max_connections\": 5", &worker, NULL, NULL},
        {"\"max_connections\": 8", "\"max_connections\": 4", &worker,
         "$.database.default.max_connections", "expected at least job.workers + 1 = 5, found 4"},
        {"\"worker\"", "\"all\"", &worker, "$.runtime.mode",
         "mode \"all\" serves HTTP, which is not supported yet; expected \"worker\""},
        {"60000", "59999", &command, NULL, NULL},
        {"60000", "59999", &nothing, NULL, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Settings s = settings_of(*state, changed(*state, rows[i].from, rows[i].to).ptr);
        JsonError e;
        bool good = settings_check(&s, rows[i].needs, &e);
        if (good != (rows[i].path == NULL)) {
            fail_msg("row %zu: %s", i, good ? "accepted" : e.message);
        }
        if (!good) {
            assert_string_equal(e.path, rows[i].path);
            assert_string_equal(e.message, rows[i].message);
        }
    }
}

static void check_when_a_section_is_absent_tells_what_to_add(void **state) {
    SettingsNeeds needs = {true, true, true, true, 1000};
    static const struct {
        const char *text, *path;
    } rows[] = {
        {"{}", "$.database"},
        {"{\"database\":{\"default\":{\"type\":\"sqlite\",\"path\":\"x\"}}}", "$.runtime"},
        {"{\"database\":{\"default\":{\"type\":\"sqlite\",\"path\":\"x\"}},"
         "\"runtime\":{\"mode\":\"worker\",\"shutdown_ms\":1}}",
         "$.job"},
    };
    JsonError e;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Settings s = settings_of(*state, rows[i].text);
        assert_false(settings_check(&s, &needs, &e));
        assert_string_equal(e.path, rows[i].path);
    }
    Settings s = settings_of(*state, whole);
    needs.has_jobs = false;
    assert_false(settings_check(&s, &needs, &e));
    assert_string_equal(e.path, "$.runtime.mode");
    needs.has_jobs = true;
    needs.serves_jobs = false;
    assert_false(settings_check(&s, &needs, &e));
    assert_string_equal(e.path, "$.runtime.mode");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(parse_when_all_is_given_takes_it),
        TEST(parse_when_optional_entries_are_absent_uses_the_defaults),
        TEST(int_when_outside_its_range_names_range_and_value),
        TEST(entry_when_wrong_names_path_and_what_is_expected),
        TEST(error_when_a_key_is_wrong_points_at_the_key),
        TEST(parse_when_larger_than_a_mebibyte_is_refused),
        TEST(check_when_the_program_needs_more_names_it),
        TEST(check_when_a_section_is_absent_tells_what_to_add),
    };
    return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
