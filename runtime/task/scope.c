/* runtime/task/scope.c: arena, failure and cancellation of one invocation. */
#include "runtime/task/scope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A century: beyond it the kernel's own times may overflow, and nobody waits that long. */
#define SLEEP_MOST_MS (INT64_C(100) * 366 * 86400 * 1000)

dv_scope *scope_new(void) {
    dv_scope *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->arena = arena_new(SCOPE_MEMORY_MOST);
    if (s->arena == NULL) {
        free(s);
        return NULL;
    }
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&s->woken, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&s->mutex, NULL);
    return s;
}

void scope_free(dv_scope *s) {
    if (s == NULL) {
        return;
    }
    pthread_cond_destroy(&s->woken);
    pthread_mutex_destroy(&s->mutex);
    arena_free(s->arena);
    free(s);
}

/* ---- cancellation ---- */

void scope_cancel(dv_scope *s) {
    /* Under the mutex, so that it cannot fall between a sleeper's look and its wait. */
    pthread_mutex_lock(&s->mutex);
    atomic_store(&s->cancelled, true);
    pthread_cond_broadcast(&s->woken);
    pthread_mutex_unlock(&s->mutex);
}

bool scope_is_cancelled(dv_scope *s) {
    return atomic_load(&s->cancelled);
}

bool scope_sleep(dv_scope *s, int64_t ms) {
    struct timespec until;
    ms = ms > SLEEP_MOST_MS ? SLEEP_MOST_MS : ms;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(ms / 1000);
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&s->mutex);
    int over = 0;
    while (over == 0 && !atomic_load(&s->cancelled)) {
        over = pthread_cond_timedwait(&s->woken, &s->mutex, &until);
    }
    pthread_mutex_unlock(&s->mutex);
    return dv_step(s);
}

bool dv_step(dv_scope *s) {
    if (!atomic_load_explicit(&s->cancelled, memory_order_relaxed)) {
        return true;
    }
    s->failure = (Failure){.kind = FAILURE_CANCELLED};
    return false;
}

/* ---- failures ---- */

void *dv_new(dv_scope *s, size_t size) {
    void *memory = arena_alloc(s->arena, size, _Alignof(max_align_t));
    if (memory == NULL) {
        dv_fault(s, DV_FAULT_MEMORY, NULL);
    }
    return memory;
}

bool dv_at(dv_scope *s, const char *place) {
    Failure *failure = &s->failure;
    bool has_last = failure->place_count > 0 && failure->places_lost == 0;
    if (has_last && strcmp(failure->places[failure->place_count - 1], place) == 0) {
        return false; /* the runtime has named it already */
    }
    if (failure->place_count < SCOPE_PLACES_MOST) {
        failure->places[failure->place_count++] = place;
    } else {
        failure->places_lost++;
    }
    return false;
}

bool dv_fail(dv_scope *s, const dv_type *type, const void *value, const char *place) {
    void *copy = dv_new(s, type->size);
    if (copy != NULL) {
        memcpy(copy, value, type->size);
        s->failure = (Failure){.kind = FAILURE_BUSINESS, .type = type, .value = copy};
    }
    return place == NULL ? false : dv_at(s, place);
}

bool dv_fault(dv_scope *s, dv_fault_kind kind, const char *what) {
    s->failure = (Failure){.kind = FAILURE_FAULT, .fault = kind, .what = what};
    return false;
}

bool dv_caught(dv_scope *s, const dv_type *type, void *value) {
    if (s->failure.kind != FAILURE_BUSINESS || s->failure.type != type) {
        return false;
    }
    memcpy(value, s->failure.value, type->size);
    s->failure = (Failure){0};
    return true;
}

/* ---- what is said about a failure ---- */

static const char *fault_name(dv_fault_kind kind) {
    switch (kind) {
    case DV_FAULT_OVERFLOW:
        return "overflow";
    case DV_FAULT_DIVISION:
        return "division by zero";
    case DV_FAULT_MEMORY:
        return "out of memory";
    case DV_FAULT_LIMIT:
        return "limit";
    case DV_FAULT_INVALID:
        return "invalid argument";
    }
    return "fault";
}

void scope_failure_name(const dv_scope *s, char *out, size_t size) {
    const Failure *failure = &s->failure;
    switch (failure->kind) {
    case FAILURE_NONE:
        snprintf(out, size, "no failure");
        break;
    case FAILURE_BUSINESS: {
        int32_t tag;
        memcpy(&tag, failure->value, sizeof tag);
        snprintf(out, size, "%s.%s", failure->type->name, failure->type->variants[tag].name);
        break;
    }
    case FAILURE_FAULT:
        snprintf(out, size, "%s%s%s", fault_name(failure->fault), failure->what == NULL ? "" : ": ",
                 failure->what == NULL ? "" : failure->what);
        break;
    case FAILURE_CANCELLED:
        snprintf(out, size, "cancelled");
        break;
    }
}

const char *scope_failure_place(const dv_scope *s) {
    return s->failure.place_count == 0 ? NULL : s->failure.places[0];
}

bool scope_has_fault(const dv_scope *s) {
    return s->failure.kind == FAILURE_FAULT;
}

void scope_failure_trace(const dv_scope *s, Buf *out) {
    const Failure *failure = &s->failure;
    char name[512];
    if (failure->places_lost > 0) {
        buf_format(out, "… %u more: ", failure->places_lost);
    }
    for (uint32_t i = failure->place_count; i > 0; i--) {
        buf_format(out, "%s: ", failure->places[i - 1]);
    }
    scope_failure_name(s, name, sizeof name);
    buf_add(out, str_from(name));
}
