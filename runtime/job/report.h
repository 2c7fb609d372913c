/* runtime/job/report.h: what a worker says in the log (J6.13), and its counts.
 *
 * Every end of an attempt is one line. Lines hold ids, targets, words of J7 and places: never a
 * message text, payload or key. Used by the control thread. */
#ifndef RUNTIME_JOB_REPORT_H
#define RUNTIME_JOB_REPORT_H

#include "runtime/job/slot.h"
#include "runtime/job/store.h"

/* Since the last report_counts. */
typedef struct Counts {
    int64_t claimed;
    int64_t succeeded;
    int64_t retried; /* back to pending, whatever for */
    int64_t dead;
    int64_t blocked;
    int64_t lost;
    int64_t recovered; /* of other workers: back to pending or dead */
} Counts;

/* The end of an attempt of this worker. A copy, so that its slot can go on before the log does. */
typedef struct ReportEnd {
    char id[TASK_ID_SIZE];
    const char *target;
    int64_t attempt;
    int64_t max_attempts;
    int64_t duration_ms;
    char detail[JOB_DETAIL_MAX + 1];
    OutcomeNext next; /* as it was written */
    int64_t now;
} ReportEnd;

ReportEnd report_end_of(const Slot *slot, OutcomeNext next, int64_t now);
void report_end(Counts *counts, const ReportEnd *end);
/* The claim of this attempt is gone; its result is dropped. */
void report_lost(Counts *counts, const Slot *slot);
/* What a sweep or a claim did to a task that this worker does not run. */
void report_event(Counts *counts, const StoreEvent *event, int64_t now);
/* This handler still runs although the process must end. */
void report_stuck_task(const Slot *slot);
/* Once a minute and at the end; clears the counts. */
void report_counts(Counts *counts, uint32_t running, uint32_t slots);

void report_start(const char *worker, uint32_t slots);
/* A line of the worker itself. `detail` may be NULL. */
void report_info(const char *message, const char *detail);
void report_warning(const char *message, const char *detail);
void report_error(const char *message, const char *detail);

#endif
