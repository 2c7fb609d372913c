/* runtime/job/owner.c: one lock file for each worker.
 *
 * F_OFD_SETLK on a file opened O_CLOEXEC is the only right lock for this: a POSIX record lock
 * vanishes when any descriptor of the file is closed anywhere in the process, and an inherited
 * descriptor would let an external command outlive its worker as a proof of life. */
#include "runtime/job/owner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"

enum { PATH_ROOM = 4096, TIDY_FILES = 1000 };

static const char infix[] = "-worker-";

struct Owner {
    char database_path[PATH_ROOM - sizeof infix - WORKER_ID_SIZE];
    char id[WORKER_ID_SIZE];
    int file;
};

static void owner_path(const Owner *owner, const char *id, char path[PATH_ROOM]) {
    snprintf(path, PATH_ROOM, "%s%s%s", owner->database_path, infix, id);
}

static bool lock_now(int file) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(file, F_OFD_SETLK, &lock) == 0;
}

/* Ids come from rows that anybody may have written, and become part of a path. */
static bool id_is_ours(Str id) {
    if (id.len != WORKER_ID_SIZE - 1) {
        return false;
    }
    for (size_t i = 0; i < id.len; i++) {
        char c = id.ptr[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
            return false;
        }
    }
    return true;
}

bool owner_dead(const Owner *self, Str worker, DeadOwner *out) {
    if (!id_is_ours(worker) || str_equal(worker, str_from(self->id))) {
        return false;
    }
    DeadOwner dead = {.file = -1};
    memcpy(dead.id, worker.ptr, worker.len);
    char path[PATH_ROOM];
    owner_path(self, dead.id, path);
    dead.file = open(path, O_RDWR | O_CLOEXEC);
    if (dead.file < 0) {
        return false;
    }
    /* Between open and lock somebody may have buried this worker; the lock must be on the file that
     * stands there now. */
    struct stat held;
    struct stat there;
    if (!lock_now(dead.file) || fstat(dead.file, &held) != 0 || stat(path, &there) != 0 ||
        held.st_dev != there.st_dev || held.st_ino != there.st_ino) {
        close(dead.file);
        return false;
    }
    *out = dead;
    return true;
}

void owner_bury(const Owner *self, DeadOwner *dead) {
    char path[PATH_ROOM];
    owner_path(self, dead->id, path);
    unlink(path);
    owner_leave(dead);
}

void owner_leave(DeadOwner *dead) {
    close(dead->file);
    dead->file = -1;
}

const char *owner_id(const Owner *owner) {
    return owner->id;
}

static bool make_file(Owner *owner, DbError *error) {
    static const char digits[] = "0123456789abcdef";
    uint8_t bytes[(WORKER_ID_SIZE - 1) / 2];
    random_bytes(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++) {
        owner->id[2 * i] = digits[bytes[i] >> 4];
        owner->id[2 * i + 1] = digits[bytes[i] & 15];
    }
    char path[PATH_ROOM];
    owner_path(owner, owner->id, path);
    owner->file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (owner->file < 0) {
        return db_error(error, DV_DATABASE_CONNECTION, "cannot make the worker's lock file %s: %s",
                        path, strerror(errno));
    }
    if (!lock_now(owner->file)) {
        int reason = errno;
        close(owner->file);
        unlink(path);
        owner->file = -1;
        return db_error(
            error, DV_DATABASE_CONNECTION,
            "the file system of %s has no open-file-description locks (%s), which a worker "
            "needs; put the database on a local disk",
            path, strerror(reason));
    }
    return true;
}

/* A machine that is killed often must not collect files. */
static void tidy(const Owner *owner, const char *folder, const char *prefix) {
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        return;
    }
    size_t prefix_length = strlen(prefix);
    int seen = 0;
    for (struct dirent *entry; seen < TIDY_FILES && (entry = readdir(dir)) != NULL;) {
        if (strncmp(entry->d_name, prefix, prefix_length) != 0) {
            continue;
        }
        seen++;
        DeadOwner dead;
        if (owner_dead(owner, str_from(entry->d_name + prefix_length), &dead)) {
            owner_bury(owner, &dead);
        }
    }
    closedir(dir);
}

void owner_tidy(const Owner *owner) {
    char folder[PATH_ROOM];
    char prefix[PATH_ROOM];
    const char *slash = strrchr(owner->database_path, '/');
    if (slash == NULL) {
        snprintf(folder, sizeof folder, ".");
    } else {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - owner->database_path) + 1,
                 owner->database_path);
    }
    snprintf(prefix, sizeof prefix, "%s%s", slash == NULL ? owner->database_path : slash + 1,
             infix);
    tidy(owner, folder, prefix);
}

Owner *owner_new(const char *database_path, DbError *error) {
    Owner *owner = calloc(1, sizeof *owner);
    if (owner == NULL || strlen(database_path) >= sizeof owner->database_path) {
        db_error(error, DV_DATABASE_CONNECTION,
                 owner == NULL ? "out of memory" : "the path of the database is too long");
        free(owner);
        return NULL;
    }
    memcpy(owner->database_path, database_path, strlen(database_path) + 1);
    owner->file = -1;
    if (!make_file(owner, error)) {
        free(owner);
        return NULL;
    }
    return owner;
}

void owner_free(Owner *owner) {
    if (owner == NULL) {
        return;
    }
    char path[PATH_ROOM];
    owner_path(owner, owner->id, path);
    unlink(path);
    close(owner->file);
    free(owner);
}
