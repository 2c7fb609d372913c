/* base/clock.h: the machine's clocks. Any thread. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include "base/base.h"

/* CLOCK_REALTIME in epoch milliseconds. */
int64_t clock_wall_ms(void);
/* CLOCK_MONOTONIC: never goes back, stands still while the machine sleeps. */
int64_t clock_monotonic_ms(void);
int64_t clock_monotonic_ns(void);
/* CLOCK_BOOTTIME: never goes back, runs on while the machine sleeps. */
int64_t clock_boot_ms(void);

#endif
