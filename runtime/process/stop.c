/* runtime/process/stop.c: one thread takes the signals, so that no handler runs anywhere.
 *
 * It sleeps in poll() on the signals and on news from the inside: a request, a nearer deadline, its own
 * end. Once a stop is requested it sleeps until the deadline, then until the budget behind it is over. */
#include "runtime/process/stop.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "runtime/process/log.h"

static _Atomic int64_t deadline = INT64_MAX;
static atomic_bool cancelled;
static atomic_int requested = -1; /* readable, and never read, once a stop is requested */
static atomic_int news = -1;      /* wakes the thread */
static atomic_bool ending;        /* the thread is to end */

/* Set before the thread starts, then only read. */
static struct {
    int64_t shutdown_ms;
    void (*at_deadline)(void *self);
    void *self;
    int signals; /* signalfd */
    pthread_t thread;
    bool started;
} listener = {.signals = -1};

static void post(int descriptor) {
    uint64_t one = 1;
    ssize_t written = descriptor < 0 ? 0 : write(descriptor, &one, sizeof one);
    (void)written; /* it fails only when it is readable already */
}

void stop_request(int64_t deadline_boot_ms) {
    int64_t now = atomic_load(&deadline);
    while (deadline_boot_ms < now &&
           !atomic_compare_exchange_weak(&deadline, &now, deadline_boot_ms)) {
    }
    post(atomic_load(&requested));
    post(atomic_load(&news));
}

bool stop_requested(void) {
    return atomic_load(&deadline) != INT64_MAX;
}

int64_t stop_deadline_boot_ms(void) {
    return atomic_load(&deadline);
}

int stop_descriptor(void) {
    return atomic_load(&requested);
}

void stop_note_cancelled(void) {
    atomic_store(&cancelled, true);
}

bool stop_was_forced(void) {
    return atomic_load(&cancelled);
}

/* ---- the thread ---- */

static void take_signal(int asked) {
    if (asked == 1) {
        log_write(LOG_INFO, STR("shutdown: asked to stop"), NULL, 0);
        stop_request(clock_boot_ms() + listener.shutdown_ms);
    } else if (asked == 2) {
        log_write(LOG_WARN, STR("shutdown: asked again; running work is cancelled now"), NULL, 0);
        stop_request(clock_boot_ms());
    } else {
        log_write(LOG_ERROR, STR("shutdown: asked a third time; the process ends now"), NULL, 0);
        _exit(1);
    }
}

/* What poll() may sleep: for ever without a request. Calls what is to be called at the deadline, and
 * does not return when the budget behind it is over. */
static int next_wait(bool *told) {
    if (!stop_requested()) {
        return -1;
    }
    int64_t left = stop_deadline_boot_ms() - clock_boot_ms();
    if (left <= 0 && !*told) {
        *told = true;
        if (listener.at_deadline != NULL) {
            listener.at_deadline(listener.self);
        }
    }
    if (*told) {
        left = stop_deadline_boot_ms() + STOP_AFTER_DEADLINE_MS - clock_boot_ms();
        if (left <= 0) {
            log_write(LOG_ERROR, STR("shutdown: the budget is over; the process ends now"), NULL,
                      0);
            _exit(1);
        }
    }
    return left > INT_MAX ? INT_MAX : (int)left;
}

static void *listen_for_signals(void *unused) {
    (void)unused;
    bool told = false;
    int asked = 0;
    struct pollfd files[] = {{.fd = listener.signals, .events = POLLIN},
                             {.fd = atomic_load(&news), .events = POLLIN}};
    while (!atomic_load(&ending)) {
        if (poll(files, COUNT_OF(files), next_wait(&told)) <= 0) {
            continue;
        }
        uint64_t posted;
        ssize_t got = read(files[1].fd, &posted, sizeof posted);
        (void)got; /* nothing to read: it was a signal */
        struct signalfd_siginfo taken;
        if (read(files[0].fd, &taken, sizeof taken) == (ssize_t)sizeof taken) {
            take_signal(++asked);
        }
    }
    return NULL;
}

bool stop_start(int64_t shutdown_ms, void (*at_deadline)(void *self), void *self) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    listener.shutdown_ms = shutdown_ms;
    listener.at_deadline = at_deadline;
    listener.self = self;
    listener.signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    atomic_store(&requested, eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    atomic_store(&news, eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    atomic_store(&ending, false);
    listener.started = listener.signals >= 0 && atomic_load(&requested) >= 0 &&
                       atomic_load(&news) >= 0 &&
                       pthread_create(&listener.thread, NULL, listen_for_signals, NULL) == 0;
    return listener.started;
}

static void close_one(int descriptor) {
    if (descriptor >= 0) {
        close(descriptor);
    }
}

void stop_finish(void) {
    if (listener.started) {
        atomic_store(&ending, true);
        post(atomic_load(&news));
        pthread_join(listener.thread, NULL);
        listener.started = false;
    }
    close_one(listener.signals);
    close_one(atomic_exchange(&requested, -1));
    close_one(atomic_exchange(&news, -1));
    listener.signals = -1;
    atomic_store(&deadline, INT64_MAX);
    atomic_store(&cancelled, false);
}
