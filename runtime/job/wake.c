/* runtime/job/wake.c: an eventfd for the process, inotify on the wake file for others. */
#include "runtime/job/wake.h"

#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

struct Wake {
    char path[PATH_ROOM]; /* of the wake file */
    int event;
    int notify;  /* -1: the system gave none */
    int watched; /* the watch; -1: the file is to be watched anew */
    int also;    /* see wake_also */
    /* Written by the worker, read by enqueuers: enqueues before this moment matter. An enqueuer
     * reads it after its commit; a worker sets INT64_MAX before it looks for work, and the moment
     * after, so whichever comes first, the work is seen or the worker is woken. */
    _Atomic int64_t until;
};

static bool wake_path(const char *database_path, char path[PATH_ROOM]) {
    int length = snprintf(path, PATH_ROOM, "%s-wake", database_path);
    return length > 0 && length < PATH_ROOM;
}

static void watch_file(Wake *wake) {
    if (wake->notify < 0 || wake->watched >= 0) {
        return;
    }
    int file = open(wake->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) {
        close(file);
        wake->watched =
            inotify_add_watch(wake->notify, wake->path, IN_MODIFY | IN_DELETE_SELF | IN_MOVE_SELF);
    }
}

Wake *wake_new(const char *database_path) {
    Wake *wake = calloc(1, sizeof *wake);
    if (wake == NULL || !wake_path(database_path, wake->path)) {
        free(wake);
        return NULL;
    }
    atomic_init(&wake->until, INT64_MIN);
    wake->watched = -1;
    wake->also = -1;
    wake->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wake->event < 0) {
        free(wake);
        return NULL;
    }
    wake->notify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    watch_file(wake);
    return wake;
}

void wake_free(Wake *wake) {
    if (wake != NULL) {
        close(wake->event);
        if (wake->notify >= 0) {
            close(wake->notify);
        }
        free(wake);
    }
}

void wake_post(Wake *wake) {
    uint64_t one = 1;
    /* It can only fail when the counter is full: then the worker will wake anyway. */
    ssize_t written = write(wake->event, &one, sizeof one);
    (void)written;
}

void wake_post_due(Wake *wake, int64_t due) {
    if (due < atomic_load(&wake->until)) {
        wake_post(wake);
    }
}

void wake_also(Wake *wake, int descriptor) {
    wake->also = descriptor;
}

void wake_listen(Wake *wake) {
    watch_file(wake); /* anew, if it was removed meanwhile */
    atomic_store(&wake->until, INT64_MAX);
}

/* Empties inotify; the file itself may have been removed or replaced. */
static bool read_notices(Wake *wake) {
    _Alignas(struct inotify_event) char buffer[4096];
    bool any = false;
    for (ssize_t length; (length = read(wake->notify, buffer, sizeof buffer)) > 0;) {
        any = true;
        for (const char *at = buffer; at < buffer + length;) {
            struct inotify_event event;
            memcpy(&event, at, sizeof event);
            if ((event.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED)) != 0 &&
                event.wd == wake->watched) {
                inotify_rm_watch(wake->notify, wake->watched);
                wake->watched = -1;
            }
            at += sizeof event + event.len;
        }
    }
    return any;
}

bool wake_sleep(Wake *wake, int64_t timeout_us, int64_t until) {
    atomic_store(&wake->until, until);
    /* poll() passes over negative descriptors. Who does not look for work does not care for others'
     * enqueues either. */
    struct pollfd files[3] = {{.fd = wake->event, .events = POLLIN},
                              {.fd = until == INT64_MIN ? -1 : wake->notify, .events = POLLIN},
                              {.fd = wake->also, .events = POLLIN}};
    if (timeout_us > INT64_C(3600000000)) {
        timeout_us = INT64_C(3600000000);
    } else if (timeout_us < 0) {
        timeout_us = 0;
    }
    struct timespec timeout = {.tv_sec = timeout_us / 1000000,
                               .tv_nsec = timeout_us % 1000000 * 1000};
    int ready = ppoll(files, COUNT_OF(files), &timeout, NULL);
    atomic_store(&wake->until, INT64_MIN);
    bool woken = ready > 0 && files[2].revents != 0;
    if (ready > 0 && (files[0].revents & POLLIN) != 0) {
        uint64_t posted;
        woken = read(wake->event, &posted, sizeof posted) == (ssize_t)sizeof posted || woken;
    }
    if (ready > 0 && files[1].revents != 0) {
        woken = read_notices(wake) || woken;
    }
    return woken;
}

void wake_others(const char *database_path) {
    char path[PATH_ROOM];
    if (!wake_path(database_path, path)) {
        return;
    }
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        ssize_t written = pwrite(file, "", 1, 0);
        (void)written;
        close(file);
    }
}
