/* runtime/database/condition.c: the few lines around pthread_cond_timedwait that are easy to get
 * wrong. */
#include "runtime/database/condition.h"

#include <time.h>

void condition_init(pthread_cond_t *condition) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

bool condition_wait_ms(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t ms) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(ms % 1000) * 1000000L;
    until.tv_sec += (time_t)(ms / 1000) + until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    return pthread_cond_timedwait(condition, mutex, &until) == 0;
}
