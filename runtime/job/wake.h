/* runtime/job/wake.h: how a worker sleeps, and what wakes it (J6.3).
 *
 * In the process: wake_post, by slots and by transactions that enqueued. Across processes: a wake
 * file beside the database, `<database>-wake`, to which an enqueuing process writes a byte after
 * its COMMIT has returned (watching the WAL itself is too early). A lost wake-up costs latency and
 * never a task: the worker polls besides. */
#ifndef RUNTIME_JOB_WAKE_H
#define RUNTIME_JOB_WAKE_H

#include "base/base.h"

typedef struct Wake Wake;

/* The worker's side. Without inotify or file the worker only polls. NULL without memory or
 * descriptors. `database_path` is copied. */
Wake *wake_new(const char *database_path);
void wake_free(Wake *wake);

/* Any thread: ends the current or next wake_sleep. */
void wake_post(Wake *wake);
/* Any thread, after a commit: ends the sleep if the worker would sleep past `due`. */
void wake_post_due(Wake *wake, int64_t due);

/* The worker's thread: a descriptor that ends sleeps too while it is readable, as a stop request
 * does; -1: none any more. */
void wake_also(Wake *wake, int descriptor);

/* The worker's thread. Before looking for work: from now on every wake_post_due counts. */
void wake_listen(Wake *wake);
/* Sleeps at most `timeout_us` microseconds (up to an hour). `until` is the moment, in epoch ms,
 * that the worker means to sleep to, for wake_post_due; INT64_MIN: enqueues do not matter now.
 * True: something was posted, or another process wrote to the wake file. */
bool wake_sleep(Wake *wake, int64_t timeout_us, int64_t until);

/* The enqueuer's side: writes a byte to the wake file, if some worker made one. */
void wake_others(const char *database_path);

#endif
