/* base/clock.c: one call of clock_gettime each; it cannot fail for these clocks on Linux. */
#include "base/clock.h"

#include <time.h>

static int64_t read_ns(clockid_t id) {
    struct timespec time;
    clock_gettime(id, &time);
    return (int64_t)time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

int64_t clock_wall_ms(void) {
    return read_ns(CLOCK_REALTIME) / 1000000;
}

int64_t clock_monotonic_ns(void) {
    return read_ns(CLOCK_MONOTONIC);
}

int64_t clock_monotonic_ms(void) {
    return clock_monotonic_ns() / 1000000;
}

int64_t clock_boot_ms(void) {
    return read_ns(CLOCK_BOOTTIME) / 1000000;
}
