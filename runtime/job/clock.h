/* runtime/job/clock.h: the one clock that judges the tasks of a SQLite database (J5.1).
 *
 * It is the machine's CLOCK_REALTIME, which all processes of the database share. Small steps back
 * (NTP) would make leases and order stutter, so up to five seconds are smoothed: the clock stands
 * still until the time has caught up. A larger step is an operator's decision and is taken as it
 * is. */
#ifndef RUNTIME_JOB_CLOCK_H
#define RUNTIME_JOB_CLOCK_H

#include <stdatomic.h>

#include "base/base.h"

enum { CLOCK_SMOOTHED_MS = 5000 };

/* One for each database of the process; any thread. */
typedef struct JobClock {
    int64_t (*read)(void *self); /* epoch ms; of a test: its own */
    void *self;
    _Atomic int64_t last;
} JobClock;

/* `read` NULL: the machine's clock. */
void job_clock_init(JobClock *clock, int64_t (*read)(void *self), void *self);

/* Now, in epoch ms. To be asked while the write lock is held, where the answer is written. When the
 * clock went back further than is smoothed, *out_back is by how many ms, else 0; may be NULL. */
int64_t job_clock_now(JobClock *clock, int64_t *out_back);

#endif
