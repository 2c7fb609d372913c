/* base/datetime.c: the calendar arithmetic counts years from March, so that the leap day is the last
 * day of a year, and eras of 400 years (146 097 days), after which the calendar repeats. */
#include "base/datetime.h"

int64_t floor_div(int64_t value, int64_t divisor) {
    int64_t quotient = value / divisor;
    return quotient - (value % divisor < 0 ? 1 : 0);
}

int64_t date_to_days(CivilDate date) {
    int64_t year = date.year - (date.month <= 2 ? 1 : 0);
    int64_t era = floor_div(year, 400);
    int64_t year_of_era = year - era * 400;
    int64_t month = date.month > 2 ? date.month - 3 : date.month + 9; /* March = 0 */
    int64_t day_of_year = (153 * month + 2) / 5 + date.day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468; /* 1970-01-01 counted from 0000-03-01 */
}

CivilDate date_from_days(int64_t days) {
    int64_t shifted = days + 719468;
    int64_t era = floor_div(shifted, 146097);
    int64_t day_of_era = shifted - era * 146097;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month = (5 * day_of_year + 2) / 153;
    CivilDate date = {.year = year_of_era + era * 400,
                      .month = (int)(month < 10 ? month + 3 : month - 9),
                      .day = (int)(day_of_year - (153 * month + 2) / 5 + 1)};
    if (date.month <= 2) {
        date.year++;
    }
    return date;
}

int days_in_month(int64_t year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month == 2 && leap ? 29 : days[month - 1];
}

int weekday_of_days(int64_t days) {
    int64_t weekday = (days + 4) % 7; /* 1970-01-01 was a Thursday */
    return (int)(weekday < 0 ? weekday + 7 : weekday);
}

/* ---- text ---- */

/* Exactly `count` digits at *at. */
static bool read_digits(Str text, size_t *at, int count, int64_t *out) {
    int64_t value = 0;
    for (int i = 0; i < count; i++, (*at)++) {
        if (*at >= text.len || text.ptr[*at] < '0' || text.ptr[*at] > '9') {
            return false;
        }
        value = value * 10 + (text.ptr[*at] - '0');
    }
    *out = value;
    return true;
}

static bool read_char(Str text, size_t *at, const char *any_of) {
    if (*at < text.len && str_find_char(str_from(any_of), text.ptr[*at], NULL)) {
        (*at)++;
        return true;
    }
    return false;
}

static bool read_date(Str text, size_t *at, int64_t *out_days) {
    int64_t year = 0;
    int64_t month = 0;
    int64_t day = 0;
    if (!read_digits(text, at, 4, &year) || !read_char(text, at, "-") ||
        !read_digits(text, at, 2, &month) || !read_char(text, at, "-") ||
        !read_digits(text, at, 2, &day) || month < 1 || month > 12 || day < 1 ||
        day > days_in_month(year, (int)month)) {
        return false;
    }
    *out_days = date_to_days((CivilDate){year, (int)month, (int)day});
    return true;
}

/* HH:MM:SS[.f…] with `least` to `most` digits of fraction. */
static bool read_time(Str text, size_t *at, int least, int most, int64_t *out_ms) {
    int64_t hour = 0;
    int64_t minute = 0;
    int64_t second = 0;
    if (!read_digits(text, at, 2, &hour) || !read_char(text, at, ":") ||
        !read_digits(text, at, 2, &minute) || !read_char(text, at, ":") ||
        !read_digits(text, at, 2, &second) || hour > 23 || minute > 59 || second > 59) {
        return false;
    }
    int64_t ms = ((hour * 60 + minute) * 60 + second) * MS_PER_SECOND;
    if (read_char(text, at, ".")) {
        int digits = 0;
        int64_t scale = 100;
        int64_t digit;
        while (digits < most && read_digits(text, at, 1, &digit)) {
            ms += digit * scale;
            scale /= 10;
            digits++;
        }
        if (digits < least) {
            return false;
        }
    }
    *out_ms = ms;
    return true;
}

bool datetime_parse(Str text, int64_t *out_ms) {
    size_t at = 0;
    int64_t days;
    int64_t time;
    if (!read_date(text, &at, &days) || !read_char(text, &at, "Tt ") ||
        !read_time(text, &at, 1, 3, &time)) {
        return false;
    }
    int64_t offset = 0;
    if (!read_char(text, &at, "Zz")) {
        bool west = at < text.len && text.ptr[at] == '-';
        int64_t hours;
        int64_t minutes;
        if (!read_char(text, &at, "+-") || !read_digits(text, &at, 2, &hours) ||
            !read_char(text, &at, ":") || !read_digits(text, &at, 2, &minutes) || hours > 23 ||
            minutes > 59) {
            return false;
        }
        offset = (hours * 60 + minutes) * MS_PER_MINUTE * (west ? -1 : 1);
    }
    int64_t ms = days * MS_PER_DAY + time - offset;
    if (at != text.len || ms < DATETIME_LEAST || ms > DATETIME_MOST) {
        return false;
    }
    *out_ms = ms;
    return true;
}

bool date_parse(Str text, int64_t *out_ms) {
    size_t at = 0;
    int64_t days;
    if (!read_date(text, &at, &days) || at != text.len) {
        return false;
    }
    *out_ms = days * MS_PER_DAY;
    return true;
}

bool time_parse(Str text, int64_t *out_ms) {
    size_t at = 0;
    int64_t ms;
    if (!read_time(text, &at, 3, 3, &ms) || at != text.len) {
        return false;
    }
    *out_ms = ms;
    return true;
}

static void put_date(int64_t days, Buf *out) {
    CivilDate date = date_from_days(days);
    buf_format(out, "%04d-%02d-%02d", (int)date.year, date.month, date.day);
}

static void put_time(int64_t ms, Buf *out) {
    int seconds = (int)(ms / MS_PER_SECOND);
    buf_format(out, "%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if (ms % MS_PER_SECOND != 0) {
        buf_format(out, ".%03d", (int)(ms % MS_PER_SECOND));
    }
}

bool datetime_format(int64_t ms, Buf *out) {
    if (ms < DATETIME_LEAST || ms > DATETIME_MOST) {
        return false;
    }
    int64_t days = floor_div(ms, MS_PER_DAY);
    put_date(days, out);
    buf_add_char(out, 'T');
    put_time(ms - days * MS_PER_DAY, out);
    buf_add_char(out, 'Z');
    return true;
}

bool date_format(int64_t ms, Buf *out) {
    if (ms < DATETIME_LEAST || ms > DATETIME_MOST || ms % MS_PER_DAY != 0) {
        return false;
    }
    put_date(ms / MS_PER_DAY, out);
    return true;
}

bool time_format(int64_t ms, Buf *out) {
    if (ms < 0 || ms >= MS_PER_DAY) {
        return false;
    }
    put_time(ms, out);
    return true;
}
