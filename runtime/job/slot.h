/* runtime/job/slot.h: the slots of a worker: threads that run handlers, and what may cancel them.
 *
 * The control thread puts a claim into a free slot and collects it when it is done; the slot's
 * thread owns it meanwhile. Besides, one thread watches the deadlines of all slots: whatever the
 * control thread is waiting for, a handler is cancelled when its time is over and when its lease
 * ends (J5.4). */
#ifndef RUNTIME_JOB_SLOT_H
#define RUNTIME_JOB_SLOT_H

#include "runtime/job/attempt.h"
#include "runtime/job/wake.h"

typedef enum SlotState { SLOT_FREE, SLOT_RUNNING, SLOT_DONE } SlotState;

/* `state` and what follows it is guarded by the slots' mutex; the rest belongs to the slot's thread
 * while it is running, else to the control thread. Of a running slot the control thread may read
 * what never changes in a claim (id, token, job, attempt), and own claim.lease_until. */
typedef struct Slot {
    Claim claim;
    Outcome outcome;
    bool written;        /* success was committed by the handler's transaction */
    int64_t duration_ms; /* of the whole attempt */
    bool lost_noted;     /* control thread: the lost claim was logged */

    SlotState state;
    dv_scope *scope; /* while it may be cancelled */
    CancelReason cancelled;
    int64_t lease_deadline;   /* boot time, ms */
    int64_t timeout_deadline; /* the same; INT64_MAX before the handler starts */
    int64_t started_at;
} Slot;

typedef struct Slots Slots;

/* Starts `count` threads and the watching one. NULL when the system refuses. Everything is
 * borrowed. */
Slots *slots_new(uint32_t count, JobClock *clock, Wake *wake);

uint32_t slots_count(const Slots *slots);
/* The slot at `index`; see there for who may touch what. */
Slot *slots_at(Slots *slots, uint32_t index);
SlotState slots_state(Slots *slots, uint32_t index);

/* How many are running, and how many are done and not yet collected. */
void slots_load(Slots *slots, uint32_t *out_running, uint32_t *out_done);

/* Runs slot->claim, which the caller has filled. */
void slots_start(Slots *slots, uint32_t index, int64_t lease_deadline);
/* The lease was renewed. */
void slots_extend(Slots *slots, uint32_t index, int64_t lease_deadline);
/* Cancels the handler if it still runs. */
void slots_cancel(Slots *slots, uint32_t index, CancelReason reason);
/* The outcome of a done slot is dealt with. */
void slots_clear(Slots *slots, uint32_t index);
/* Has the lease that the worker keeps for a done slot ended? */
bool slots_lease_over(Slots *slots, uint32_t index);

/* Ends and joins all threads. Handlers that still run after `wait_ms` are left alone, and the slots
 * with them: then false, and the process must end, since nothing that they use can be given back.
 */
bool slots_end(Slots *slots, int64_t wait_ms);

#endif
