/* runtime/job/store_internal.h: what store.c and store_sweep.c share. */
#ifndef RUNTIME_JOB_STORE_INTERNAL_H
#define RUNTIME_JOB_STORE_INTERNAL_H

#include "base/arena.h"
#include "runtime/job/store.h"

/* A due row of another program, found without the write lock. */
typedef struct ForeignRow {
    Str id;
    Str target;
    int64_t attempt;
    int64_t max_attempts;
    OutcomeKind kind;
} ForeignRow;

struct JobStore {
    StoreOptions options;
    Str worker;
    Arena *turn; /* events and rows of the current turn */
    StoreEvent *first_event;
    StoreEvent *last_event;
    ForeignRow foreign[SWEEP_ROWS];
    uint32_t foreign_count;
    int64_t foreign_moment; /* due and unchanged since then */
    Buf after_target;       /* the pair at which the next look for foreign rows goes on */
    Buf after_schema;
};

/* Appends an event; without memory there is one log line less. */
void store_note(JobStore *store, Str id, Str target, int64_t attempt, int64_t max_attempts,
                OutcomeNext end);
/* A fresh random number for jitter. */
uint32_t store_random(void);

#endif
