#include "contract/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

/* ---- the table ---- */

typedef enum EntryKind {
    ENTRY_INT,        /* least to most */
    ENTRY_WORD,       /* one of `words`, stored as its index */
    ENTRY_PATH,       /* a path */
    ENTRY_UNSUPPORTED /* known to the language, not to this version */
} EntryKind;

typedef struct Entry {
    const char *key;
    EntryKind kind;
    bool required;
    size_t offset; /* in Settings: int64_t, or Str for a path */
    int64_t least, most, otherwise;
    const char *const *words; /* NULL-terminated; a word that begins with `!` is not supported yet */
} Entry;

static const char *const mode_words[] = {"api", "worker", "all", NULL};
static const char *const level_words[] = {"debug", "info", "warn", "error", NULL};
static const char *const type_words[] = {"sqlite", "!postgres", NULL};

#define AT(member) offsetof(Settings, member)

static const Entry runtime_entries[] = {
    {"mode", ENTRY_WORD, true, AT(runtime.mode), 0, 0, MODE_API, mode_words},
    {"shutdown_ms", ENTRY_INT, true, AT(runtime.shutdown_ms), 1, 3600000, 30000, NULL},
    {NULL, ENTRY_INT, false, 0, 0, 0, 0, NULL},
};

static const Entry job_entries[] = {
    {"workers", ENTRY_INT, true, AT(job.workers), 1, 256, 0, NULL},
    {"poll_ms", ENTRY_INT, true, AT(job.poll_ms), 1, 60000, 0, NULL},
    {"lease_ms", ENTRY_INT, true, AT(job.lease_ms), 100, 7200000, 0, NULL},
    {"retry_base_ms", ENTRY_INT, true, AT(job.retry_base_ms), 1, 3600000, 0, NULL},
    {"retry_max_ms", ENTRY_INT, true, AT(job.retry_max_ms), 1, 86400000, 0, NULL},
    {"retry_jitter", ENTRY_INT, false, AT(job.retry_jitter), 0, 100, 10, NULL},
    {"deploy_grace_ms", ENTRY_INT, false, AT(job.deploy_grace_ms), 0, 86400000, 300000, NULL},
    {"retention_ms", ENTRY_UNSUPPORTED, false, 0, 0, 0, 0, NULL},
    {"dead_retention_ms", ENTRY_UNSUPPORTED, false, 0, 0, 0, 0, NULL},
    {NULL, ENTRY_INT, false, 0, 0, 0, 0, NULL},
};

static const Entry database_entries[] = {
    {"type", ENTRY_WORD, true, AT(database.type), 0, 0, 0, type_words},
    {"path", ENTRY_PATH, true, AT(database.path), 0, 0, 0, NULL},
    {"max_connections", ENTRY_INT, false, AT(database.max_connections), 1, 512, 16, NULL},
    {"max_page_size", ENTRY_INT, false, AT(database.max_page_size), 1, 10000, 100, NULL},
    {NULL, ENTRY_INT, false, 0, 0, 0, 0, NULL},
};

static const Entry log_entries[] = {
    {"level", ENTRY_WORD, false, AT(log.level), 0, 0, LOG_INFO, level_words},
    {NULL, ENTRY_INT, false, 0, 0, 0, 0, NULL},
};

/* The entries of the file itself: an object each. */
static const struct {
    const char *key;
    const Entry *entries; /* NULL: the object `database`, or not supported yet */
    bool is_database;
} sections[] = {
    {"runtime", runtime_entries, false}, {"job", job_entries, false},
    {"database", NULL, true},            {"log", log_entries, false},
    {"http", NULL, false},               {"adapter", NULL, false},
    {"auth", NULL, false},               {"sites", NULL, false},
    {"tenant", NULL, false},             {"dever", NULL, false},
    {"lib", NULL, false},                {"package", NULL, false},
    {"performance", NULL, false},
};

/* ---- reading ---- */

static int64_t *int_at(Settings *settings, const Entry *entry) {
    return (int64_t *)(void *)((char *)settings + entry->offset);
}

static void put_defaults(Settings *settings, const Entry *entries) {
    for (const Entry *entry = entries; entry->key != NULL; entry++) {
        if (entry->kind == ENTRY_INT || entry->kind == ENTRY_WORD) {
            *int_at(settings, entry) = entry->otherwise;
        }
    }
}

static bool unsupported(JsonReader *r, const char *what) {
    return json_reader_fail(r, "`%s` is not supported yet", what);
}

static bool expected(JsonReader *r, const char *wanted, JsonKind found) {
    return json_reader_fail(r, "expected %s, found %s", wanted, json_kind_text(found));
}

static bool read_int(JsonReader *r, const Entry *entry, Settings *out) {
    char wanted[96];
    snprintf(wanted, sizeof wanted, "a whole number from %" PRId64 " to %" PRId64, entry->least,
             entry->most);
    JsonKind kind = json_reader_peek(r);
    size_t at = r->at;
    Str text;
    if (kind != JSON_NUMBER) {
        return expected(r, wanted, kind);
    }
    if (!json_reader_number(r, &text)) {
        return false;
    }
    char digits[32] = "";
    bool whole = text.len < sizeof digits && !str_find_char(text, '.', NULL) &&
                 !str_find_char(text, 'e', NULL) && !str_find_char(text, 'E', NULL);
    if (whole) {
        memcpy(digits, text.ptr, text.len);
    }
    errno = 0;
    int64_t value = strtoll(digits, NULL, 10);
    if (!whole || errno != 0 || value < entry->least || value > entry->most) {
        Str shown = utf8_cut(text, 40);
        r->at = at;
        return json_reader_fail(r, "expected %s, found " STR_FMT, wanted, STR_ARG(shown));
    }
    *int_at(out, entry) = value;
    return true;
}

static bool read_word(JsonReader *r, const Entry *entry, Settings *out) {
    char wanted[96] = "";
    for (size_t i = 0; entry->words[i] != NULL; i++) {
        if (entry->words[i][0] != '!') {
            size_t used = strlen(wanted);
            snprintf(wanted + used, sizeof wanted - used, "%s\"%s\"", i == 0 ? "" : ", ",
                     entry->words[i]);
        }
    }
    JsonKind kind = json_reader_peek(r);
    size_t at = r->at;
    Str text;
    if (kind != JSON_STRING) {
        return expected(r, wanted, kind);
    }
    if (!json_reader_string(r, &text)) {
        return false;
    }
    for (size_t i = 0; entry->words[i] != NULL; i++) {
        bool known = entry->words[i][0] != '!';
        if (str_equal(text, str_from(entry->words[i] + (known ? 0 : 1)))) {
            *int_at(out, entry) = (int64_t)i;
            r->at = known ? r->at : at;
            return known || unsupported(r, entry->words[i] + 1);
        }
    }
    Str shown = utf8_cut(text, 40);
    r->at = at;
    return json_reader_fail(r, "expected one of %s, found \"" STR_FMT "\"", wanted, STR_ARG(shown));
}

/* Absolute, or relative without a `..` part; no NUL. */
static bool good_path(Str path) {
    if (path.len == 0 || str_find_char(path, '\0', NULL)) {
        return false;
    }
    if (path.ptr[0] == '/') {
        return true;
    }
    while (path.len > 0) {
        size_t slash = path.len;
        str_find_char(path, '/', &slash);
        if (str_equal(str_slice(path, 0, slash), STR(".."))) {
            return false;
        }
        path = str_slice(path, slash + 1, path.len);
    }
    return true;
}

static bool read_path(JsonReader *r, const Entry *entry, Settings *out) {
    static const char wanted[] = "the path of a file, absolute or relative without `..`";
    JsonKind kind = json_reader_peek(r);
    size_t at = r->at;
    Str path;
    if (kind != JSON_STRING) {
        return expected(r, wanted, kind);
    }
    if (!json_reader_string(r, &path)) {
        return false;
    }
    if (!good_path(path)) {
        Str shown = utf8_cut(path, 80);
        r->at = at;
        return json_reader_fail(r, "expected %s, found \"" STR_FMT "\"", wanted, STR_ARG(shown));
    }
    *(Str *)(void *)((char *)out + entry->offset) = path;
    return true;
}

static bool read_entry(JsonReader *r, const Entry *entry, Settings *out) {
    switch (entry->kind) {
    case ENTRY_INT:
        return read_int(r, entry, out);
    case ENTRY_WORD:
        return read_word(r, entry, out);
    case ENTRY_PATH:
        return read_path(r, entry, out);
    case ENTRY_UNSUPPORTED:
        return unsupported(r, entry->key);
    }
    return false;
}

static bool unknown(JsonReader *r, Str key) {
    Str shown = utf8_cut(key, 64);
    return json_reader_fail(r, "there is no setting `" STR_FMT "`", STR_ARG(shown));
}

static bool open_object(JsonReader *r) {
    JsonKind kind = json_reader_peek(r);
    return kind == JSON_OBJECT ? json_reader_object(r) : expected(r, "an object", kind);
}

/* The object whose keys are `entries`. */
static bool read_entries(JsonReader *r, const Entry *entries, Settings *out) {
    uint32_t seen = 0;
    bool more = true;
    Str key;
    if (!open_object(r)) {
        return false;
    }
    while (json_reader_member(r, &more, &key) && more) {
        size_t which = 0;
        while (entries[which].key != NULL && !str_equal(key, str_from(entries[which].key))) {
            which++;
        }
        if (entries[which].key == NULL) {
            return unknown(r, key);
        }
        if ((seen >> which & 1) != 0) {
            return json_reader_fail(r, "this setting stands twice");
        }
        seen |= UINT32_C(1) << which;
        if (!read_entry(r, &entries[which], out)) {
            return false;
        }
    }
    for (size_t i = 0; !r->failed && entries[i].key != NULL; i++) {
        if (entries[i].required && (seen >> i & 1) == 0) {
            return json_reader_fail(r, "`%s` is missing", entries[i].key);
        }
    }
    return !r->failed;
}

static bool is_snake_case(Str name) {
    bool letter = false; /* a part has begun */
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool lower = c >= 'a' && c <= 'z';
        bool digit = c >= '0' && c <= '9';
        if (c == '_' ? !letter : !lower && !(digit && i > 0)) {
            return false;
        }
        letter = c != '_';
    }
    return letter;
}

static bool read_databases(JsonReader *r, Settings *out) {
    bool more = true;
    Str key;
    if (!open_object(r)) {
        return false;
    }
    while (json_reader_member(r, &more, &key) && more) {
        if (!str_equal(key, STR("default"))) {
            return is_snake_case(key) ? json_reader_fail(r, "a connection beside `default` is not "
                                                            "supported yet")
                                      : json_reader_fail(r, "a connection's name is lower_snake_case");
        }
        if (out->has_database) {
            return json_reader_fail(r, "this setting stands twice");
        }
        out->has_database = true;
        if (!read_entries(r, database_entries, out)) {
            return false;
        }
    }
    return !r->failed && (out->has_database || json_reader_fail(r, "`default` is missing"));
}

static bool read_section(JsonReader *r, size_t which, Settings *out) {
    if (sections[which].is_database) {
        return read_databases(r, out);
    }
    return sections[which].entries != NULL ? read_entries(r, sections[which].entries, out)
                                           : unsupported(r, sections[which].key);
}

static bool read_all(JsonReader *r, Settings *out) {
    uint32_t seen = 0;
    bool more = true;
    Str key;
    if (!open_object(r)) {
        return false;
    }
    while (json_reader_member(r, &more, &key) && more) {
        size_t which = 0;
        while (which < COUNT_OF(sections) && !str_equal(key, str_from(sections[which].key))) {
            which++;
        }
        if (which == COUNT_OF(sections)) {
            return unknown(r, key);
        }
        if ((seen >> which & 1) != 0) {
            return json_reader_fail(r, "this setting stands twice");
        }
        seen |= UINT32_C(1) << which;
        if (!read_section(r, which, out)) {
            return false;
        }
    }
    out->has_runtime = (seen & 1) != 0;
    out->has_job = (seen >> 1 & 1) != 0;
    return json_reader_end(r);
}

static bool misfit(JsonError *error, const char *path, const char *format, ...) PRINTF_LIKE(3, 4);
static bool misfit(JsonError *error, const char *path, const char *format, ...) {
    *error = (JsonError){0};
    snprintf(error->path, sizeof error->path, "%s", path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}

bool settings_parse(Arena *arena, Str text, Settings *out, JsonError *error) {
    Settings settings = {0};
    put_defaults(&settings, runtime_entries);
    put_defaults(&settings, job_entries);
    put_defaults(&settings, database_entries);
    put_defaults(&settings, log_entries);
    JsonReader reader;
    json_reader_init(&reader, arena, text, (JsonLimits){SETTINGS_BYTES_MAX, 16, 4096});
    if (!read_all(&reader, &settings)) {
        *error = reader.error;
        return false;
    }
    if (settings.has_job && settings.job.retry_max_ms < settings.job.retry_base_ms) {
        return misfit(error, "$.job.retry_max_ms",
                      "expected a whole number from retry_base_ms (%" PRId64 ") to 86400000, found %" PRId64,
                      settings.job.retry_base_ms, settings.job.retry_max_ms);
    }
    *out = settings;
    return true;
}

/* ---- against the program ---- */

bool settings_check(const Settings *s, const SettingsNeeds *needs, JsonError *error) {
    if (needs->uses_database && !s->has_database) {
        return misfit(error, "$.database", "the program has Models or jobs: add `\"default\": "
                                           "{ \"type\": \"sqlite\", \"path\": \"data/db/app.db\" }`");
    }
    if (!needs->starts) {
        return true;
    }
    if (needs->serves_jobs && !s->has_runtime) {
        return misfit(error, "$.runtime", "the program starts a worker: add "
                                          "`\"runtime\": { \"mode\": \"worker\", \"shutdown_ms\": 30000 }`");
    }
    if (s->runtime.mode != MODE_WORKER) {
        return misfit(error, "$.runtime.mode",
                      "mode \"%s\" serves HTTP, which is not supported yet; expected \"worker\"",
                      mode_words[s->runtime.mode]);
    }
    if (!needs->serves_jobs || !needs->has_jobs) {
        return misfit(error, "$.runtime.mode", needs->has_jobs
                          ? "mode \"worker\" needs `dever.job.serve()` in module/main.dever"
                          : "mode \"worker\" needs a job in the program, and there is none");
    }
    if (!s->has_job) {
        return misfit(error, "$.job", "the program starts a worker: add workers, poll_ms, lease_ms, "
                                      "retry_base_ms and retry_max_ms");
    }
    if (s->database.max_connections < s->job.workers + 1) {
        return misfit(error, "$.database.default.max_connections",
                      "expected at least job.workers + 1 = %" PRId64 ", found %" PRId64,
                      s->job.workers + 1, s->database.max_connections);
    }
    if (s->job.lease_ms < 2 * needs->longest_timeout_ms) {
        return misfit(error, "$.job.lease_ms",
                      "expected at least twice the longest timeout of a job on SQLite (%" PRId64
                      " ms) = %" PRId64 ", found %" PRId64,
                      needs->longest_timeout_ms, 2 * needs->longest_timeout_ms, s->job.lease_ms);
    }
    return true;
}
