/* contract/settings.c: tables of entries, one walk over the JSON text that obeys them, and what must hold
 * between settings and program. Nothing is set before all is read. */
#include "contract/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

/* ---- the tables ---- */

typedef enum EntryKind {
    ENTRY_INT,        /* least to most */
    ENTRY_WORD,       /* one of `words`, stored as its index */
    ENTRY_PATH,       /* of a file */
    ENTRY_UNSUPPORTED /* known to the language, not to this version */
} EntryKind;

typedef struct Entry {
    const char *key;
    EntryKind kind;
    bool required;
    size_t offset; /* in Settings: int64_t, or Str for a path */
    int64_t least, most, otherwise;
    const char *const
        *words; /* NULL-terminated; a word that begins with `!` is not supported yet */
} Entry;

static const char *const mode_words[] = {"api", "worker", "all", NULL};
static const char *const level_words[] = {"debug", "info", "warn", "error", NULL};
static const char *const type_words[] = {"sqlite", "!postgres", NULL};

#define AT(member) offsetof(Settings, member)
#define UNSUPPORTED(key) \
    { key, ENTRY_UNSUPPORTED, false, 0, 0, 0, 0, NULL }
#define END \
    { NULL, ENTRY_INT, false, 0, 0, 0, 0, NULL }

static const Entry runtime_entries[] = {
    {"mode", ENTRY_WORD, true, AT(runtime.mode), 0, 0, MODE_API, mode_words},
    {"shutdown_ms", ENTRY_INT, true, AT(runtime.shutdown_ms), 1, 3600000, 30000, NULL},
    END,
};

static const Entry job_entries[] = {
    {"workers", ENTRY_INT, true, AT(job.workers), 1, 256, 0, NULL},
    {"poll_ms", ENTRY_INT, true, AT(job.poll_ms), 1, 60000, 0, NULL},
    {"lease_ms", ENTRY_INT, true, AT(job.lease_ms), 100, 7200000, 0, NULL},
    {"retry_base_ms", ENTRY_INT, true, AT(job.retry_base_ms), 1, 3600000, 0, NULL},
    {"retry_max_ms", ENTRY_INT, true, AT(job.retry_max_ms), 1, 86400000, 0, NULL},
    {"retry_jitter", ENTRY_INT, false, AT(job.retry_jitter), 0, 100, 10, NULL},
    {"deploy_grace_ms", ENTRY_INT, false, AT(job.deploy_grace_ms), 0, 86400000, 300000, NULL},
    UNSUPPORTED("retention_ms"),
    UNSUPPORTED("dead_retention_ms"),
    END,
};

static const Entry database_entries[] = {
    {"type", ENTRY_WORD, true, AT(database.type), 0, 0, 0, type_words},
    {"path", ENTRY_PATH, true, AT(database.path), 0, 0, 0, NULL},
    {"max_connections", ENTRY_INT, false, AT(database.max_connections), 1, 512, 16, NULL},
    {"max_page_size", ENTRY_INT, false, AT(database.max_page_size), 1, 10000, 100, NULL},
    UNSUPPORTED("tenant_directory"),
    UNSUPPORTED("tenant_database_prefix"),
    UNSUPPORTED("url"),
    UNSUPPORTED("tls"),
    UNSUPPORTED("min_connections"),
    UNSUPPORTED("wait_timeout_ms"),
    UNSUPPORTED("io_timeout_ms"),
    END,
};

static const Entry log_entries[] = {
    {"level", ENTRY_WORD, false, AT(log.level), 0, 0, LOG_INFO, level_words},
    END,
};

typedef enum SectionKind {
    SECTION_ENTRIES,   /* an object with these entries */
    SECTION_DATABASES, /* an object of connections, each with these entries */
    SECTION_UNSUPPORTED
} SectionKind;

/* The entries of the file itself. */
static const struct {
    const char *key;
    SectionKind kind;
    const Entry *entries;
    size_t present; /* in Settings: the bool that says it is there */
} sections[] = {
    {"runtime", SECTION_ENTRIES, runtime_entries, AT(has_runtime)},
    {"job", SECTION_ENTRIES, job_entries, AT(has_job)},
    {"database", SECTION_DATABASES, database_entries, AT(has_database)},
    {"log", SECTION_ENTRIES, log_entries, AT(has_log)},
    {"http", SECTION_UNSUPPORTED, NULL, 0},
    {"adapter", SECTION_UNSUPPORTED, NULL, 0},
    {"auth", SECTION_UNSUPPORTED, NULL, 0},
    {"sites", SECTION_UNSUPPORTED, NULL, 0},
    {"tenant", SECTION_UNSUPPORTED, NULL, 0},
    {"dever", SECTION_UNSUPPORTED, NULL, 0},
    {"lib", SECTION_UNSUPPORTED, NULL, 0},
    {"package", SECTION_UNSUPPORTED, NULL, 0},
    {"performance", SECTION_UNSUPPORTED, NULL, 0},
};

static int64_t *int_at(Settings *settings, const Entry *entry) {
    return (int64_t *)(void *)((char *)settings + entry->offset);
}

static void put_defaults(Settings *settings) {
    for (size_t i = 0; i < COUNT_OF(sections); i++) {
        const Entry *entry = sections[i].entries;
        for (; entry != NULL && entry->key != NULL; entry++) {
            if (entry->kind == ENTRY_INT || entry->kind == ENTRY_WORD) {
                *int_at(settings, entry) = entry->otherwise;
            }
        }
    }
}

/* ---- values ---- */

static bool unsupported(JsonReader *r, const char *what) {
    return json_reader_fail_key(r, "`%s` is not supported yet", what);
}

static bool expected(JsonReader *r, const char *wanted, JsonKind found) {
    return found == JSON_INVALID
               ? json_reader_skip(r, NULL) /* it says what is wrong with the text */
               : json_reader_fail(r, "expected %s, found %s", wanted, json_kind_text(found));
}

/* The value between `at` and the cursor is of the right kind, but not allowed. It is shown as written. */
static bool not_allowed(JsonReader *r, size_t at, const char *wanted) {
    Str found = str_slice(r->text, at, r->at);
    Str shown = utf8_cut(found, 80);
    return json_reader_fail_at(r, at, "expected %s, found " STR_FMT "%s", wanted, STR_ARG(shown),
                               shown.len < found.len ? "..." : "");
}

/* A number without point or exponent that fits. */
static bool int_of(Str text, int64_t *out) {
    char digits[24]; /* INT64_MIN has 20 characters */
    if (text.len >= sizeof digits || str_find_char(text, '.', NULL) ||
        str_find_char(text, 'e', NULL) || str_find_char(text, 'E', NULL)) {
        return false;
    }
    memcpy(digits, text.ptr, text.len);
    digits[text.len] = '\0';
    errno = 0;
    *out = strtoll(digits, NULL, 10);
    return errno == 0;
}

static bool read_int(JsonReader *r, const Entry *entry, Settings *out) {
    char wanted[96];
    snprintf(wanted, sizeof wanted, "a whole number from %" PRId64 " to %" PRId64, entry->least,
             entry->most);
    JsonKind kind = json_reader_peek(r);
    size_t at = r->at;
    Str text;
    int64_t value;
    if (kind != JSON_NUMBER) {
        return expected(r, wanted, kind);
    }
    if (!json_reader_number(r, &text)) {
        return false;
    }
    if (!int_of(text, &value) || value < entry->least || value > entry->most) {
        return not_allowed(r, at, wanted);
    }
    *int_at(out, entry) = value;
    /* Whichever of the two comes last is compared; until then the other one is 0. */
    if (out->job.retry_max_ms != 0 && out->job.retry_max_ms < out->job.retry_base_ms) {
        bool is_base = entry->offset == AT(job.retry_base_ms);
        snprintf(wanted, sizeof wanted,
                 is_base ? "a whole number from 1 to retry_max_ms (%" PRId64 ")"
                         : "a whole number from retry_base_ms (%" PRId64 ") to 86400000",
                 is_base ? out->job.retry_max_ms : out->job.retry_base_ms);
        return not_allowed(r, at, wanted);
    }
    return true;
}

static bool read_word(JsonReader *r, const Entry *entry, Settings *out) {
    char wanted[96] = "one of ";
    for (size_t i = 0; entry->words[i] != NULL && entry->words[i][0] != '!'; i++) {
        size_t used = strlen(wanted);
        snprintf(wanted + used, sizeof wanted - used, "%s\"%s\"", i == 0 ? "" : ", ",
                 entry->words[i]);
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
        bool supported = entry->words[i][0] != '!';
        if (str_equal(text, str_from(entry->words[i] + (supported ? 0 : 1)))) {
            *int_at(out, entry) = (int64_t)i;
            return supported ||
                   json_reader_fail_at(r, at, "\"" STR_FMT "\" is not supported yet; expected %s",
                                       STR_ARG(text), wanted);
        }
    }
    return not_allowed(r, at, wanted);
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
        return not_allowed(r, at, wanted);
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

/* ---- objects ---- */

/* *out_at is where it begins: the place of what is missing in it. */
static bool open_object(JsonReader *r, size_t *out_at) {
    JsonKind kind = json_reader_peek(r);
    *out_at = r->at;
    return kind == JSON_OBJECT ? json_reader_object(r) : expected(r, "an object", kind);
}

static bool twice(JsonReader *r) {
    return json_reader_fail_key(r, "this setting stands twice");
}

/* The object whose keys are `entries`. */
static bool read_entries(JsonReader *r, const Entry *entries, Settings *out) {
    uint32_t seen = 0;
    size_t begin;
    bool more = true;
    Str key;
    if (!open_object(r, &begin)) {
        return false;
    }
    while (json_reader_member(r, &more, &key) && more) {
        size_t which = 0;
        while (entries[which].key != NULL && !str_equal(key, str_from(entries[which].key))) {
            which++;
        }
        if (entries[which].key == NULL) {
            char known[160] = "";
            for (const Entry *entry = entries; entry->key != NULL; entry++) {
                size_t used = strlen(known);
                if (entry->kind != ENTRY_UNSUPPORTED) {
                    snprintf(known + used, sizeof known - used, "%s%s", used == 0 ? "" : ", ",
                             entry->key);
                }
            }
            return json_reader_fail_key(r, "there is no such setting; expected %s", known);
        }
        if ((seen >> which & 1) != 0) {
            return twice(r);
        }
        seen |= UINT32_C(1) << which;
        if (!read_entry(r, &entries[which], out)) {
            return false;
        }
    }
    for (size_t i = 0; !r->failed && entries[i].key != NULL; i++) {
        if (entries[i].required && (seen >> i & 1) == 0) {
            return json_reader_fail_at(r, begin, "`%s` is missing", entries[i].key);
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

static bool read_databases(JsonReader *r, const Entry *entries, Settings *out) {
    bool found = false;
    size_t begin;
    bool more = true;
    Str key;
    if (!open_object(r, &begin)) {
        return false;
    }
    while (json_reader_member(r, &more, &key) && more) {
        if (!str_equal(key, STR("default"))) {
            return json_reader_fail_key(
                r, is_snake_case(key) ? "a connection beside `default` is not supported yet"
                                      : "the name of a connection is lower_snake_case");
        }
        if (found) {
            return twice(r);
        }
        found = true;
        if (!read_entries(r, entries, out)) {
            return false;
        }
    }
    return !r->failed && (found || json_reader_fail_at(r, begin, "`default` is missing"));
}

static bool read_section(JsonReader *r, size_t which, Settings *out) {
    switch (sections[which].kind) {
    case SECTION_ENTRIES:
        return read_entries(r, sections[which].entries, out);
    case SECTION_DATABASES:
        return read_databases(r, sections[which].entries, out);
    case SECTION_UNSUPPORTED:
        return unsupported(r, sections[which].key);
    }
    return false;
}

static bool read_all(JsonReader *r, Settings *out) {
    size_t begin;
    bool more = true;
    Str key;
    if (!open_object(r, &begin)) {
        return false;
    }
    while (json_reader_member(r, &more, &key) && more) {
        size_t which = 0;
        while (which < COUNT_OF(sections) && !str_equal(key, str_from(sections[which].key))) {
            which++;
        }
        if (which == COUNT_OF(sections)) {
            return json_reader_fail_key(
                r, "there is no such setting; expected runtime, job, database, log");
        }
        bool *present = (bool *)(void *)((char *)out + sections[which].present);
        if (sections[which].kind != SECTION_UNSUPPORTED && *present) {
            return twice(r);
        }
        if (!read_section(r, which, out)) {
            return false;
        }
        *present = true;
    }
    return json_reader_end(r);
}

bool settings_parse(Arena *arena, Str text, Settings *out, JsonError *error) {
    Settings settings = {0};
    JsonReader reader;
    put_defaults(&settings);
    json_reader_init(&reader, arena, text, (JsonLimits){SETTINGS_BYTES_MAX, 16, 4096});
    if (!read_all(&reader, &settings)) {
        *error = reader.error;
        return false;
    }
    *out = settings;
    return true;
}

/* ---- against the program ---- */

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

bool settings_check(const Settings *s, const SettingsNeeds *needs, JsonError *error) {
    if (needs->uses_database && !s->has_database) {
        return misfit(error, "$.database",
                      "the program has Models or jobs: add `\"default\": "
                      "{ \"type\": \"sqlite\", \"path\": \"data/db/app.db\" }`");
    }
    if (!needs->starts) {
        return true;
    }
    if (!needs->serves_jobs && !s->has_runtime) {
        return true; /* a main that starts no service needs nothing more */
    }
    if (!s->has_runtime) {
        return misfit(error, "$.runtime",
                      "the program starts a worker: add "
                      "`\"runtime\": { \"mode\": \"worker\", \"shutdown_ms\": 30000 }`");
    }
    if (s->runtime.mode != MODE_WORKER) {
        return misfit(error, "$.runtime.mode",
                      "mode \"%s\" serves HTTP, which is not supported yet; expected \"worker\"",
                      mode_words[s->runtime.mode]);
    }
    if (!needs->serves_jobs || !needs->has_jobs) {
        return misfit(error, "$.runtime.mode",
                      needs->has_jobs
                          ? "mode \"worker\" needs `dever.job.serve()` in module/main.dever"
                          : "mode \"worker\" needs a job in the program, and there is none");
    }
    if (!s->has_job) {
        return misfit(error, "$.job",
                      "the program starts a worker: add workers, poll_ms, lease_ms, "
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
