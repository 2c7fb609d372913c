/* dever/scope.h: the invocation that a function runs in.
 *
 * Every generated function takes its scope first and returns bool. False means: a business failure, a
 * fault or a cancellation stands in the scope, outputs are not written, and the caller returns false
 * at once, adding its own place:
 *
 *     if (!content_article_app_found(s, article, &found)) return dv_at(s, "module/…/app.dever:52:13");
 *
 * There is no other way out: the arena, the transaction and the resources belong to the scope, which
 * ends them. A scope is used by one thread at a time. */
#ifndef DEVER_SCOPE_H
#define DEVER_SCOPE_H

#include <dever/type.h>

typedef struct dv_scope dv_scope;

typedef enum dv_fault_kind {
    DV_FAULT_OVERFLOW, /* Int or Decimal arithmetic left its range */
    DV_FAULT_DIVISION, /* division by zero */
    DV_FAULT_MEMORY,   /* the invocation's arena is at its limit */
    DV_FAULT_LIMIT,    /* another bound of the runtime was met */
    DV_FAULT_INVALID   /* an argument outside what a standard function takes */
} dv_fault_kind;

/* Adds a place to the way that the current failure took (innermost first, a bounded number) and
 * returns false. `place` is static: "path:line:column". */
bool dv_at(dv_scope *s, const char *place);

/* Records a business failure: `value` is a value of the choice `type` whose variant is an error
 * variant; it is copied into the arena. Returns false. */
bool dv_fail(dv_scope *s, const dv_type *type, const void *value, const char *place);
/* Records a fault. `what` is static and says more ("Int + Int"); may be NULL. Returns false. */
bool dv_fault(dv_scope *s, dv_fault_kind kind, const char *what);

/* The failure capture of result(call): when the scope holds a business failure of choice `type`,
 * copies its value to *value (of that type), clears the scope and returns true. Otherwise false, and
 * the scope stays as it is. */
bool dv_caught(dv_scope *s, const dv_type *type, void *value);

/* To be called at every step of a collection combinator: false when the invocation was cancelled or
 * its time is over. */
bool dv_step(dv_scope *s);

/* Zeroed memory in the arena of the scope, aligned for any value; NULL after recording
 * DV_FAULT_MEMORY. */
void *dv_new(dv_scope *s, size_t size);

#endif
