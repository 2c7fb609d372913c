/* runtime/database/condition.h: condition variables whose waits are measured by CLOCK_MONOTONIC. */
#ifndef RUNTIME_DATABASE_CONDITION_H
#define RUNTIME_DATABASE_CONDITION_H

#include <pthread.h>

#include "base/base.h"

void condition_init(pthread_cond_t *condition);
/* Waits at most `ms` milliseconds; false when they are over. The mutex is held before and after. */
bool condition_wait_ms(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t ms);

#endif
