/* runtime/task/scope.h: the inside of a scope (dever/scope.h): one running invocation.
 *
 * A scope is used by the thread that runs the invocation; only scope_cancel is for any thread. */
#ifndef RUNTIME_TASK_SCOPE_H
#define RUNTIME_TASK_SCOPE_H

#include <dever/scope.h>

#include <pthread.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/buf.h"

enum {
    SCOPE_PLACES_MOST = 16,
    SCOPE_MEMORY_MOST = 1024 * 1024 * 1024 /* bytes of one invocation; beyond it: a fault */
};

typedef enum FailureKind {
    FAILURE_NONE,
    FAILURE_BUSINESS,
    FAILURE_FAULT,
    FAILURE_CANCELLED
} FailureKind;

typedef struct Failure {
    FailureKind kind;
    const dv_type *type; /* BUSINESS: the choice */
    const void *value;   /* BUSINESS: in the arena */
    const char
        *reason; /* BUSINESS, raised by the runtime: says more, and holds no value; or NULL */
    dv_fault_kind fault;
    const char *what;                      /* FAULT: more about it, static; may be NULL */
    const char *places[SCOPE_PLACES_MOST]; /* innermost first, static */
    uint32_t place_count;
    uint32_t places_lost; /* passed by after the array was full */
} Failure;

struct dv_scope {
    Arena *arena;
    Failure failure;
    void *transaction; /* of runtime/database */
    void *task;        /* of runtime/job: the attempt it runs; NULL outside a job */
    atomic_bool cancelled;
    pthread_mutex_t mutex; /* guards nothing but the wait below */
    pthread_cond_t woken;  /* monotonic clock; signalled by scope_cancel */
};

/* NULL without memory. */
dv_scope *scope_new(void);
/* Frees the scope and everything its invocation made. Accepts NULL. */
void scope_free(dv_scope *s);

/* Asks the invocation to end: its next step, wait or database call fails. Any thread, while the scope
 * lives. */
void scope_cancel(dv_scope *s);
bool scope_is_cancelled(dv_scope *s);
/* Sleeps for `ms`, or until cancelled: false then, with the failure recorded. */
bool scope_sleep(dv_scope *s, int64_t ms);

/* The failing type and variant ("content.article.app.ArticleError.NotFound"), the fault ("overflow"), or
 * "cancelled": static program facts only. Cut at size - 1 bytes. */
void scope_failure_name(const dv_scope *s, char *out, size_t size);
/* The innermost place, or NULL. */
const char *scope_failure_place(const dv_scope *s);
bool scope_has_fault(const dv_scope *s);
/* The way the failure took, outermost place first, then its name: "a.dever:3:5: b.dever:9:1: name". */
void scope_failure_trace(const dv_scope *s, Buf *out);

#endif
