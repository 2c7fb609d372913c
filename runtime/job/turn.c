/* runtime/job/turn.c: finish + renew + recover + claim in one transaction.
 *
 * Nothing in memory changes before the commit has succeeded: results of the writes wait in an
 * array, claims in `incoming`. After a failure the next turn does the same again; guarded writes
 * make that safe even if the commit had succeeded after all (J6.9). */
#include "runtime/job/turn.h"

#include <string.h>

#include "base/clock.h"
#include "contract/settings.h"

/* What was written for a done slot. */
typedef struct Written {
    bool tried;
    WriteResult result;
    OutcomeNext next;
} Written;

enum { SLOTS_MOST = 256 };

typedef struct TurnState {
    TurnParts *parts;
    Turn *turn;
    int64_t now;         /* of the database */
    int64_t lease_start; /* boot time just before `now` was read: local deadlines count from here */
    Written written[SLOTS_MOST];
    bool renewed[SLOTS_MOST];
    bool lost[SLOTS_MOST];
    uint32_t free_slots;
    uint32_t claimed;
    uint32_t ended;
} TurnState;

/* ---- without the database ---- */

void turn_collect(TurnParts *parts) {
    for (uint32_t i = 0; i < slots_count(parts->slots); i++) {
        if (slots_state(parts->slots, i) != SLOT_DONE) {
            continue;
        }
        Slot *slot = slots_at(parts->slots, i);
        if (slot->written) {
            ReportEnd end = report_end_of(slot, (OutcomeNext){.state = "succeeded"}, 0);
            slots_clear(parts->slots, i);
            report_end(parts->counts, &end);
        } else if (slot->outcome.kind == OUTCOME_LOST || slots_lease_over(parts->slots, i)) {
            /* A result that could not be written before the lease ended is dropped (J6.9). */
            if (!slot->lost_noted) {
                report_lost(parts->counts, slot);
            }
            slots_clear(parts->slots, i);
        }
    }
}

/* ---- inside the transaction ---- */

static bool write_outcomes(TurnState *state, DbError *error) {
    TurnParts *parts = state->parts;
    memset(parts->running, 0, parts->job_count * sizeof *parts->running);
    for (uint32_t i = 0; i < slots_count(parts->slots); i++) {
        const Slot *slot = slots_at(parts->slots, i);
        switch (slots_state(parts->slots, i)) {
        case SLOT_FREE:
            state->free_slots++;
            break;
        case SLOT_RUNNING:
            parts->running[slot->claim.job_index]++;
            break;
        case SLOT_DONE:
            state->free_slots++;
            if (slot->written || slot->outcome.kind == OUTCOME_LOST) {
                break; /* it came between; turn_collect deals with it */
            }
            state->written[i].tried = true;
            if (!store_finish(parts->store, parts->c, state->now, &slot->claim, &slot->outcome,
                              &state->written[i].result, &state->written[i].next, error)) {
                return false;
            }
            break;
        }
    }
    return true;
}

static bool renew_leases(TurnState *state, DbError *error) {
    TurnParts *parts = state->parts;
    for (uint32_t i = 0; i < slots_count(parts->slots); i++) {
        if (slots_state(parts->slots, i) != SLOT_RUNNING) {
            continue;
        }
        WriteResult result;
        if (!store_renew(parts->store, parts->c, state->now, &slots_at(parts->slots, i)->claim,
                         &result, error)) {
            return false;
        }
        state->renewed[i] = result == WRITE_DONE;
        state->lost[i] = result == WRITE_LOST;
    }
    return true;
}

static bool recover(TurnState *state, DbError *error) {
    TurnParts *parts = state->parts;
    Turn *turn = state->turn;
    for (uint32_t i = 0; i < turn->dead_count; i++) {
        if (!store_end_owner(parts->c, state->now, str_from(turn->dead[i].id), error)) {
            return false;
        }
    }
    return !(turn->recover || turn->dead_count > 0) ||
           store_recover(parts->store, parts->c, state->now, &turn->more, error);
}

static bool token_is_held(const TurnParts *parts, const char *token) {
    for (uint32_t i = 0; i < slots_count(parts->slots); i++) {
        if (slots_state(parts->slots, i) != SLOT_FREE &&
            strcmp(slots_at(parts->slots, i)->claim.token, token) == 0) {
            return true;
        }
    }
    return false;
}

/* Takes up what an unknown commit claimed for us after all: those tasks run nowhere yet. */
static bool adopt(TurnState *state, DbError *error) {
    TurnParts *parts = state->parts;
    uint32_t count = 0;
    if (!store_mine(parts->store, parts->c, parts->incoming, slots_count(parts->slots), &count,
                    error)) {
        return false;
    }
    for (uint32_t i = 0; i < count && state->claimed < state->free_slots; i++) {
        Claim *claim = &parts->incoming[i];
        WriteResult result = WRITE_LOST;
        if (token_is_held(parts, claim->token)) {
            continue;
        }
        if (!store_renew(parts->store, parts->c, state->now, claim, &result, error)) {
            return false;
        }
        if (result == WRITE_DONE) {
            Claim kept = parts->incoming[state->claimed];
            parts->incoming[state->claimed++] = *claim;
            *claim = kept;
        }
    }
    return true;
}

static bool claim(TurnState *state, DbError *error) {
    TurnParts *parts = state->parts;
    if (parts->unsettled && !adopt(state, error)) {
        return false;
    }
    for (uint32_t i = 0; i < state->claimed; i++) {
        parts->running[parts->incoming[i].job_index]++;
    }
    uint32_t count = 0;
    StoreLoad load = {.slots = slots_count(parts->slots), .running = parts->running};
    if (!store_claim(parts->store, parts->c, state->now, &load, state->free_slots - state->claimed,
                     parts->incoming + state->claimed, &count, error)) {
        return false;
    }
    state->claimed += count;
    return true;
}

static bool work(TurnState *state, DbError *error) {
    return write_outcomes(state, error) && (!state->turn->renew || renew_leases(state, error)) &&
           recover(state, error) &&
           (!state->turn->foreign ||
            store_block_foreign(state->parts->store, state->parts->c, state->now, error)) &&
           (!state->turn->claim || claim(state, error));
}

/* ---- after the commit ---- */

static void settle_slot(TurnState *state, uint32_t index) {
    TurnParts *parts = state->parts;
    Slot *slot = slots_at(parts->slots, index);
    if (state->renewed[index]) {
        slots_extend(parts->slots, index, state->lease_start + parts->lease_ms);
    }
    if (state->lost[index]) {
        slots_cancel(parts->slots, index, CANCEL_LOST);
        if (!slot->lost_noted) {
            report_lost(parts->counts, slot);
            slot->lost_noted = true;
        }
    }
    const Written *written = &state->written[index];
    if (!written->tried) {
        return;
    }
    if (written->result == WRITE_LOST) {
        if (!slot->lost_noted) {
            report_lost(parts->counts, slot);
        }
    } else {
        parts->ended[state->ended++] = report_end_of(slot, written->next, state->now);
    }
    slots_clear(parts->slots, index);
}

static void start_claims(TurnState *state) {
    TurnParts *parts = state->parts;
    uint32_t taken = 0;
    for (uint32_t i = 0; i < slots_count(parts->slots) && taken < state->claimed; i++) {
        if (slots_state(parts->slots, i) == SLOT_FREE) {
            Slot *slot = slots_at(parts->slots, i);
            Claim kept = slot->claim; /* its payload buffer goes on being used */
            slot->claim = parts->incoming[taken];
            parts->incoming[taken++] = kept;
            slots_start(parts->slots, i, state->lease_start + parts->lease_ms);
        }
    }
    parts->counts->claimed += taken;
}

static void settle(TurnState *state) {
    TurnParts *parts = state->parts;
    for (uint32_t i = 0; i < slots_count(parts->slots); i++) {
        settle_slot(state, i);
    }
    turn_collect(parts);
    start_claims(state); /* first the work, then the log */
    for (uint32_t i = 0; i < state->ended; i++) {
        report_end(parts->counts, &parts->ended[i]);
    }
    for (const StoreEvent *event = store_events(parts->store); event != NULL; event = event->next) {
        report_event(parts->counts, event, state->now);
    }
    state->turn->claimed = state->claimed;
}

static int64_t read_clock(TurnState *state) {
    int64_t back = 0;
    state->lease_start = clock_boot_ms();
    state->now = job_clock_now(state->parts->clock, &back);
    if (back > 0) {
        report_warning("the machine's clock went back; leases and due times follow it", NULL);
    }
    return state->now;
}

bool turn_run(TurnParts *parts, Turn *turn, DbError *error) {
    TurnState state = {.parts = parts, .turn = turn};
    bool ok = database_begin(parts->database, parts->c, true, error);
    if (ok) {
        read_clock(&state);
        ok = work(&state, error);
        if (!ok) {
            database_rollback(parts->database, parts->c);
        } else if (!database_commit(parts->database, parts->c, error)) {
            ok = false;
            parts->unsettled = true;
        } else if (turn->claim) {
            parts->unsettled = false;
        }
    }
    if (ok) {
        settle(&state);
    }
    for (uint32_t i = 0; i < turn->dead_count; i++) {
        if (ok) {
            owner_bury(parts->owner, &turn->dead[i]);
        } else {
            owner_leave(&turn->dead[i]);
        }
    }
    turn->dead_count = 0;
    return ok;
}
