/* base/datetime.h: moments, days and times of day as milliseconds, in UTC and the proleptic Gregorian
 * calendar. No time zone of the machine ever enters. */
#ifndef BASE_DATETIME_H
#define BASE_DATETIME_H

#include "base/buf.h"
#include "base/str.h"

#define MS_PER_SECOND INT64_C(1000)
#define MS_PER_MINUTE INT64_C(60000)
#define MS_PER_DAY INT64_C(86400000)
/* 0000-01-01T00:00:00Z and the last millisecond of the year 9999. */
#define DATETIME_LEAST INT64_C(-62167219200000)
#define DATETIME_MOST INT64_C(253402300799999)

typedef struct CivilDate {
    int64_t year;
    int month; /* 1 to 12 */
    int day;   /* 1 to 31 */
} CivilDate;

/* Days since 1970-01-01 of a date that exists, and back. */
int64_t date_to_days(CivilDate date);
CivilDate date_from_days(int64_t days);
int days_in_month(int64_t year, int month);
/* 0 = Sunday. */
int weekday_of_days(int64_t days);
/* Rounds toward minus infinity: the day of a moment before 1970. */
int64_t floor_div(int64_t value, int64_t divisor);

/* `YYYY-MM-DDTHH:MM:SSZ`, with `.mmm` when there are milliseconds (RFC 3339). False outside the years
 * 0 to 9999; nothing is written then. */
bool datetime_format(int64_t ms, Buf *out);
/* RFC 3339 with any offset and at most three digits of fraction; no leap second. */
bool datetime_parse(Str text, int64_t *out_ms);
/* `YYYY-MM-DD` of a multiple of a day. */
bool date_format(int64_t ms, Buf *out);
bool date_parse(Str text, int64_t *out_ms);
/* `HH:MM:SS` or `HH:MM:SS.mmm`, from 0 to one millisecond before 24:00. */
bool time_format(int64_t ms, Buf *out);
bool time_parse(Str text, int64_t *out_ms);

#endif
