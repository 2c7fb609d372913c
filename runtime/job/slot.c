/* runtime/job/slot.c: the threads of a worker.
 *
 * One mutex guards the states of all slots; it is held for a few instructions at a time, and nobody
 * calls out while holding it except to cancel a scope, which only sets a flag and wakes waiters. */
#include "runtime/job/slot.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "runtime/database/condition.h"
#include "runtime/task/scope.h"

enum { PAYLOAD_KEPT = 64 * 1024 };

typedef struct SlotThread {
    Slots *slots;
    uint32_t index;
    pthread_t thread;
    pthread_cond_t start; /* the slot became running, or the worker ends */
} SlotThread;

struct Slots {
    JobClock *clock;
    Wake *wake;
    uint32_t count;
    Slot *slot;         /* count */
    SlotThread *thread; /* count */
    uint32_t threads;   /* started */
    pthread_t watcher;
    bool watching; /* the watcher was started */

    pthread_mutex_t mutex;
    pthread_cond_t watch; /* a deadline before `next_look`, or the worker ends */
    pthread_cond_t left;  /* a thread has left */
    int64_t next_look;
    uint32_t running;
    uint32_t done;
    bool ending;
};

/* ---- running ---- */

static bool attempt_opened(void *self, dv_scope *scope) {
    SlotThread *thread = self;
    Slots *slots = thread->slots;
    Slot *slot = &slots->slot[thread->index];
    pthread_mutex_lock(&slots->mutex);
    bool go = slot->cancelled == CANCEL_NONE;
    slot->scope = scope;
    pthread_mutex_unlock(&slots->mutex);
    return go;
}

static void attempt_started(void *self) {
    SlotThread *thread = self;
    Slots *slots = thread->slots;
    Slot *slot = &slots->slot[thread->index];
    int64_t now = clock_boot_ms();
    pthread_mutex_lock(&slots->mutex);
    slot->timeout_deadline = now + slot->claim.timeout_ms;
    if (slot->timeout_deadline < slots->next_look) {
        pthread_cond_signal(&slots->watch);
    }
    pthread_mutex_unlock(&slots->mutex);
}

static CancelReason attempt_closing(void *self) {
    SlotThread *thread = self;
    Slots *slots = thread->slots;
    Slot *slot = &slots->slot[thread->index];
    pthread_mutex_lock(&slots->mutex);
    slot->scope = NULL;
    slot->timeout_deadline = INT64_MAX;
    CancelReason reason = slot->cancelled;
    pthread_mutex_unlock(&slots->mutex);
    return reason;
}

static void run_slot(SlotThread *thread) {
    Slot *slot = &thread->slots->slot[thread->index];
    AttemptEvents events = {.opened = attempt_opened,
                            .started = attempt_started,
                            .closing = attempt_closing,
                            .self = thread};
    attempt_run(&slot->claim, thread->slots->clock, &events, &slot->outcome, &slot->written);
    if (slot->claim.payload.capacity > PAYLOAD_KEPT) {
        buf_done(&slot->claim.payload);
    }
}

static void *slot_main(void *self) {
    SlotThread *thread = self;
    Slots *slots = thread->slots;
    Slot *slot = &slots->slot[thread->index];
    pthread_mutex_lock(&slots->mutex);
    for (;;) {
        while (slot->state != SLOT_RUNNING && !slots->ending) {
            pthread_cond_wait(&thread->start, &slots->mutex);
        }
        if (slot->state != SLOT_RUNNING) {
            break;
        }
        pthread_mutex_unlock(&slots->mutex);
        run_slot(thread);
        int64_t now = clock_boot_ms();
        pthread_mutex_lock(&slots->mutex);
        slot->duration_ms = now - slot->started_at;
        slot->state = SLOT_DONE;
        slots->running--;
        slots->done++;
        /* The control thread waits for the first of a batch and then, briefly, for the last. */
        if (slots->done == 1 || slots->running == 0) {
            wake_post(slots->wake);
        }
    }
    pthread_cond_signal(&slots->left);
    pthread_mutex_unlock(&slots->mutex);
    return NULL;
}

/* ---- deadlines ---- */

static void cancel_locked(Slot *slot, CancelReason reason) {
    if (slot->state != SLOT_RUNNING || slot->cancelled != CANCEL_NONE) {
        return;
    }
    slot->cancelled = reason;
    if (slot->scope != NULL) {
        scope_cancel(slot->scope);
    }
}

/* Cancels what is over; the next moment to look. */
static int64_t look_locked(Slots *slots, int64_t now) {
    int64_t next = INT64_MAX;
    for (uint32_t i = 0; i < slots->count; i++) {
        Slot *slot = &slots->slot[i];
        if (slot->state != SLOT_RUNNING || slot->cancelled != CANCEL_NONE) {
            continue;
        }
        if (now >= slot->lease_deadline) {
            cancel_locked(slot, CANCEL_LOST);
        } else if (now >= slot->timeout_deadline) {
            cancel_locked(slot, CANCEL_TIMEOUT);
        } else {
            next = slot->lease_deadline < next ? slot->lease_deadline : next;
            next = slot->timeout_deadline < next ? slot->timeout_deadline : next;
        }
    }
    return next;
}

static void *watch_main(void *self) {
    Slots *slots = self;
    pthread_mutex_lock(&slots->mutex);
    while (!slots->ending) {
        int64_t now = clock_boot_ms();
        int64_t next = look_locked(slots, now);
        slots->next_look = next;
        if (next == INT64_MAX) {
            pthread_cond_wait(&slots->watch, &slots->mutex);
            continue;
        }
        /* The condition's clock stands still while the machine sleeps, but then nobody runs either;
         * afterwards it is late by at most a second. */
        condition_wait_ms(&slots->watch, &slots->mutex, next - now > 1000 ? 1000 : next - now);
    }
    pthread_mutex_unlock(&slots->mutex);
    return NULL;
}

/* ---- the control thread's side ---- */

uint32_t slots_count(const Slots *slots) {
    return slots->count;
}

Slot *slots_at(Slots *slots, uint32_t index) {
    return &slots->slot[index];
}

SlotState slots_state(Slots *slots, uint32_t index) {
    pthread_mutex_lock(&slots->mutex);
    SlotState state = slots->slot[index].state;
    pthread_mutex_unlock(&slots->mutex);
    return state;
}

void slots_load(Slots *slots, uint32_t *out_running, uint32_t *out_done) {
    pthread_mutex_lock(&slots->mutex);
    *out_running = slots->running;
    *out_done = slots->done;
    pthread_mutex_unlock(&slots->mutex);
}

void slots_start(Slots *slots, uint32_t index, int64_t lease_deadline) {
    int64_t now = clock_boot_ms();
    pthread_mutex_lock(&slots->mutex);
    Slot *slot = &slots->slot[index];
    slot->written = false;
    slot->lost_noted = false;
    slot->cancelled = CANCEL_NONE;
    slot->lease_deadline = lease_deadline;
    slot->timeout_deadline = INT64_MAX;
    slot->started_at = now;
    slot->state = SLOT_RUNNING;
    slots->running++;
    pthread_cond_signal(&slots->thread[index].start);
    if (lease_deadline < slots->next_look) {
        pthread_cond_signal(&slots->watch);
    }
    pthread_mutex_unlock(&slots->mutex);
}

void slots_extend(Slots *slots, uint32_t index, int64_t lease_deadline) {
    pthread_mutex_lock(&slots->mutex);
    slots->slot[index].lease_deadline = lease_deadline;
    pthread_mutex_unlock(&slots->mutex);
}

void slots_cancel(Slots *slots, uint32_t index, CancelReason reason) {
    pthread_mutex_lock(&slots->mutex);
    cancel_locked(&slots->slot[index], reason);
    pthread_mutex_unlock(&slots->mutex);
}

void slots_clear(Slots *slots, uint32_t index) {
    pthread_mutex_lock(&slots->mutex);
    slots->slot[index].state = SLOT_FREE;
    slots->done--;
    pthread_mutex_unlock(&slots->mutex);
}

bool slots_lease_over(Slots *slots, uint32_t index) {
    int64_t now = clock_boot_ms();
    pthread_mutex_lock(&slots->mutex);
    bool over = now >= slots->slot[index].lease_deadline;
    pthread_mutex_unlock(&slots->mutex);
    return over;
}

/* ---- start and end ---- */

static void slots_free(Slots *slots) {
    for (uint32_t i = 0; i < slots->count; i++) {
        if (slots->slot != NULL) {
            buf_done(&slots->slot[i].claim.payload);
        }
        if (slots->thread != NULL) {
            pthread_cond_destroy(&slots->thread[i].start);
        }
    }
    pthread_cond_destroy(&slots->left);
    pthread_cond_destroy(&slots->watch);
    pthread_mutex_destroy(&slots->mutex);
    free(slots->thread);
    free(slots->slot);
    free(slots);
}

Slots *slots_new(uint32_t count, JobClock *clock, Wake *wake) {
    Slots *slots = calloc(1, sizeof *slots);
    if (slots == NULL) {
        return NULL;
    }
    pthread_mutex_init(&slots->mutex, NULL);
    condition_init(&slots->watch);
    condition_init(&slots->left);
    slots->clock = clock;
    slots->wake = wake;
    slots->next_look = INT64_MAX;
    slots->slot = calloc(count, sizeof *slots->slot);
    slots->thread = calloc(count, sizeof *slots->thread);
    if (slots->slot == NULL || slots->thread == NULL) {
        slots_free(slots);
        return NULL;
    }
    slots->count = count;
    for (uint32_t i = 0; i < count; i++) {
        slots->thread[i] = (SlotThread){.slots = slots, .index = i};
        pthread_cond_init(&slots->thread[i].start, NULL);
    }
    bool ok = pthread_create(&slots->watcher, NULL, watch_main, slots) == 0;
    slots->watching = ok;
    while (ok && slots->threads < count) {
        SlotThread *thread = &slots->thread[slots->threads];
        pthread_mutex_lock(&slots->mutex);
        ok = pthread_create(&thread->thread, NULL, slot_main, thread) == 0;
        slots->threads += ok ? 1 : 0;
        pthread_mutex_unlock(&slots->mutex);
    }
    if (!ok) {
        slots_end(slots, 0);
        return NULL;
    }
    return slots;
}

bool slots_end(Slots *slots, int64_t wait_ms) {
    pthread_mutex_lock(&slots->mutex);
    slots->ending = true;
    pthread_cond_signal(&slots->watch);
    for (uint32_t i = 0; i < slots->threads; i++) {
        pthread_cond_signal(&slots->thread[i].start);
    }
    int64_t end = clock_monotonic_ms() + wait_ms;
    for (int64_t now = 0; slots->running > 0 && (now = clock_monotonic_ms()) < end;) {
        condition_wait_ms(&slots->left, &slots->mutex, end - now);
    }
    bool stuck = slots->running > 0;
    pthread_mutex_unlock(&slots->mutex);
    if (stuck) {
        return false;
    }
    for (uint32_t i = 0; i < slots->threads; i++) {
        pthread_join(slots->thread[i].thread, NULL);
    }
    if (slots->watching) {
        pthread_join(slots->watcher, NULL);
    }
    slots_free(slots);
    return true;
}
