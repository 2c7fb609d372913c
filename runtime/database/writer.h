/* runtime/database/writer.h: the queue of writers of one database inside the process.
 *
 * SQLite has one writer at a time and only lets others try again; so the threads of a process queue
 * here first, and SQLITE_BUSY is met only between processes. The turn is handed from writer to
 * writer in the order of arrival, the worker's own control statements before all others (J6.11). */
#ifndef RUNTIME_DATABASE_WRITER_H
#define RUNTIME_DATABASE_WRITER_H

#include <pthread.h>

#include "runtime/database/driver.h"

typedef struct WriterTicket WriterTicket;

typedef struct WriterLine {
    WriterTicket *first;
    WriterTicket *last;
} WriterLine;

/* Guarded by `mutex`, which is held for a few instructions at a time. */
typedef struct WriterQueue {
    pthread_mutex_t mutex;
    bool taken;
    WriterLine control;
    WriterLine others;
} WriterQueue;

void writer_init(WriterQueue *queue);
/* Nobody may hold or await the turn. */
void writer_done(WriterQueue *queue);

/* Waits for the turn, at most watch->patience_ms and as long as the watch has not ended (looked at
 * every few milliseconds): Timeout or Cancelled. True: the turn is the caller's until writer_leave.
 */
bool writer_enter(WriterQueue *queue, bool control, const DbWatch *watch, DbError *error);
void writer_leave(WriterQueue *queue);

#endif
