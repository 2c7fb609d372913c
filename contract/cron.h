/* contract/cron.h: five-field cron expressions in UTC.
 *
 * minute hour day-of-month month day-of-week; each a comma list of `*`, `a`, `a-b`, each optionally
 * with `/n`. When both day fields are restricted, a day matches when either does (as in Vixie cron).
 * A field is restricted when it leaves some value out, however it is written. */
#ifndef CONTRACT_CRON_H
#define CONTRACT_CRON_H

#include "base/str.h"

enum {
    CRON_FIELDS = 5,
    CRON_FINGERPRINT_SIZE = 33, /* 32 hex digits and a NUL */
    CRON_WARNINGS_MOST = 6,
    CRON_WARNING_SIZE = 160
};

/* Bit n of a set: the field matches n. */
typedef struct Cron {
    uint64_t set[CRON_FIELDS];
    uint32_t star_step[CRON_FIELDS]; /* n where the field is written `*` `/n`, else 0 */
    bool day_restricted;
    bool weekday_restricted;
} Cron;

typedef struct CronError {
    size_t at; /* bytes of the text that are wrong: [at, at + len) */
    size_t len;
    char message[160];
} CronError;

/* Reads an expression. False, with *error (may be NULL) filled, when it is malformed or can never
 * match. */
bool cron_parse(Str text, Cron *out, CronError *error);
/* The next matching minute strictly after a moment; both epoch milliseconds. INT64_MAX beyond the
 * year 9999. Walks days, never minutes. */
int64_t cron_next(const Cron *cron, int64_t after_ms);
/* The same for equal sets, whatever the spelling. */
void cron_fingerprint(const Cron *cron, char out[CRON_FINGERPRINT_SIZE]);
/* What users get wrong and what happens instead, one text each; returns how many. */
size_t cron_warnings(const Cron *cron, char out[CRON_WARNINGS_MOST][CRON_WARNING_SIZE]);

#endif
