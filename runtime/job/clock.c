/* runtime/job/clock.c: the last moment told, and what to do when the next is before it. */
#include "runtime/job/clock.h"

#include "base/clock.h"

static int64_t machine_time(void *self) {
    (void)self;
    return clock_wall_ms();
}

void job_clock_init(JobClock *clock, int64_t (*read)(void *self), void *self) {
    clock->read = read == NULL ? machine_time : read;
    clock->self = self;
    atomic_init(&clock->last, INT64_MIN);
}

int64_t job_clock_now(JobClock *clock, int64_t *out_back) {
    int64_t now = clock->read(clock->self);
    int64_t back = 0;
    int64_t last = atomic_load(&clock->last);
    do {
        back = 0;
        if (last != INT64_MIN && now < last) {
            if (last - now <= CLOCK_SMOOTHED_MS) {
                now = last;
                break;
            }
            back = last - now;
        }
    } while (!atomic_compare_exchange_weak(&clock->last, &last, now));
    if (out_back != NULL) {
        *out_back = back;
    }
    return now;
}
