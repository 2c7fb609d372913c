#include "runtime/process/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "base/json_writer.h"
#include "base/utf8.h"

enum { MESSAGE_MOST = 4096, VALUE_MOST = 1024, NAME_MOST = 128, FIELDS_MOST = 16 };

static const char *const level_names[] = {"debug", "info", "warn", "error"};
static atomic_int lowest = LOG_INFO;
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER; /* of lines on standard error */

void log_set_level(LogLevel level) {
    atomic_store(&lowest, (int)level);
}

static void add_json(Buf *line, Str text, size_t most) {
    Str cut = utf8_cut(text, most);
    size_t bad;
    if (utf8_valid(cut, &bad)) {
        json_write_string(line, cut);
        return;
    }
    Buf clean = {0};
    while (!utf8_valid(cut, &bad)) {
        buf_add(&clean, str_slice(cut, 0, bad));
        buf_add(&clean, STR("\xEF\xBF\xBD"));
        cut = str_slice(cut, bad + 1, cut.len);
    }
    buf_add(&clean, cut);
    json_write_string(line, buf_str(&clean));
    buf_done(&clean);
}

static void make_json(Buf *line, LogLevel level, Str message, const LogField *fields, size_t count) {
    buf_add(line, STR("{\"time\":\""));
    datetime_format(clock_wall_ms(), line);
    buf_format(line, "\",\"level\":\"%s\",\"message\":", level_names[level]);
    add_json(line, message, MESSAGE_MOST);
    buf_add(line, STR(",\"fields\":{"));
    for (size_t i = 0; i < count; i++) {
        buf_add(line, i == 0 ? STR("") : STR(","));
        add_json(line, fields[i].name, NAME_MOST);
        buf_add_char(line, ':');
        add_json(line, fields[i].value, VALUE_MOST);
    }
    buf_add(line, STR("}}\n"));
}

/* Control characters would let a value forge a line or move the cursor. */
static void add_readable(Buf *line, Str text, size_t most) {
    Str cut = utf8_cut(text, most);
    for (size_t i = 0; i < cut.len; i++) {
        buf_add_char(line, (unsigned char)cut.ptr[i] < 0x20 || cut.ptr[i] == 0x7F ? ' ' : cut.ptr[i]);
    }
}

static void make_readable(Buf *line, LogLevel level, Str message, const LogField *fields,
                          size_t count) {
    datetime_format(clock_wall_ms(), line);
    buf_format(line, " %-5s ", level_names[level]);
    add_readable(line, message, MESSAGE_MOST);
    for (size_t i = 0; i < count; i++) {
        buf_add(line, STR("  "));
        add_readable(line, fields[i].name, NAME_MOST);
        buf_add_char(line, '=');
        add_readable(line, fields[i].value, VALUE_MOST);
    }
    buf_add_char(line, '\n');
}

void log_write(LogLevel level, Str message, const LogField *fields, size_t count) {
    if ((int)level < atomic_load(&lowest)) {
        return;
    }
    Buf line = {0};
    count = count > FIELDS_MOST ? FIELDS_MOST : count;
    if (isatty(STDERR_FILENO)) {
        make_readable(&line, level, message, fields, count);
    } else {
        make_json(&line, level, message, fields, count);
    }
    if (buf_ok(&line)) {
        Str rest = buf_str(&line);
        pthread_mutex_lock(&writing);
        while (rest.len > 0) {
            ssize_t done = write(STDERR_FILENO, rest.ptr, rest.len);
            if (done < 0 && errno != EINTR) {
                break; /* nobody reads the log; the program goes on */
            }
            rest = str_slice(rest, done < 0 ? 0 : (size_t)done, rest.len);
        }
        pthread_mutex_unlock(&writing);
    }
    buf_done(&line);
}
