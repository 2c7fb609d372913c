/* runtime/job/report.c: the words of the log. */
#include "runtime/job/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/process/log.h"

enum { FIELDS_MOST = 12 };

/* One line under construction. Numbers are written into `numbers`. */
typedef struct Line {
    LogField fields[FIELDS_MOST];
    size_t count;
    char numbers[FIELDS_MOST][24];
} Line;

static void add(Line *line, const char *name, Str value) {
    line->fields[line->count++] = (LogField){.name = str_from(name), .value = value};
}

static void add_number(Line *line, const char *name, int64_t value) {
    char *text = line->numbers[line->count];
    snprintf(text, sizeof line->numbers[0], "%" PRId64, value);
    add(line, name, str_from(text));
}

static void add_text(Line *line, const char *name, const char *value) {
    if (value != NULL && value[0] != '\0') {
        add(line, name, str_from(value));
    }
}

static void write_line(LogLevel level, const char *message, const Line *line) {
    log_write(level, str_from(message), line->fields, line->count);
}

static void count_end(Counts *counts, const OutcomeNext *next) {
    if (strcmp(next->state, "succeeded") == 0) {
        counts->succeeded++;
    } else if (strcmp(next->state, "pending") == 0) {
        counts->retried++;
    } else if (strcmp(next->state, "dead") == 0) {
        counts->dead++;
    } else {
        counts->blocked++;
    }
}

/* Dead and blocked tasks need somebody; a retry is worth a look. */
static LogLevel level_of(const OutcomeNext *next) {
    if (strcmp(next->state, "succeeded") == 0) {
        return LOG_INFO;
    }
    return strcmp(next->state, "pending") == 0 ? LOG_WARN : LOG_ERROR;
}

static void add_end(Line *line, const OutcomeNext *next, int64_t now) {
    add_text(line, "outcome", next->state);
    add_text(line, "error", next->error);
    if (strcmp(next->state, "pending") == 0) {
        add_number(line, "next_run_in_ms", next->run_at > now ? next->run_at - now : 0);
    }
}

ReportEnd report_end_of(const Slot *slot, OutcomeNext next, int64_t now) {
    ReportEnd end = {.target = slot->claim.job->target,
                     .attempt = slot->claim.attempt,
                     .max_attempts = slot->claim.max_attempts,
                     .duration_ms = slot->duration_ms,
                     .next = next,
                     .now = now};
    memcpy(end.id, slot->claim.id, sizeof end.id);
    memcpy(end.detail, slot->outcome.detail, strlen(slot->outcome.detail) + 1);
    return end;
}

void report_end(Counts *counts, const ReportEnd *end) {
    Line line = {0};
    add_text(&line, "task", end->id);
    add_text(&line, "target", end->target);
    add_number(&line, "attempt", end->attempt);
    add_number(&line, "of", end->max_attempts);
    add_end(&line, &end->next, end->now);
    add_text(&line, "detail", end->detail);
    add_number(&line, "duration_ms", end->duration_ms);
    write_line(level_of(&end->next), "job attempt ended", &line);
    count_end(counts, &end->next);
}

static void add_slot(Line *line, const Slot *slot) {
    add_text(line, "task", slot->claim.id);
    add_text(line, "target", slot->claim.job->target);
    add_number(line, "attempt", slot->claim.attempt);
    add_number(line, "of", slot->claim.max_attempts);
}

void report_lost(Counts *counts, const Slot *slot) {
    Line line = {0};
    add_slot(&line, slot);
    write_line(LOG_WARN, "job lease lost: the result of this attempt is dropped", &line);
    counts->lost++;
}

void report_stuck_task(const Slot *slot) {
    Line line = {0};
    add_slot(&line, slot);
    write_line(LOG_ERROR, "job could not be stopped: its lease is left to expire", &line);
}

void report_event(Counts *counts, const StoreEvent *event, int64_t now) {
    Line line = {0};
    add(&line, "task", event->id);
    add(&line, "target", event->target);
    add_number(&line, "attempt", event->attempt);
    add_number(&line, "of", event->max_attempts);
    add_end(&line, &event->end, now);
    bool blocked = strcmp(event->end.state, "blocked") == 0;
    write_line(level_of(&event->end), blocked ? "job task blocked" : "job task recovered", &line);
    if (blocked) {
        counts->blocked++;
    } else {
        counts->recovered++;
    }
}

void report_counts(Counts *counts, uint32_t running, uint32_t slots) {
    Line line = {0};
    add_number(&line, "running", running);
    add_number(&line, "slots", slots);
    add_number(&line, "claimed", counts->claimed);
    add_number(&line, "succeeded", counts->succeeded);
    add_number(&line, "retried", counts->retried);
    add_number(&line, "dead", counts->dead);
    add_number(&line, "blocked", counts->blocked);
    add_number(&line, "lost", counts->lost);
    add_number(&line, "recovered", counts->recovered);
    write_line(LOG_INFO, "job counts", &line);
    *counts = (Counts){0};
}

void report_start(const char *worker, uint32_t slots) {
    Line line = {0};
    add_text(&line, "worker", worker);
    add_number(&line, "slots", slots);
    write_line(LOG_INFO, "job worker started", &line);
}

static void say(LogLevel level, const char *message, const char *detail) {
    Line line = {0};
    add_text(&line, "detail", detail);
    write_line(level, message, &line);
}

void report_info(const char *message, const char *detail) {
    say(LOG_INFO, message, detail);
}

void report_warning(const char *message, const char *detail) {
    say(LOG_WARN, message, detail);
}

void report_error(const char *message, const char *detail) {
    say(LOG_ERROR, message, detail);
}
