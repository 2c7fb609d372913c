/* contract/job_limits.c: the one limit that is more than a number. */
#include "contract/job_limits.h"

#include "base/utf8.h"

const char *job_key_problem(Str key) {
    if (key.len == 0) {
        return "the key is empty";
    }
    if (key.len > JOB_KEY_MAX) {
        return "the key is longer than 1024 bytes";
    }
    if (str_find_char(key, '\0', NULL)) {
        return "the key holds U+0000";
    }
    return utf8_valid(key, NULL) ? NULL : "the key is not valid UTF-8";
}
