/* tests/unit/test_cron.c: J8.1 to J8.3, J8.8, and the cron tables of what other schedulers got wrong. */
#include "tests/unit/test_base_fixture.h"

#include <stdio.h>
#include <string.h>

#include "base/datetime.h"
#include "contract/cron.h"

static Cron cron_of(const char *text) {
    Cron cron;
    CronError error;
    if (!cron_parse(str_from(text), &cron, &error)) {
        fail_msg("%s: %s", text, error.message);
    }
    return cron;
}

static int64_t moment(const char *text) {
    int64_t ms;
    if (!datetime_parse(str_from(text), &ms)) {
        fail_msg("%s is no moment", text);
    }
    return ms;
}

static void next_when_asked_repeatedly_gives_the_table(void **state) {
    static const struct {
        const char *text, *from;
        const char *next[5];
    } rows[] = {
        {"0 0 1,16,31 * *",
         "2020-02-18T00:00:00Z",
         {"2020-03-01T00:00:00Z", "2020-03-16T00:00:00Z", "2020-03-31T00:00:00Z",
          "2020-04-01T00:00:00Z"}},
        {"0 0 29 2 *", "2096-03-01T00:00:00Z", {"2104-02-29T00:00:00Z"}},
        {"0 0 31 2,3,4,5 *",
         "2018-07-27T15:45:00Z",
         {"2019-03-31T00:00:00Z", "2019-05-31T00:00:00Z", "2020-03-31T00:00:00Z"}},
        {"0 0 30 1 *", "2017-01-13T00:00:00Z", {"2017-01-30T00:00:00Z", "2018-01-30T00:00:00Z"}},
        {"0 0 1 1 0",
         "2011-06-15T23:08:00Z",
         {"2012-01-01T00:00:00Z", "2012-01-08T00:00:00Z", "2012-01-15T00:00:00Z",
          "2012-01-22T00:00:00Z"}},
        {"0 10 1 * 5",
         "2016-05-25T00:00:00Z",
         {"2016-05-27T10:00:00Z", "2016-06-01T10:00:00Z", "2016-06-03T10:00:00Z",
          "2016-06-10T10:00:00Z"}},
        {"30 4 1,15 * 5",
         "2026-01-01T00:00:00Z",
         {"2026-01-01T04:30:00Z", "2026-01-02T04:30:00Z", "2026-01-09T04:30:00Z",
          "2026-01-15T04:30:00Z"}},
        {"0 0 31 2 1-5",
         "2026-01-01T00:00:00Z",
         {"2026-02-02T00:00:00Z", "2026-02-03T00:00:00Z", "2026-02-04T00:00:00Z",
          "2026-02-05T00:00:00Z"}},
        {"0 0 * * */2",
         "2026-01-02T00:00:00Z",
         {"2026-01-03T00:00:00Z", "2026-01-04T00:00:00Z", "2026-01-06T00:00:00Z",
          "2026-01-08T00:00:00Z"}},
        {"*/15 8-10 * * *",
         "2026-01-01T10:46:00Z",
         {"2026-01-02T08:00:00Z", "2026-01-02T08:15:00Z"}},
        {"*/45 * * * *",
         "2026-01-01T12:46:00Z",
         {"2026-01-01T13:00:00Z", "2026-01-01T13:45:00Z", "2026-01-01T14:00:00Z"}},
        {"0 0 31 * *",
         "2026-01-31T00:00:00Z",
         {"2026-03-31T00:00:00Z", "2026-05-31T00:00:00Z", "2026-07-31T00:00:00Z",
          "2026-08-31T00:00:00Z"}},
        {"0 0 * * 5,1",
         "2026-01-01T00:00:00Z",
         {"2026-01-02T00:00:00Z", "2026-01-05T00:00:00Z", "2026-01-09T00:00:00Z",
          "2026-01-12T00:00:00Z"}},
        {"59 23 31 12 *", "2025-12-31T23:58:00Z", {"2025-12-31T23:59:00Z", "2026-12-31T23:59:00Z"}},
        /* Strictly after, whatever the seconds. */
        {"28 1 * * *",
         "2026-01-01T01:27:59.990Z",
         {"2026-01-01T01:28:00Z", "2026-01-02T01:28:00Z"}},
        {"28 1 * * *", "2026-01-01T01:28:00Z", {"2026-01-02T01:28:00Z"}},
        {"28 1 * * *", "2026-01-01T01:28:00.001Z", {"2026-01-02T01:28:00Z"}},
        {"* * * * *", "1969-12-31T23:58:30Z", {"1969-12-31T23:59:00Z", "1970-01-01T00:00:00Z"}},
        {"0 0 29 2 1", "2100-02-20T00:00:00Z", {"2100-02-22T00:00:00Z", "2101-02-07T00:00:00Z"}},
        /* Every form of J8.1. */
        {"5/20,1 2-8/3 10/10 */6 *",
         "2026-01-01T00:00:00Z",
         {"2026-01-10T02:01:00Z", "2026-01-10T02:05:00Z", "2026-01-10T02:25:00Z",
          "2026-01-10T02:45:00Z", "2026-01-10T05:01:00Z"}},
        {"  0   0 1  1 *  ", "2026-01-01T00:00:00Z", {"2027-01-01T00:00:00Z"}},
        {"*/60 */24 */32 */13 */7",
         "2026-01-01T00:00:00Z",
         {"2026-01-04T00:00:00Z", "2026-01-11T00:00:00Z"}}, /* the 1st, or Sundays, of January */
        {"007 0 1 1 *", "2026-01-01T00:00:00Z", {"2026-01-01T00:07:00Z"}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Cron cron = cron_of(rows[i].text);
        int64_t at = moment(rows[i].from);
        for (size_t j = 0; j < 5 && rows[i].next[j] != NULL; j++) {
            ArenaMark mark = arena_mark(*state);
            Buf out = {0};
            at = cron_next(&cron, at);
            assert_true(datetime_format(at, &out));
            Str name = str_format(*state, "%s, %zu", rows[i].text, j);
            assert_str_of(name.ptr, buf_str(&out), rows[i].next[j]);
            buf_done(&out);
            arena_rewind(*state, mark);
        }
    }
}

/* A slow matcher that looks at every minute, by the words of J8.1 and J8.2. */
static bool matches_minute(const Cron *cron, int64_t minute) {
    int64_t days = floor_div(minute, 1440);
    int64_t rest = minute - days * 1440;
    CivilDate date = date_from_days(days);
    bool day = (cron->set[2] >> date.day & 1) != 0;
    bool weekday = (cron->set[4] >> weekday_of_days(days) & 1) != 0;
    bool both = cron->day_restricted && cron->weekday_restricted;
    return (cron->set[0] >> (rest % 60) & 1) != 0 && (cron->set[1] >> (rest / 60) & 1) != 0 &&
           (cron->set[3] >> date.month & 1) != 0 && (both ? day || weekday : day && weekday);
}

static void next_when_compared_with_every_minute_agrees(void **state) {
    (void)state;
    uint64_t random = 7;
    for (int round = 0; round < 300; round++) {
        static const unsigned least[] = {0, 0, 1, 1, 0};
        static const unsigned most[] = {59, 23, 31, 12, 6};
        char text[64] = "";
        for (int field = 0; field < 5; field++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            unsigned pick = (unsigned)(random >> 40);
            unsigned value = least[field] + pick / 8 % (most[field] - least[field] + 1);
            size_t used = strlen(text);
            switch (pick % 4) {
            case 0:
                snprintf(text + used, sizeof text - used, " %u", value);
                break;
            case 1:
                snprintf(text + used, sizeof text - used, " */%u", value + 1);
                break;
            case 2:
                snprintf(text + used, sizeof text - used, " %u-%u/2", value, most[field]);
                break;
            default:
                snprintf(text + used, sizeof text - used, " *");
                break;
            }
        }
        Cron cron;
        if (!cron_parse(str_from(text), &cron, NULL)) {
            continue; /* 31 February */
        }
        int64_t minute = moment("2027-12-01T00:00:00Z") / MS_PER_MINUTE + (int64_t)(random >> 50);
        int64_t next = cron_next(&cron, minute * MS_PER_MINUTE);
        int64_t slow = minute + 1;
        while (slow < minute + 100 * 1440 && !matches_minute(&cron, slow)) {
            slow++;
        }
        bool found = slow < minute + 100 * 1440;
        if (found ? next != slow * MS_PER_MINUTE : next < slow * MS_PER_MINUTE) {
            fail_msg("%s: %lld", text, (long long)next);
        }
    }
}

static void next_when_at_the_ends_of_time_is_bounded(void **state) {
    (void)state;
    Cron every = cron_of("* * * * *");
    Cron leap = cron_of("0 0 29 2 *");
    assert_int_equal(cron_next(&every, INT64_MIN), DATETIME_LEAST);
    assert_int_equal(cron_next(&every, DATETIME_MOST), INT64_MAX);
    assert_int_equal(cron_next(&every, INT64_MAX), INT64_MAX);
    assert_int_equal(cron_next(&every, DATETIME_MOST - MS_PER_MINUTE - 1),
                     DATETIME_MOST + 1 - MS_PER_MINUTE);
    assert_int_equal(cron_next(&leap, moment("9996-02-29T00:00:00Z")), INT64_MAX);
}

static void parse_when_wrong_names_field_and_place(void **state) {
    static const struct {
        const char *text;
        size_t at, len;
        const char *message;
    } rows[] = {
        {"0 0 30 2 *", 0, 10, "no month has such a day: this never fires"},
        {"0 0 31 4 *", 0, 10, "no month has such a day: this never fires"},
        {"0 0 31 2,4,6,9,11 *", 0, 19, "no month has such a day: this never fires"},
        {"0 0 30,31 2 */1", 0, 15, "no month has such a day: this never fires"},
        {"0-99999999 * * * *", 2, 8, "minute: 99999999 is outside 0-59"},
        {"0-99999999999999999999999999 * * * *", 2, 26,
         "minute: 99999999999999999999999999 is outside 0-59"},
        {"*/0 * * * *", 0, 3, "minute: a step is a number from 1 to 60, found `0`"},
        {"*/61 * * * *", 0, 4, "minute: a step is a number from 1 to 60, found `61`"},
        {"*/ * * * *", 0, 2, "minute: a step is a number from 1 to 60, found ``"},
        {"*/2/2 * * * *", 0, 5, "minute: a step is a number from 1 to 60, found `2/2`"},
        {"* * */33 * *", 4, 4, "day of month: a step is a number from 1 to 32, found `33`"},
        {"* * * * */8", 8, 3, "day of week: a step is a number from 1 to 7, found `8`"},
        {"0 0 0 * *", 4, 1, "day of month: 0 is outside 1-31"},
        {"0 0 1 13 *", 6, 2, "month: 13 is outside 1-12"},
        {"* 24 * * *", 2, 2, "hour: 24 is outside 0-23"},
        {"60 * * * *", 0, 2, "minute: 60 is outside 0-59"},
        {"5-1 * * * *", 0, 3, "minute: the range 5-1 runs backwards"},
        {"1-2-3 * * * *", 2, 3, "minute: expected a number or `*`, found `2-3`"},
        {"-1 * * * *", 0, 2, "minute: expected a number or `*`, found `-1`"},
        {"1- * * * *", 2, 0, "minute: expected a number or `*`, found ``"},
        {"*-5 * * * *", 0, 1, "minute: expected a number or `*`, found `*`"},
        {"1,,2 * * * *", 0, 4, "minute: a part of the list is empty"},
        {", * * * *", 0, 1, "minute: a part of the list is empty"},
        {"* 1, * * *", 2, 2, "hour: a part of the list is empty"},
        {"0 0 * * 7", 8, 1, "day of week: 7 is outside 0-6 (Sunday is 0)"},
        {"0 0 * * MON", 8, 3, "day of week: expected a number or `*`, found `MON`"},
        {"0 0 * JAN *", 6, 3, "month: expected a number or `*`, found `JAN`"},
        {"0 0 L * *", 4, 1, "day of month: expected a number or `*`, found `L`"},
        {"0 0 15W * *", 4, 3, "day of month: expected a number or `*`, found `15W`"},
        {"0 0 * * 5#2", 8, 3, "day of week: expected a number or `*`, found `5#2`"},
        {"0 0 ? * *", 4, 1, "day of month: expected a number or `*`, found `?`"},
        {"+1 * * * *", 0, 2, "minute: expected a number or `*`, found `+1`"},
        {"@daily", 0, 6, "expected five fields (minute hour day month weekday), found a name"},
        {"", 0, 0, "expected five fields (minute hour day month weekday), found 0"},
        {"   ", 0, 3, "expected five fields (minute hour day month weekday), found 0"},
        {"* * * *", 0, 7, "expected five fields (minute hour day month weekday), found 4"},
        {"0 * * * * *", 10, 1, "expected five fields (minute hour day month weekday), found more"},
        {"*\t* * * *", 0, 3, "minute: expected a number or `*`, found `*?*`"},
        {"\x1b[2J * * * *", 0, 4, "minute: expected a number or `*`, found `?[2J`"},
        {"\xC3\xA9 * * * *", 0, 2, "minute: expected a number or `*`, found `??`"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Cron cron;
        CronError e;
        if (cron_parse(str_from(rows[i].text), &cron, &e)) {
            fail_msg("%s was accepted", rows[i].text);
        }
        if (e.at != rows[i].at || e.len != rows[i].len || strcmp(e.message, rows[i].message) != 0) {
            fail_msg("%s: %zu %zu %s", rows[i].text, e.at, e.len, e.message);
        }
    }
}

static void parse_when_longer_than_512_bytes_is_refused(void **state) {
    (void)state;
    char text[514];
    Cron cron;
    CronError error;
    memset(text, ' ', sizeof text);
    memcpy(text, "* * * * *", 9);
    assert_true(cron_parse((Str){text, 512}, &cron, &error));
    assert_false(cron_parse((Str){text, 513}, &cron, &error));
    assert_string_equal(error.message, "the expression has more than 512 bytes");
    assert_false(cron_parse((Str){text, 513}, &cron, NULL));
}

static void restriction_when_all_values_match_is_none(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool day, weekday;
    } rows[] = {
        {"0 0 * * *", false, false},
        {"0 0 */1 * 0-6", false, false},
        {"0 0 1-31 * 0,1,2,3-6", false, false},
        {"0 0 1-30 * *", true, false},
        {"0 0 1/1 * 1/1", false, true},
        {"0 0 */2 * */1", true, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Cron cron = cron_of(rows[i].text);
        if (cron.day_restricted != rows[i].day || cron.weekday_restricted != rows[i].weekday) {
            fail_msg("%s", rows[i].text);
        }
    }
}

static void fingerprint_when_the_sets_are_equal_is_the_same(void **state) {
    (void)state;
    static const struct {
        const char *left, *right;
        bool same;
    } rows[] = {
        {"0 * * * *", " 0  */1 1-31 * 0-6", true},
        {"*/30 0 * * *", "0,30 0 * * *", true},
        {"0 9 * * *", "0 10 * * *", false},
        {"9 0 * * *", "0 9 * * *", false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char left[CRON_FINGERPRINT_SIZE];
        char right[CRON_FINGERPRINT_SIZE];
        Cron a = cron_of(rows[i].left);
        Cron b = cron_of(rows[i].right);
        cron_fingerprint(&a, left);
        cron_fingerprint(&b, right);
        assert_int_equal(strlen(left), 32);
        assert_int_equal(strcmp(left, right) == 0, rows[i].same);
    }
}

static void warnings_when_users_go_wrong_say_what_happens(void **state) {
    (void)state;
    static const char uneven[] =
        "minute: `*/45` does not divide the range 0-59: the last gap is shorter";
    static const char step[] =
        "`*/n` restricts its day field: a day matches when either day field does";
    static const char pair[] =
        "both day fields are restricted: a day matches when either does, not both";
    static const struct {
        const char *text;
        const char *warnings[3];
    } rows[] = {
        {"0 0 * * *", {NULL}},
        {"*/15 */6 * */3 *", {NULL}},
        {"*/45 * * * *", {uneven}},
        {"*/45,7 * * * *", {NULL}},
        {"7,*/45 * * * *", {NULL}},
        {"0 0 13 * 5", {pair}},
        {"0 0 1-31 * 5", {NULL}},
        {"0 0 */2 * 1",
         {"day of month: `*/2` does not divide the range 1-31: the last gap is shorter", step}},
        {"0 0 1 * */1", {NULL}},
        {"0 0 1 * */2",
         {"day of week: `*/2` does not divide the range 0-6: the last gap is shorter", step}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char out[CRON_WARNINGS_MOST][CRON_WARNING_SIZE];
        Cron cron = cron_of(rows[i].text);
        size_t count = cron_warnings(&cron, out);
        size_t expected = 0;
        while (expected < 3 && rows[i].warnings[expected] != NULL) {
            expected++;
        }
        if (count != expected) {
            fail_msg("%s: %zu warnings", rows[i].text, count);
        }
        for (size_t j = 0; j < count; j++) {
            assert_string_equal(out[j], rows[i].warnings[j]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(next_when_asked_repeatedly_gives_the_table),
        TEST(next_when_compared_with_every_minute_agrees),
        TEST(next_when_at_the_ends_of_time_is_bounded),
        TEST(parse_when_wrong_names_field_and_place),
        TEST(parse_when_longer_than_512_bytes_is_refused),
        TEST(restriction_when_all_values_match_is_none),
        TEST(fingerprint_when_the_sets_are_equal_is_the_same),
        TEST(warnings_when_users_go_wrong_say_what_happens),
    };
    return cmocka_run_group_tests_name("cron", tests, NULL, NULL);
}
