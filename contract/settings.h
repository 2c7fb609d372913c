/* contract/settings.h: config/setting.json, the only thing that configures a program.
 *
 * One table in settings.c lists every entry with its range. Reading is strict: an entry that is
 * unknown, doubled, missing, mistyped, null or out of range is an error that names its JSON path, what
 * was found (never a secret's value) and what is allowed. The compiler reads it to check a project, the
 * runtime at its start. */
#ifndef CONTRACT_SETTINGS_H
#define CONTRACT_SETTINGS_H

#include "base/json_reader.h"
#include "base/str.h"

typedef enum RunMode { MODE_API, MODE_WORKER, MODE_ALL } RunMode;
typedef enum LogLevel { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR } LogLevel;

typedef struct Settings {
    bool has_runtime;
    bool has_job;
    bool has_database; /* database.default */
    bool has_log;
    struct {
        int64_t mode; /* RunMode */
        int64_t shutdown_ms;
    } runtime;
    struct {
        int64_t workers;
        int64_t poll_ms;
        int64_t lease_ms;
        int64_t retry_base_ms;
        int64_t retry_max_ms;
        int64_t retry_jitter; /* percent */
        int64_t deploy_grace_ms;
    } job;
    struct {
        int64_t type; /* 0: sqlite */
        Str path;     /* as written: absolute, or relative to the root without `..`; arena */
        int64_t max_connections;
        int64_t max_page_size;
    } database;
    struct {
        int64_t level; /* LogLevel */
    } log;
} Settings;

/* What a program needs of its settings. */
typedef struct SettingsNeeds {
    bool starts;                /* main runs: services start */
    bool serves_jobs;           /* main reaches dever.job.serve() */
    bool has_jobs;              /* there is a job */
    bool uses_database;         /* there is a Model or a job */
    int64_t longest_timeout_ms; /* of the jobs */
} SettingsNeeds;

enum { SETTINGS_BYTES_MAX = 1024 * 1024 };

/* Reads the text of a settings file. Texts of *out live in the arena. False with *error filled. */
bool settings_parse(Arena *arena, Str text, Settings *out, JsonError *error);
/* Sees that the settings suit the program. False with path and message of *error filled (line 0: it
 * has no place). */
bool settings_check(const Settings *settings, const SettingsNeeds *needs, JsonError *error);

#endif
