/* runtime/database/writer.c: tickets on the waiters' stacks, in two lines.
 *
 * The turn passes directly to the next ticket, so nobody can overtake; a waiter that gives up takes
 * its ticket out of its line, and passes the turn on if it was given just then. */
#include "runtime/database/writer.h"

#include "base/clock.h"
#include "runtime/database/condition.h"

enum { LOOK_MS = 10 }; /* how late a cancelled waiter may notice */

struct WriterTicket {
    WriterTicket *next;
    pthread_cond_t granted_changed;
    bool granted;
};

void writer_init(WriterQueue *queue) {
    *queue = (WriterQueue){0};
    pthread_mutex_init(&queue->mutex, NULL);
}

void writer_done(WriterQueue *queue) {
    pthread_mutex_destroy(&queue->mutex);
}

static void line_push(WriterLine *line, WriterTicket *ticket) {
    if (line->last == NULL) {
        line->first = ticket;
    } else {
        line->last->next = ticket;
    }
    line->last = ticket;
}

static WriterTicket *line_shift(WriterLine *line) {
    WriterTicket *ticket = line->first;
    if (ticket != NULL) {
        line->first = ticket->next;
        line->last = line->first == NULL ? NULL : line->last;
    }
    return ticket;
}

static void line_remove(WriterLine *line, const WriterTicket *ticket) {
    WriterTicket *before = NULL;
    for (WriterTicket *at = line->first; at != NULL; before = at, at = at->next) {
        if (at == ticket) {
            *(before == NULL ? &line->first : &before->next) = at->next;
            line->last = line->last == at ? before : line->last;
            return;
        }
    }
}

static void pass_on_locked(WriterQueue *queue) {
    WriterTicket *next = line_shift(&queue->control);
    if (next == NULL) {
        next = line_shift(&queue->others);
    }
    queue->taken = next != NULL;
    if (next != NULL) {
        next->granted = true;
        pthread_cond_signal(&next->granted_changed);
    }
}

bool writer_enter(WriterQueue *queue, bool control, const DbWatch *watch, DbError *error) {
    pthread_mutex_lock(&queue->mutex);
    if (!queue->taken) {
        queue->taken = true;
        pthread_mutex_unlock(&queue->mutex);
        return true;
    }
    WriterTicket ticket = {0};
    condition_init(&ticket.granted_changed);
    WriterLine *line = control ? &queue->control : &queue->others;
    line_push(line, &ticket);
    int64_t start = clock_monotonic_ms();
    bool ended = false;
    bool late = false;
    while (!ticket.granted && !ended && !late) {
        condition_wait_ms(&ticket.granted_changed, &queue->mutex, LOOK_MS);
        if (!ticket.granted) {
            /* The watch may take locks of its own: never ask it while holding this one. */
            pthread_mutex_unlock(&queue->mutex);
            ended = watch->ended != NULL && watch->ended(watch->self);
            late = clock_monotonic_ms() - start >= watch->patience_ms;
            pthread_mutex_lock(&queue->mutex);
        }
    }
    bool granted = ticket.granted;
    if (!granted) {
        line_remove(line, &ticket);
    }
    pthread_mutex_unlock(&queue->mutex);
    pthread_cond_destroy(&ticket.granted_changed);
    if (granted) {
        return true;
    }
    if (ended) {
        return db_error(error, DV_DATABASE_CANCELLED, "cancelled while waiting to write");
    }
    db_error(error, DV_DATABASE_TIMEOUT,
             "no turn to write within %lld ms: others hold the database",
             (long long)watch->patience_ms);
    if (error != NULL) {
        error->busy = true;
    }
    return false;
}

void writer_leave(WriterQueue *queue) {
    pthread_mutex_lock(&queue->mutex);
    pass_on_locked(queue);
    pthread_mutex_unlock(&queue->mutex);
}
