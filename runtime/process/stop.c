/* runtime/process/stop.c: one thread takes the signals, so that no handler runs anywhere. */
#include "runtime/process/stop.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "runtime/process/log.h"

static _Atomic int64_t deadline = INT64_MAX;
static atomic_bool cancelled;
static atomic_int descriptor = -1;
static int64_t budget_ms; /* set before the thread starts */
static pthread_t thread;
static bool started;

void stop_request(int64_t deadline_boot_ms) {
    int64_t now = atomic_load(&deadline);
    while (deadline_boot_ms < now && !atomic_compare_exchange_weak(&deadline, &now, deadline_boot_ms)) {
    }
    if (descriptor >= 0) {
        uint64_t one = 1;
        ssize_t written = write(descriptor, &one, sizeof one);
        (void)written; /* it fails only when it is readable already */
    }
}

bool stop_requested(void) {
    return atomic_load(&deadline) != INT64_MAX;
}

int64_t stop_deadline_boot_ms(void) {
    return atomic_load(&deadline);
}

int stop_descriptor(void) {
    return descriptor;
}

void stop_note_cancelled(void) {
    atomic_store(&cancelled, true);
}

bool stop_was_forced(void) {
    return atomic_load(&cancelled);
}

/* What the thread listens to; SIGUSR2 tells it that the program has ended by itself. */
static sigset_t signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGUSR2);
    return set;
}

/* The next signal, or 0 when the whole budget is over. */
static int wait_signal(const sigset_t *set) {
    for (;;) {
        int number;
        if (!stop_requested()) {
            if (sigwait(set, &number) == 0) {
                return number;
            }
            continue;
        }
        int64_t left = stop_deadline_boot_ms() + STOP_AFTER_DEADLINE_MS - clock_boot_ms();
        if (left <= 0) {
            return 0;
        }
        struct timespec wait = {.tv_sec = (time_t)(left / 1000), .tv_nsec = (long)(left % 1000) * 1000000};
        number = sigtimedwait(set, NULL, &wait);
        if (number > 0) {
            return number;
        }
    }
}

static void *listen_for_signals(void *unused) {
    (void)unused;
    sigset_t set = signals();
    int asked = 0;
    for (;;) {
        int number = wait_signal(&set);
        if (number == SIGUSR2) {
            return NULL;
        }
        if (number == 0) {
            log_write(LOG_ERROR, STR("shutdown: the budget is over; the process ends now"), NULL, 0);
            _exit(1);
        }
        asked++;
        if (asked == 1) {
            log_write(LOG_INFO, STR("shutdown: asked to stop"), NULL, 0);
            stop_request(clock_boot_ms() + budget_ms);
        } else if (asked == 2) {
            log_write(LOG_WARN, STR("shutdown: asked again; running work is cancelled now"), NULL, 0);
            stop_request(clock_boot_ms());
        } else {
            log_write(LOG_ERROR, STR("shutdown: asked a third time; the process ends now"), NULL, 0);
            _exit(1);
        }
    }
}

bool stop_start(int64_t shutdown_ms) {
    sigset_t set = signals();
    budget_ms = shutdown_ms;
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    started = descriptor >= 0 && pthread_create(&thread, NULL, listen_for_signals, NULL) == 0;
    return started;
}

void stop_finish(void) {
    if (started) {
        pthread_kill(thread, SIGUSR2);
        pthread_join(thread, NULL);
        started = false;
    }
    if (descriptor >= 0) {
        close(descriptor);
        descriptor = -1;
    }
    atomic_store(&deadline, INT64_MAX);
    atomic_store(&cancelled, false);
}
