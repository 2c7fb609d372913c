/* runtime/process/stop.h: the request that the program stops.
 *
 * SIGTERM or SIGINT asks for it: running work may go on for shutdown_ms. A second signal moves that
 * deadline to now, a third ends the process at once. The process ends by itself, with 1, when the
 * steps after the deadline have not ended in their own budget (STOP_AFTER_DEADLINE_MS). */
#ifndef RUNTIME_PROCESS_STOP_H
#define RUNTIME_PROCESS_STOP_H

#include "base/base.h"

/* 2 s to cancel and join, 1.5 s to write and release, 1 s to close, 0.5 s for the log. */
enum { STOP_AFTER_DEADLINE_MS = 5000 };

/* Blocks SIGTERM and SIGINT in this thread and those it starts, and starts the thread that waits for
 * them. Before any other thread. `at_deadline` (may be NULL) is called once, on that thread, when a
 * requested stop reaches its deadline. False when the system refuses it; stop_finish() must follow in
 * any case. */
bool stop_start(int64_t shutdown_ms, void (*at_deadline)(void *self), void *self);
/* Ends that thread and forgets every request, so that a test may start again. The signals stay
 * blocked. Does nothing without stop_start(). */
void stop_finish(void);

/* Asks for the stop from inside, or moves its deadline (CLOCK_BOOTTIME, ms) nearer. Any thread. */
void stop_request(int64_t deadline_boot_ms);

/* Any thread. */
bool stop_requested(void);
/* CLOCK_BOOTTIME in ms; INT64_MAX while no stop is requested. */
int64_t stop_deadline_boot_ms(void);
/* A descriptor that becomes readable, and stays so, once a stop is requested; -1 without stop_start. */
int stop_descriptor(void);
/* Something had to be cancelled: the program will exit with 1. */
void stop_note_cancelled(void);
bool stop_was_forced(void);

#endif
