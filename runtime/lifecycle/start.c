/* runtime/lifecycle/start.c: everything is checked before anything is opened, and opened before
 * anything runs. */
#include "runtime/lifecycle/start.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "runtime/database/database.h"
#include "runtime/database/schema.h"
#include "runtime/job/job.h"
#include "runtime/process/log.h"

static Database *database; /* between start_begin and start_end */

static bool refuse(const char *format, ...) PRINTF_LIKE(1, 2);
static bool refuse(const char *format, ...) {
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    log_write(LOG_ERROR, str_from(message), NULL, 0);
    return false;
}

/* ---- settings ---- */

static SettingsNeeds needs_of(const dv_program *program, bool serves) {
    SettingsNeeds needs = {.starts = serves,
                           .serves_jobs = program->serves_jobs,
                           .has_jobs = program->job_count > 0,
                           .uses_database = program->job_count > 0 || program->model_count > 0};
    for (uint32_t i = 0; i < program->job_count; i++) {
        if (program->jobs[i]->timeout_ms > needs.longest_timeout_ms) {
            needs.longest_timeout_ms = program->jobs[i]->timeout_ms;
        }
    }
    return needs;
}

static bool refuse_setting(const char *path, const JsonError *error) {
    if (error->line == 0) {
        return refuse("%s: %s: %s", path, error->path, error->message);
    }
    return refuse("%s:%u:%u: %s: %s", path, error->line, error->column, error->path,
                  error->message);
}

static bool load_settings(Started *started, bool serves) {
    SettingsNeeds needs = needs_of(started->program, serves);
    const char *path = file_join(started->arena, started->root, "config/setting.json");
    Str text = STR("{}"); /* a program that needs nothing needs no file */
    JsonError error;
    started->has_settings = file_read(started->arena, path, SETTINGS_BYTES_MAX, &text);
    if (!started->has_settings && (errno != ENOENT || needs.uses_database || serves)) {
        return refuse("%s cannot be read: %s", path, strerror(errno));
    }
    if (!settings_parse(started->arena, text, &started->settings, &error) ||
        !settings_check(&started->settings, &needs, &error)) {
        return refuse_setting(path, &error);
    }
    log_set_level((LogLevel)started->settings.log.level);
    return true;
}

/* ---- folders and databases ---- */

static bool make_folders(const Started *started) {
    static const char *const folders[] = {"data/db", "data/log", "data/cache", "data/tmp"};
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        const char *path = file_join(started->arena, started->root, folders[i]);
        if (!file_make_folders(path)) {
            return refuse("the folder %s cannot be made: %s", path, strerror(errno));
        }
    }
    return true;
}

/* The folder of the database file, which may stand anywhere. */
static bool make_parent(const Started *started, const char *path) {
    size_t slash = 0;
    if (!str_find_last_char(str_from(path), '/', &slash) || slash == 0) {
        return true;
    }
    const char *folder = str_cstr(started->arena, str_slice(str_from(path), 0, slash));
    return file_make_folders(folder) ||
           refuse("the folder %s cannot be made: %s", folder, strerror(errno));
}

static bool open_database(Started *started) {
    const Settings *settings = &started->settings;
    const char *path =
        file_join(started->arena, started->root, str_cstr(started->arena, settings->database.path));
    DbError error = {0};
    if (!make_parent(started, path)) {
        return false;
    }
    DatabaseOptions options = {.key = "default",
                               .path = path,
                               .max_connections = (uint32_t)settings->database.max_connections,
                               .max_page_size = settings->database.max_page_size};
    database = database_open(&options, &error);
    if (database == NULL || !databases_add(database)) {
        return refuse("database default: %s", error.message);
    }
    const dv_program *program = started->program;
    if (!schema_prepare(database, program->models, program->model_count, clock_wall_ms(), &error)) {
        return refuse("database default: %s", error.message);
    }
    return true;
}

static bool start_jobs(const Started *started, bool serves) {
    const Settings *settings = &started->settings;
    JobOptions options = {.serves = serves && settings->runtime.mode != MODE_API,
                          .workers = (int32_t)settings->job.workers,
                          .poll_ms = settings->job.poll_ms,
                          .lease_ms = settings->job.lease_ms,
                          .retry_base_ms = settings->job.retry_base_ms,
                          .retry_max_ms = settings->job.retry_max_ms,
                          .retry_jitter = (int32_t)settings->job.retry_jitter,
                          .deploy_grace_ms = settings->job.deploy_grace_ms};
    DbError error = {0};
    return job_start(started->program, &options, &error) || refuse("jobs: %s", error.message);
}

/* ---- from the outside ---- */

static const char *find_root(Started *started, const dv_program *program) {
    return program->root != NULL ? program->root : file_own_folder(started->arena);
}

bool start_begin(Started *started, const dv_program *program, bool serves) {
    *started = (Started){.arena = arena_new_unlimited(), .copy = *program};
    if (started->copy.built_at == 0) {
        started->copy.built_at = clock_wall_ms();
    }
    started->program = &started->copy;
    started->root = find_root(started, program);
    if (started->root == NULL) {
        return refuse("the folder of the program cannot be found: %s", strerror(errno));
    }
    if (!load_settings(started, serves)) {
        return false;
    }
    if (!started->settings.has_database) {
        return true;
    }
    return make_folders(started) && open_database(started) && start_jobs(started, serves);
}

void start_end(Started *started) {
    job_stop();
    databases_clear();
    database_close(database);
    database = NULL;
    arena_free(started->arena);
}
