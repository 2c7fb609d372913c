/* runtime/value/list.c: versions of a list share one body.
 *
 * The body knows how many items were ever appended. A version whose length is that number is the
 * newest: appending writes behind its items and leaves them as they are for all others. Any other
 * version is copied first. */
#include "runtime/value/list.h"

#include <string.h>

#include "runtime/task/scope.h"

typedef struct ListBody {
    int64_t used;
    int64_t capacity;
    void *items;
} ListBody;

static ListBody *body_new(dv_scope *s, const dv_type *item, int64_t capacity) {
    if (capacity > INT64_MAX / 2 / (int64_t)item->size - 1) {
        dv_fault(s, DV_FAULT_MEMORY, "List");
        return NULL;
    }
    ListBody *body = dv_new(s, sizeof *body);
    if (body == NULL) {
        return NULL;
    }
    body->items = dv_new(s, (size_t)capacity * item->size);
    body->capacity = capacity;
    return body->items == NULL ? NULL : body;
}

static bool list_from(dv_scope *s, const dv_type *item, const void *items, int64_t count,
                      int64_t capacity, dv_list *out) {
    ListBody *body = body_new(s, item, capacity);
    if (body == NULL) {
        return false;
    }
    if (count > 0) {
        memcpy(body->items, items, (size_t)count * item->size);
    }
    body->used = count;
    *out = (dv_list){.items = body->items, .length = count, .body = body};
    return true;
}

bool dv_list_of(dv_scope *s, const dv_type *item, const void *items, int64_t count, dv_list *out) {
    if (count == 0) {
        *out = (dv_list){0};
        return true;
    }
    return list_from(s, item, items, count, count, out);
}

bool dv_list_append(dv_scope *s, const dv_type *item, dv_list list, const void *value,
                    dv_list *out) {
    ListBody *body = list.body;
    if (body == NULL || body->used != list.length || body->used == body->capacity) {
        if (!list_from(s, item, list.items, list.length, list.length < 4 ? 8 : list.length * 2,
                       &list)) {
            return false;
        }
        body = list.body;
    }
    memcpy((char *)body->items + (size_t)body->used * item->size, value, item->size);
    body->used++;
    list.length++;
    *out = list;
    return true;
}

bool list_push(dv_scope *s, const dv_type *item, dv_list *list, const void *value) {
    return dv_list_append(s, item, *list, value, list);
}
