/* tests/unit/test_datetime.c: the calendar and RFC 3339. */
#include "tests/unit/test_base_fixture.h"

#include "base/datetime.h"

/* Counting day by day from 0000-01-01 is the slow, obvious calendar. */
static void calendar_when_counted_day_by_day_agrees(void **state) {
    (void)state;
    int64_t days = DATETIME_LEAST / MS_PER_DAY;
    int weekday = 6; /* 0000-01-01 was a Saturday */
    for (int64_t year = 0; year <= 9999; year++) {
        bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        for (int month = 1; month <= 12; month++) {
            int length = month == 2 ? 28 + leap : 30 + ((month + month / 8) % 2);
            assert_int_equal(days_in_month(year, month), length);
            for (int day = 1; day <= length; day++, days++, weekday = (weekday + 1) % 7) {
                CivilDate date = date_from_days(days);
                if (date.year != year || date.month != month || date.day != day ||
                    date_to_days(date) != days || weekday_of_days(days) != weekday) {
                    fail_msg("%d-%d-%d", (int)year, month, day);
                }
            }
        }
    }
    assert_int_equal(days * MS_PER_DAY, DATETIME_MOST + 1);
}

typedef bool Parse(Str text, int64_t *out);
typedef bool Format(int64_t ms, Buf *out);

typedef struct Row {
    const char *text;
    const char *formatted; /* NULL: refused */
    int64_t ms;
} Row;

static void check(Parse *parse, Format *format, const Row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const Row *row = &rows[i];
        int64_t ms = -1;
        bool good = parse(str_from(row->text), &ms);
        if (good != (row->formatted != NULL)) {
            fail_msg("%s: %s", row->text, good ? "accepted" : "refused");
        }
        if (good) {
            Buf out = {0};
            assert_int_equal(ms, row->ms);
            assert_true(format(ms, &out));
            assert_str_of(row->text, buf_str(&out), row->formatted);
            buf_done(&out);
        }
    }
}

static void datetime_when_rfc3339_is_read_and_written(void **state) {
    (void)state;
    static const Row rows[] = {
        {"1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z", 0},
        {"2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z", 1709251199000},
        {"2024-02-29T23:59:59.125+02:00", "2024-02-29T21:59:59.125Z", 1709243999125},
        {"2024-02-29T23:59:59.1-23:59", "2024-03-01T23:58:59.100Z", 1709337539100},
        {"2024-02-29t23:59:59z", "2024-02-29T23:59:59Z", 1709251199000},
        {"2024-02-29 23:59:59Z", "2024-02-29T23:59:59Z", 1709251199000}, /* RFC 3339, 5.6 */
        {"1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z", -1},
        {"0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z", DATETIME_LEAST},
        {"9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z", DATETIME_MOST},
        {"2024-02-29T23:59:59-00:00", "2024-02-29T23:59:59Z", 1709251199000},
        {"0000-01-01T00:00:00+00:01", NULL, 0},
        {"9999-12-31T23:59:59-00:01", NULL, 0},
        {"2024-02-29T23:59:59.1234Z", NULL, 0},
        {"2024-02-29T23:59:59.Z", NULL, 0},
        {"2024-02-29T23:59:60Z", NULL, 0},
        {"2024-02-29T24:00:00Z", NULL, 0},
        {"2024-02-29T23:60:00Z", NULL, 0},
        {"2023-02-29T00:00:00Z", NULL, 0},
        {"2024-13-01T00:00:00Z", NULL, 0},
        {"2024-00-01T00:00:00Z", NULL, 0},
        {"2024-01-00T00:00:00Z", NULL, 0},
        {"2024-02-29T23:59:59", NULL, 0},
        {"2024-02-29T23:59Z", NULL, 0},
        {"2024-02-29T23:59:59+0200", NULL, 0},
        {"2024-02-29T23:59:59+24:00", NULL, 0},
        {"2024-02-29T23:59:59+02:60", NULL, 0},
        {"2024-02-29T23:59:59Zx", NULL, 0},
        {"+2024-02-29T23:59:59Z", NULL, 0},
        {"12024-02-29T23:59:59Z", NULL, 0},
        {"2024-02-29", NULL, 0},
        {"", NULL, 0},
    };
    check(datetime_parse, datetime_format, rows, COUNT_OF(rows));
}

static void date_when_ten_characters_is_read_and_written(void **state) {
    (void)state;
    static const Row rows[] = {
        {"2024-02-29", "2024-02-29", 1709164800000},
        {"0000-01-01", "0000-01-01", DATETIME_LEAST},
        {"9999-12-31", "9999-12-31", DATETIME_MOST - MS_PER_DAY + 1},
        {"2023-02-29", NULL, 0},
        {"1900-02-29", NULL, 0},
        {"2024-2-29", NULL, 0},
        {"2024-02-29 ", NULL, 0},
        {"2024/02/29", NULL, 0},
    };
    check(date_parse, date_format, rows, COUNT_OF(rows));
}

static void time_when_eight_or_twelve_characters_is_read_and_written(void **state) {
    (void)state;
    static const Row rows[] = {
        {"07:05:00", "07:05:00", 25500000},
        {"07:05:00.250", "07:05:00.250", 25500250},
        {"00:00:00.000", "00:00:00", 0},
        {"23:59:59.999", "23:59:59.999", MS_PER_DAY - 1},
        {"07:05", NULL, 0},
        {"07:05:00.2", NULL, 0},
        {"07:05:00.2500", NULL, 0},
        {"07:05:00.", NULL, 0},
        {"24:00:00", NULL, 0},
        {"23:59:60", NULL, 0},
        {"07:60:00", NULL, 0},
        {"7:05:00", NULL, 0},
    };
    check(time_parse, time_format, rows, COUNT_OF(rows));
}

static void format_when_out_of_range_writes_nothing(void **state) {
    (void)state;
    static const struct {
        Format *format;
        int64_t ms;
    } rows[] = {
        {datetime_format, DATETIME_LEAST - 1},
        {datetime_format, DATETIME_MOST + 1},
        {datetime_format, INT64_MIN},
        {datetime_format, INT64_MAX},
        {date_format, 1},
        {date_format, -1},
        {date_format, DATETIME_MOST + 1},
        {date_format, INT64_MIN},
        {time_format, -1},
        {time_format, MS_PER_DAY},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Buf out = {0};
        assert_false(rows[i].format(rows[i].ms, &out));
        assert_int_equal(out.len, 0);
        buf_done(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(calendar_when_counted_day_by_day_agrees),
        TEST(datetime_when_rfc3339_is_read_and_written),
        TEST(date_when_ten_characters_is_read_and_written),
        TEST(time_when_eight_or_twelve_characters_is_read_and_written),
        TEST(format_when_out_of_range_writes_nothing),
    };
    return cmocka_run_group_tests_name("datetime", tests, NULL, NULL);
}
