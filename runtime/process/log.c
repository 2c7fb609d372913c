/* runtime/process/log.c: a line is made on its own and then written in one piece.
 *
 * Control characters never reach standard error as they are: they would let a value forge a line or
 * command the terminal. */
#include "runtime/process/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "base/utf8.h"

enum { MESSAGE_MOST = 4096, VALUE_MOST = 1024, NAME_MOST = 128, FIELDS_MOST = 16 };

static const char *const level_names[] = {"debug", "info", "warn", "error"};
static atomic_int lowest = LOG_INFO;
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER; /* of lines on standard error */

void log_set_level(LogLevel level) {
    atomic_store(&lowest, (int)level);
}

/* ---- texts ---- */

static bool is_control(uint32_t scalar) {
    return scalar < 0x20 || (scalar >= 0x7F && scalar < 0xA0);
}

static void add_escaped(Buf *line, uint32_t scalar) {
    if (scalar == '"' || scalar == '\\') {
        buf_format(line, "\\%c", (int)scalar);
    } else if (scalar == '\n' || scalar == '\r' || scalar == '\t') {
        buf_format(line, "\\%c", scalar == '\n' ? 'n' : scalar == '\r' ? 'r' : 't');
    } else {
        buf_format(line, "\\u%04x", (unsigned)scalar);
    }
}

/* The text, cut; as the inside of a JSON string, or with a blank for each control character. */
static void add_text(Buf *line, Str text, size_t most, bool json) {
    Str cut = utf8_cut(text, most);
    for (size_t at = 0; at < cut.len;) {
        size_t from = at;
        uint32_t scalar;
        if (!utf8_next(cut, &at, &scalar)) {
            buf_add(line, STR("\xEF\xBF\xBD")); /* U+FFFD */
            at = from + 1;
        } else if (json && (is_control(scalar) || scalar == '"' || scalar == '\\')) {
            add_escaped(line, scalar);
        } else if (is_control(scalar)) {
            buf_add_char(line, ' ');
        } else {
            buf_add(line, str_slice(cut, from, at));
        }
    }
}

static void add_quoted(Buf *line, Str text, size_t most) {
    buf_add_char(line, '"');
    add_text(line, text, most, true);
    buf_add_char(line, '"');
}

/* ---- lines ---- */

/* RFC 3339 in UTC, always with milliseconds, so that lines align. */
static void add_time(Buf *line) {
    int64_t now = clock_wall_ms();
    Buf seconds = {0};
    datetime_format(now - now % 1000, &seconds);
    buf_add(line, str_slice(buf_str(&seconds), 0, sizeof "YYYY-MM-DDTHH:MM:SS" - 1));
    buf_format(line, ".%03dZ", (int)(now % 1000));
    buf_done(&seconds);
}

static void make_json(Buf *line, LogLevel level, Str message, const LogField *fields,
                      size_t count) {
    buf_add(line, STR("{\"time\":\""));
    add_time(line);
    buf_format(line, "\",\"level\":\"%s\",\"message\":", level_names[level]);
    add_quoted(line, message, MESSAGE_MOST);
    buf_add(line, STR(",\"fields\":{"));
    for (size_t i = 0; i < count; i++) {
        buf_add(line, i == 0 ? STR("") : STR(","));
        add_quoted(line, fields[i].name, NAME_MOST);
        buf_add_char(line, ':');
        add_quoted(line, fields[i].value, VALUE_MOST);
    }
    buf_add(line, STR("}}\n"));
}

static void make_readable(Buf *line, LogLevel level, Str message, const LogField *fields,
                          size_t count) {
    add_time(line);
    buf_format(line, " %-5s ", level_names[level]);
    add_text(line, message, MESSAGE_MOST, false);
    for (size_t i = 0; i < count; i++) {
        buf_add(line, STR("  "));
        add_text(line, fields[i].name, NAME_MOST, false);
        buf_add_char(line, '=');
        add_text(line, fields[i].value, VALUE_MOST, false);
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
