/* runtime/process/log.h: the log: one line of JSON on standard error for each event.
 *
 * There is no thread and no buffer: a line is one write under a mutex, so nothing has to be flushed.
 * On a terminal the lines are readable text. Never log payloads, keys, Secrets or texts of failures.
 * Any thread. */
#ifndef RUNTIME_PROCESS_LOG_H
#define RUNTIME_PROCESS_LOG_H

#include "base/str.h"
#include "contract/settings.h"

typedef struct LogField {
    Str name;
    Str value;
} LogField;

/* Lines below this level are dropped; LOG_INFO until it is called. At the start, by one thread. */
void log_set_level(LogLevel level);
/* `{"time":"…","level":"info","message":"…","fields":{…}}`; message and values are cut to 4096 and 1024
 * bytes, fields beyond 16 are dropped. Invalid UTF-8 is written as U+FFFD. */
void log_write(LogLevel level, Str message, const LogField *fields, size_t count);

#endif
