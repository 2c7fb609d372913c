/* runtime/job/owner.h: proof that a worker's process lives (J6.12).
 *
 * SQLite lives on one kernel, so the kernel can tell. A worker holds an open-file-description lock
 * on a file of its own beside the database, `<database>-worker-<id>`, for its lifetime: the lock
 * goes with the process, however it ends. Who gets the lock of another worker's file has proof that
 * it is dead. A missing file proves nothing. */
#ifndef RUNTIME_JOB_OWNER_H
#define RUNTIME_JOB_OWNER_H

#include "base/str.h"
#include "runtime/database/driver.h"
#include "runtime/job/store.h"

typedef struct Owner Owner;

/* Makes and locks the file of a new worker with a random id. Refused, with Connection, where the
 * file system has no such locks. NULL on failure. `database_path` is copied. */
Owner *owner_new(const char *database_path, DbError *error);
/* Removes the file and lets the lock go. Accepts NULL. */
void owner_free(Owner *owner);
/* WORKER_ID_SIZE; lives as long as the owner. */
const char *owner_id(const Owner *owner);

/* A dead worker: its lock, held by us. */
typedef struct DeadOwner {
    char id[WORKER_ID_SIZE];
    int file;
} DeadOwner;

/* True when the worker is proved dead: then *out holds its lock until owner_bury or owner_leave,
 * and nobody else can prove it meanwhile. */
bool owner_dead(const Owner *self, Str worker, DeadOwner *out);
/* Buries all dead workers whose files are left over. To be called when no row names one any more: a
 * missing file proves nothing. */
void owner_tidy(const Owner *owner);

/* After its leases were ended: removes the file. */
void owner_bury(const Owner *self, DeadOwner *dead);
/* Lets go without removing the file: to be proved again. */
void owner_leave(DeadOwner *dead);

#endif
