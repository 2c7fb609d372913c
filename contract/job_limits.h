/* contract/job_limits.h: the numbers of durable jobs that the compiler checks and the runtime obeys. */
#ifndef CONTRACT_JOB_LIMITS_H
#define CONTRACT_JOB_LIMITS_H

#include "base/str.h"

#define JOB_RETRY_MIN 1
#define JOB_RETRY_MAX 100 /* counting the first execution */
#define JOB_TIMEOUT_MIN 1
#define JOB_TIMEOUT_MAX 3600000       /* milliseconds */
#define JOB_KEY_MAX 1024              /* bytes of an idempotency key */
#define JOB_PAYLOAD_MAX (1024 * 1024) /* bytes of encoded JSON */
#define JOB_CRON_MAX 512              /* bytes of a cron text */
#define JOB_DETAIL_MAX 512            /* bytes of error_detail */
/* Of every JSON text that crosses the border of a program. */
#define WIRE_BYTES_MAX (16 * 1024 * 1024)
#define WIRE_DEPTH_MAX 64
#define WIRE_NODES_MAX 65536

/* What is wrong with an idempotency key, or NULL: 1 to JOB_KEY_MAX bytes of UTF-8 without U+0000.
 * Static text. */
const char *job_key_problem(Str key);

#endif
