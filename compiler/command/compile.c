/* compiler/command/compile.c: the way from a folder to a checked program, and from its messages
 * to the terminal. */
#include "compiler/command/compile.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "compiler/check/check.h"
#include "compiler/command/command.h"
#include "compiler/command/library.h"
#include "compiler/source/loader.h"
#include "compiler/syntax/parser.h"
#include "contract/settings.h"

bool compile_load(Arena *arena, const char *root, bool with_tests, Compilation *out) {
    Buf problem = {0};
    *out = (Compilation){.diagnostics = {.arena = arena}};
    out->project = loader_load(&out->diagnostics, str_from(root), with_tests, &problem);
    if (out->project == NULL) {
        command_fail("%s", buf_str(&problem).ptr);
        buf_done(&problem);
        return false;
    }
    buf_done(&problem);
    for (size_t i = 0; i < out->project->files.count; i++) {
        const SourceFile *file = out->project->files.items[i];
        if (file->role != ROLE_NONE) {
            vec_push(arena, &out->trees, parser_parse(&out->diagnostics, file));
        }
    }
    return true;
}

static FileTree *parse_library(Diagnostics *diagnostics, const LibraryFile *entry) {
    SourceFile *file = source_file_new(diagnostics->arena, entry->path, entry->text);
    file->role = ROLE_LIBRARY;
    file->package = entry->package;
    return parser_parse(diagnostics, file);
}

void compile_check(Compilation *compilation) {
    Diagnostics *diagnostics = &compilation->diagnostics;
    FileTree **library = arena_make_n(diagnostics->arena, FileTree *, library_file_count);
    /* A file that could not be read would only bring messages about what it declares. */
    if (diagnostics->errors > 0) {
        return;
    }
    for (size_t i = 0; i < library_file_count; i++) {
        library[i] = parse_library(diagnostics, &library_files[i]);
    }
    compilation->program =
        check_program(diagnostics, compilation->project, compilation->trees.items,
                      compilation->trees.count, library, library_file_count);
}

/* ---- settings ---- */

static SettingsNeeds needs_of(const Program *program) {
    SettingsNeeds needs = {.starts = program->main != NULL,
                           .serves_jobs = program->main != NULL &&
                                          (program->main->effects & EFFECT_SERVE) != 0,
                           .has_jobs = program->jobs.count > 0,
                           .uses_database = program->jobs.count > 0 || program->models.count > 0};
    for (size_t i = 0; i < program->jobs.count; i++) {
        int64_t timeout = program->jobs.items[i]->timeout_ms;
        needs.longest_timeout_ms =
            timeout > needs.longest_timeout_ms ? timeout : needs.longest_timeout_ms;
    }
    return needs;
}

void compile_check_settings(Compilation *compilation, const char *root, bool required) {
    Diagnostics *diagnostics = &compilation->diagnostics;
    Arena *arena = diagnostics->arena;
    const char *path = file_join(arena, root, "config/setting.json");
    Str text;
    if (compilation->program == NULL) {
        return;
    }
    SettingsNeeds needs = needs_of(compilation->program);
    SourceFile *file = source_file_new(arena, STR("config/setting.json"), STR(""));
    if (!file_read(arena, path, SETTINGS_BYTES_MAX, &text)) {
        if (errno != ENOENT || (required && (needs.uses_database || needs.starts))) {
            diagnostic_add(diagnostics, CODE_S001, (Span){file, 0, 0},
                           "the settings cannot be read: %s", strerror(errno));
        }
        return;
    }
    Settings settings;
    JsonError error;
    if (settings_parse(arena, text, &settings, &error) &&
        settings_check(&settings, &needs, &error)) {
        return;
    }
    file = source_file_new(arena, STR("config/setting.json"), text);
    Span span = {file, 0, 0};
    if (error.line > 0) {
        uint32_t at = 0;
        for (uint32_t line = 1; line < error.line; at++) {
            line += text.ptr[at] == '\n' ? 1 : 0;
        }
        span.from = at + error.column - 1;
        span.to = span.from + 1;
    }
    diagnostic_add(diagnostics, CODE_S001, span, "%s: %s", error.path, error.message);
}

/* ---- messages ---- */

static DiagnosticStyle terminal_style(bool is_terminal) {
    setlocale(LC_CTYPE, "");
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    return is_terminal && utf8 ? DIAGNOSTIC_UNICODE : DIAGNOSTIC_ASCII;
}

static void print_count(const Diagnostics *diagnostics) {
    if (diagnostics->errors > 0) {
        fprintf(stderr, "%zu error%s", diagnostics->errors, diagnostics->errors == 1 ? "" : "s");
    }
    if (diagnostics->warnings > 0) {
        fprintf(stderr, "%s%zu warning%s", diagnostics->errors > 0 ? ", " : "",
                diagnostics->warnings, diagnostics->warnings == 1 ? "" : "s");
    }
    if (diagnostics->items.count > 0) {
        fputc('\n', stderr);
    }
}

int compile_report(Compilation *compilation, bool json) {
    Diagnostics *diagnostics = &compilation->diagnostics;
    bool is_terminal = isatty(STDERR_FILENO);
    DiagnosticStyle style = json ? DIAGNOSTIC_JSON : terminal_style(is_terminal);
    Buf out = {0};
    diagnostics_sort(diagnostics);
    for (size_t i = 0; i < diagnostics->items.count; i++) {
        diagnostic_render(&out, diagnostics->items.items[i], style, is_terminal && !json);
    }
    Str text = buf_str(&out);
    fwrite(text.ptr, 1, text.len, stderr);
    buf_done(&out);
    if (!json) {
        print_count(diagnostics);
    }
    return diagnostics->errors > 0 ? 1 : 0;
}
