/* dever/collection.h: lists and the + of Text.
 *
 * Versions of a list share their items: appending to the newest version is amortized O(1), appending
 * to an older one copies. */
#ifndef DEVER_COLLECTION_H
#define DEVER_COLLECTION_H

#include <dever/scope.h>

/* A list of `count` values of type `item` that stand side by side at `items`; they are copied. */
bool dv_list_of(dv_scope *s, const dv_type *item, const void *items, int64_t count, dv_list *out);
/* append(list, x): `value` is a value of type `item`. */
bool dv_list_append(dv_scope *s, const dv_type *item, dv_list list, const void *value,
                    dv_list *out);

/* A + B. Appending to the newest text of the arena costs only the appended bytes. */
bool dv_text_concat(dv_scope *s, dv_text a, dv_text b, dv_text *out);
bool dv_text_equal(dv_text a, dv_text b);
/* length(Text): Unicode scalar values. */
int64_t dv_text_length(dv_text text);

#endif
