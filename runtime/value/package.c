/* runtime/value/package.c: the packages uuid, dever.id, dever.time, dever.task and dever.io. */
#include <dever/package.h>

#include <stdio.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "base/uuid.h"
#include "runtime/task/scope.h"
#include "runtime/value/text.h"

_Static_assert(sizeof(dv_uuid) == sizeof(Uuid), "one layout");

bool dv_uuid_parse(dv_scope *s, dv_text value, dv_maybe_uuid *result) {
    (void)s;
    Uuid uuid;
    *result = (dv_maybe_uuid){0};
    if (uuid_parse(text_str(value), &uuid)) {
        result->present = true;
        for (size_t i = 0; i < sizeof uuid.bytes; i++) {
            result->value.bytes[i] = uuid.bytes[i];
        }
    }
    return true;
}

bool dv_uuid_to_text(dv_scope *s, dv_uuid value, dv_text *result) {
    Uuid uuid;
    char text[UUID_TEXT_SIZE];
    for (size_t i = 0; i < sizeof uuid.bytes; i++) {
        uuid.bytes[i] = value.bytes[i];
    }
    uuid_text(uuid, text);
    return text_copy(s, str_from(text), result);
}

bool dv_id_from_text(dv_scope *s, dv_text value, dv_text *result) {
    (void)s;
    *result = value;
    return true;
}

bool dv_id_to_text(dv_scope *s, dv_text value, dv_text *result) {
    (void)s;
    *result = value;
    return true;
}

bool dv_time_now(dv_scope *s, int64_t *moment) {
    (void)s;
    *moment = clock_wall_ms();
    return true;
}

bool dv_time_unix_millis(dv_scope *s, int64_t *milliseconds) {
    return dv_time_now(s, milliseconds);
}

bool dv_time_duration(dv_scope *s, int64_t milliseconds, int64_t *duration) {
    (void)s;
    *duration = milliseconds;
    return true;
}

bool dv_time_add(dv_scope *s, int64_t moment, int64_t duration, int64_t *result) {
    return !__builtin_add_overflow(moment, duration, result) ||
           dv_fault(s, DV_FAULT_OVERFLOW, "dever.time.add");
}

bool dv_time_subtract(dv_scope *s, int64_t moment, int64_t duration, int64_t *result) {
    return !__builtin_sub_overflow(moment, duration, result) ||
           dv_fault(s, DV_FAULT_OVERFLOW, "dever.time.subtract");
}

bool dv_time_difference(dv_scope *s, int64_t later, int64_t earlier, int64_t *duration) {
    return !__builtin_sub_overflow(later, earlier, duration) ||
           dv_fault(s, DV_FAULT_OVERFLOW, "dever.time.difference");
}

bool dv_time_format_datetime(dv_scope *s, int64_t moment, dv_text *result) {
    Buf text = {0};
    if (!datetime_format(moment, &text)) {
        return dv_fault(s, DV_FAULT_INVALID,
                        "dever.time.format_datetime: outside the years 0 to 9999");
    }
    return text_take(s, &text, result);
}

bool dv_task_sleep(dv_scope *s, int64_t milliseconds) {
    if (milliseconds < 0) {
        return dv_fault(s, DV_FAULT_INVALID, "dever.task.sleep: a negative time");
    }
    return scope_sleep(s, milliseconds);
}

bool dv_io_println(dv_scope *s, dv_text text) {
    Str line = text_str(text);
    flockfile(stdout); /* one line stays one line between threads */
    bool printed = fwrite(line.ptr, 1, line.len, stdout) == line.len &&
                   putc_unlocked('\n', stdout) != EOF && fflush(stdout) == 0;
    funlockfile(stdout);
    return printed ||
           dv_fault(s, DV_FAULT_LIMIT, "dever.io.println: standard output cannot be written");
}
