/* contract/cron.c: each field becomes a set of bits; matching is looking at them. */
#include "contract/cron.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/datetime.h"
#include "base/sha256.h"
#include "contract/job_limits.h"

enum { MINUTE, HOUR, DAY, MONTH, WEEKDAY };

static const struct {
    const char *name;
    uint32_t least;
    uint32_t most;
} fields[CRON_FIELDS] = {
    {"minute", 0, 59}, {"hour", 0, 23},       {"day of month", 1, 31},
    {"month", 1, 12},  {"day of week", 0, 6},
};

/* ---- reading ---- */

static bool wrong(CronError *error, Str text, Str part, const char *format, ...) PRINTF_LIKE(4, 5);
static bool wrong(CronError *error, Str text, Str part, const char *format, ...) {
    if (error != NULL) {
        error->at = (size_t)(part.ptr - text.ptr);
        error->len = part.len;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return false;
}

typedef struct Shown {
    char text[33];
} Shown;

/* The beginning of what was found, fit for any terminal: a right expression is plain ASCII. */
static Shown shown(Str part) {
    Shown out = {{0}};
    for (size_t i = 0; i < part.len && i < sizeof out.text - 1; i++) {
        out.text[i] = part.ptr[i] >= ' ' && part.ptr[i] <= '~' ? part.ptr[i] : '?';
    }
    return out;
}

/* Digits only; a number that is too large to count becomes UINT32_MAX. */
static bool read_number(Str part, uint32_t *out) {
    uint64_t value = 0;
    for (size_t i = 0; i < part.len; i++) {
        if (part.ptr[i] < '0' || part.ptr[i] > '9') {
            return false;
        }
        value = value * 10 + (uint64_t)(part.ptr[i] - '0');
        value = value > UINT32_MAX ? UINT32_MAX : value;
    }
    *out = (uint32_t)value;
    return part.len > 0;
}

static bool read_value(Str text, Str part, size_t field, uint32_t *out, CronError *error) {
    if (!read_number(part, out)) {
        return wrong(error, text, part, "%s: expected a number or `*`, found `%s`",
                     fields[field].name, shown(part).text);
    }
    if (*out < fields[field].least || *out > fields[field].most) {
        return wrong(error, text, part, "%s: %s is outside %u-%u%s", fields[field].name,
                     shown(part).text, fields[field].least, fields[field].most,
                     field == WEEKDAY && *out == 7 ? " (Sunday is 0)" : "");
    }
    return true;
}

static bool read_part(Str text, Str part, size_t field, Cron *out, CronError *error) {
    Str range = part;
    uint32_t step = 1;
    size_t slash = 0;
    bool stepped = str_find_char(part, '/', &slash);
    if (stepped) {
        Str number = str_slice(part, slash + 1, part.len);
        range = str_slice(part, 0, slash);
        if (!read_number(number, &step) || step < 1 || step > fields[field].most + 1) {
            return wrong(error, text, part, "%s: a step is a number from 1 to %u, found `%s`",
                         fields[field].name, fields[field].most + 1, shown(number).text);
        }
    }
    uint32_t low = fields[field].least;
    uint32_t high = fields[field].most;
    size_t dash = 0;
    if (str_equal(range, STR("*"))) {
        out->star_step[field] = stepped ? step : 0;
    } else if (str_find_char(range, '-', &dash) && dash > 0) {
        if (!read_value(text, str_slice(range, 0, dash), field, &low, error) ||
            !read_value(text, str_slice(range, dash + 1, range.len), field, &high, error)) {
            return false;
        }
        if (low > high) {
            return wrong(error, text, range, "%s: the range %u-%u runs backwards",
                         fields[field].name, low, high);
        }
    } else {
        if (!read_value(text, range, field, &low, error)) {
            return false;
        }
        high = stepped ? high : low;
    }
    for (uint32_t value = low; value <= high; value += step) {
        out->set[field] |= UINT64_C(1) << value;
    }
    return true;
}

static bool read_field(Str text, Str word, size_t field, Cron *out, CronError *error) {
    Str rest = word;
    bool is_list = false;
    for (;;) {
        size_t comma = rest.len;
        bool more = str_find_char(rest, ',', &comma);
        is_list = is_list || more;
        if (comma == 0) {
            return wrong(error, text, word, "%s: a part of the list is empty", fields[field].name);
        }
        if (!read_part(text, str_slice(rest, 0, comma), field, out, error)) {
            return false;
        }
        if (!more) {
            break;
        }
        rest = str_slice(rest, comma + 1, rest.len);
    }
    if (is_list) {
        out->star_step[field] = 0;
    }
    return true;
}

static bool matches(const Cron *cron, size_t field, int value) {
    return (cron->set[field] >> value & 1) != 0;
}

/* Is there a month with one of the days? A weekday comes in every month. */
static bool can_match(const Cron *cron) {
    if (!cron->day_restricted || cron->weekday_restricted) {
        return true;
    }
    for (int month = 1; month <= 12; month++) {
        for (int day = 1; matches(cron, MONTH, month) && day <= days_in_month(2000, month); day++) {
            if (matches(cron, DAY, day)) {
                return true;
            }
        }
    }
    return false;
}

static bool restricted(const Cron *cron, size_t field) {
    uint64_t all = 0;
    for (uint32_t value = fields[field].least; value <= fields[field].most; value++) {
        all |= UINT64_C(1) << value;
    }
    return cron->set[field] != all;
}

bool cron_parse(Str text, Cron *out, CronError *error) {
    Cron cron = {0};
    size_t count = 0;
    size_t at = 0;
    if (text.len > JOB_CRON_MAX) {
        return wrong(error, text, text, "the expression has more than %d bytes", JOB_CRON_MAX);
    }
    while (at < text.len) {
        size_t from = at;
        while (at < text.len && text.ptr[at] != ' ') {
            at++;
        }
        Str word = str_slice(text, from, at);
        if (word.len > 0) {
            if (count == CRON_FIELDS) {
                return wrong(error, text, word,
                             "expected five fields (minute hour day month weekday), found more");
            }
            if (word.ptr[0] == '@') {
                return wrong(error, text, word,
                             "expected five fields (minute hour day month weekday), found a name");
            }
            if (!read_field(text, word, count, &cron, error)) {
                return false;
            }
            count++;
        }
        at++;
    }
    if (count != CRON_FIELDS) {
        return wrong(error, text, text,
                     "expected five fields (minute hour day month weekday), found %zu", count);
    }
    cron.day_restricted = restricted(&cron, DAY);
    cron.weekday_restricted = restricted(&cron, WEEKDAY);
    if (!can_match(&cron)) {
        return wrong(error, text, text, "no month has such a day: this never fires");
    }
    *out = cron;
    return true;
}

/* ---- matching ---- */

static bool day_matches(const Cron *cron, int day, int weekday) {
    bool by_day = matches(cron, DAY, day);
    bool by_weekday = matches(cron, WEEKDAY, weekday);
    return cron->day_restricted && cron->weekday_restricted ? by_day || by_weekday
                                                            : by_day && by_weekday;
}

/* The first matching minute of the day at or after `from` (minutes since midnight); -1: none. */
static int minute_of_day(const Cron *cron, int from) {
    for (int hour = from / 60; hour < 24; hour++) {
        if (!matches(cron, HOUR, hour)) {
            continue;
        }
        for (int minute = hour == from / 60 ? from % 60 : 0; minute < 60; minute++) {
            if (matches(cron, MINUTE, minute)) {
                return hour * 60 + minute;
            }
        }
    }
    return -1;
}

int64_t cron_next(const Cron *cron, int64_t after_ms) {
    if (after_ms < DATETIME_LEAST) {
        after_ms = DATETIME_LEAST - 1;
    }
    if (after_ms >= DATETIME_MOST - MS_PER_MINUTE) {
        return INT64_MAX;
    }
    int64_t minute = floor_div(after_ms, MS_PER_MINUTE) + 1;
    int64_t day = floor_div(minute, 24 * 60);
    int from = (int)(minute - day * 24 * 60);
    while (day * MS_PER_DAY <= DATETIME_MOST) {
        CivilDate date = date_from_days(day);
        if (!matches(cron, MONTH, date.month)) {
            day += days_in_month(date.year, date.month) - date.day + 1;
        } else {
            int found =
                day_matches(cron, date.day, weekday_of_days(day)) ? minute_of_day(cron, from) : -1;
            if (found >= 0) {
                return day * MS_PER_DAY + found * MS_PER_MINUTE;
            }
            day++;
        }
        from = 0;
    }
    return INT64_MAX;
}

void cron_fingerprint(const Cron *cron, char out[CRON_FINGERPRINT_SIZE]) {
    char sets[CRON_FIELDS * 17 + 1] = "";
    for (size_t i = 0; i < CRON_FIELDS; i++) {
        size_t used = strlen(sets);
        snprintf(sets + used, sizeof sets - used, "%" PRIx64 " ", cron->set[i]);
    }
    char hash[SHA256_HEX_SIZE];
    sha256_hex(str_from(sets), hash);
    memcpy(out, hash, CRON_FINGERPRINT_SIZE - 1);
    out[CRON_FINGERPRINT_SIZE - 1] = '\0';
}

/* ---- warnings ---- */

size_t cron_warnings(const Cron *cron, char out[CRON_WARNINGS_MOST][CRON_WARNING_SIZE]) {
    size_t count = 0;
    for (size_t i = 0; i < CRON_FIELDS; i++) {
        uint32_t size = fields[i].most - fields[i].least + 1;
        if (cron->star_step[i] > 1 && size % cron->star_step[i] != 0) {
            snprintf(out[count++], CRON_WARNING_SIZE,
                     "%s: `*/%u` does not divide the range %u-%u: the last gap is shorter",
                     fields[i].name, cron->star_step[i], fields[i].least, fields[i].most);
        }
    }
    if (cron->day_restricted && cron->weekday_restricted) {
        bool step = cron->star_step[DAY] != 0 || cron->star_step[WEEKDAY] != 0;
        snprintf(out[count++], CRON_WARNING_SIZE, "%s",
                 step ? "`*/n` restricts its day field: a day matches when either day field does"
                      : "both day fields are restricted: a day matches when either does, not both");
    }
    return count;
}
