/* runtime/value/list.h: building lists item by item. */
#ifndef RUNTIME_VALUE_LIST_H
#define RUNTIME_VALUE_LIST_H

#include <dever/collection.h>

/* Appends a value of type `item` to *list, which must be the newest version; false after a fault. */
bool list_push(dv_scope *s, const dv_type *item, dv_list *list, const void *value);

#endif
