/* dever/package.h: the standard packages.
 *
 * The function `text.slice` is dv_text_slice, `dever.time.now` is dv_time_now: the package without
 * `dever.`, dots as underscores. Inputs in order, then a pointer for each output; false after a
 * failure or fault. What each does is written in library/. */
#ifndef DEVER_PACKAGE_H
#define DEVER_PACKAGE_H

#include <dever/scope.h>

bool dv_text_trim(dv_scope *s, dv_text value, dv_text *result);
bool dv_text_lower(dv_scope *s, dv_text value, dv_text *result);
bool dv_text_upper(dv_scope *s, dv_text value, dv_text *result);
bool dv_text_contains(dv_scope *s, dv_text value, dv_text part, bool *result);
bool dv_text_starts_with(dv_scope *s, dv_text value, dv_text part, bool *result);
bool dv_text_ends_with(dv_scope *s, dv_text value, dv_text part, bool *result);
bool dv_text_index_of(dv_scope *s, dv_text value, dv_text part, dv_maybe_int *result);
bool dv_text_slice(dv_scope *s, dv_text value, int64_t start, int64_t end, dv_maybe_text *result);
bool dv_text_split(dv_scope *s, dv_text value, dv_text separator, dv_list *result);
bool dv_text_join(dv_scope *s, dv_list parts, dv_text separator, dv_text *result);
bool dv_text_replace(dv_scope *s, dv_text value, dv_text from, dv_text to, dv_text *result);
bool dv_text_is_empty(dv_scope *s, dv_text value, bool *result);

bool dv_int_parse(dv_scope *s, dv_text value, dv_maybe_int *result);
bool dv_int_to_text(dv_scope *s, int64_t value, dv_text *result);
bool dv_decimal_parse(dv_scope *s, dv_text value, dv_maybe_decimal *result);
bool dv_decimal_to_text(dv_scope *s, dv_decimal value, dv_text *result);
bool dv_decimal_from_int(dv_scope *s, int64_t value, dv_decimal *result);
bool dv_decimal_round(dv_scope *s, dv_decimal value, int64_t places, dv_decimal *result);
bool dv_float_parse(dv_scope *s, dv_text value, dv_maybe_float *result);
bool dv_float_to_text(dv_scope *s, double value, dv_text *result);
bool dv_float_from_int(dv_scope *s, int64_t value, double *result);
bool dv_uuid_parse(dv_scope *s, dv_text value, dv_maybe_uuid *result);
bool dv_uuid_to_text(dv_scope *s, dv_uuid value, dv_text *result);
bool dv_id_from_text(dv_scope *s, dv_text value, dv_text *result);
bool dv_id_to_text(dv_scope *s, dv_text value, dv_text *result);

bool dv_time_now(dv_scope *s, int64_t *moment);
bool dv_time_duration(dv_scope *s, int64_t milliseconds, int64_t *duration);
bool dv_time_add(dv_scope *s, int64_t moment, int64_t duration, int64_t *result);
bool dv_time_subtract(dv_scope *s, int64_t moment, int64_t duration, int64_t *result);
bool dv_time_difference(dv_scope *s, int64_t later, int64_t earlier, int64_t *duration);
bool dv_time_format_datetime(dv_scope *s, int64_t moment, dv_text *result);
bool dv_time_unix_millis(dv_scope *s, int64_t *milliseconds);

/* dever.task.sleep: milliseconds; ends early, with false, when the invocation is cancelled. */
bool dv_task_sleep(dv_scope *s, int64_t milliseconds);

bool dv_io_println(dv_scope *s, dv_text text);

#endif
