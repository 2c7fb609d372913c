/* compiler/command/make.c: one C file for each domain, compiled side by side and linked.
 *
 * Everything in the cache is named by the hash of all that it depends on: the text of an object, its
 * header, the door's headers, the compiler and its options; for a program of `dever run` its objects
 * and the runtime. So what exists is right, whoever made it, and two builds at once do no harm. */
#include "compiler/command/make.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "base/sha256.h"
#include "compiler/command/command.h"

enum {
    COMPILERS_MOST = 4,
    ARGUMENTS_MOST = 40,
    HEADER_BYTES_MOST = 1024 * 1024,
    OUTPUT_BYTES_MOST = 1024 * 1024,
    KEPT_SECONDS = 7 * 24 * 3600 /* of what no build used */
};

typedef struct Maker {
    Arena *arena;
    const MakeOptions *options;
    const char *compiler; /* path */
    bool is_tcc;
    const char *include; /* folder that holds dever/dever.h */
    const char *library; /* folder that holds libdever.a */
    const char *folder;  /* of the C files */
    Str common;          /* hash of what every object depends on */
} Maker;

/* ---- tools ---- */

/* Beside the compiler in its build folder, or where `make install` puts things. */
static bool find_runtime(Maker *m) {
    const char *own = file_own_folder(m->arena);
    static const struct {
        const char *include;
        const char *library;
    } places[] = {{"../runtime/include", "."}, {"../lib/dever/include", "../lib/dever"}};
    for (size_t i = 0; own != NULL && i < COUNT_OF(places); i++) {
        const char *include = file_join(m->arena, own, places[i].include);
        const char *library = file_join(m->arena, own, places[i].library);
        if (file_exists(file_join(m->arena, include, "dever/dever.h")) &&
            file_exists(file_join(m->arena, library, "libdever.a"))) {
            m->include = file_absolute(m->arena, include);
            m->library = file_absolute(m->arena, library);
            return true;
        }
    }
    command_fail("the runtime (libdever.a and dever/dever.h) is not beside %s",
                 own == NULL ? "dever" : own);
    return false;
}

static bool find_compiler(Maker *m) {
    static const char *const names[] = {"cc", "gcc", "clang"};
    m->compiler = m->options->fast_compile ? process_find(m->arena, "tcc") : NULL;
    m->is_tcc = m->compiler != NULL;
    for (size_t i = 0; m->compiler == NULL && i < COUNT_OF(names); i++) {
        m->compiler = process_find(m->arena, names[i]);
    }
    if (m->compiler == NULL) {
        command_fail(
            "there is no C compiler: install one, for example with `apt-get install gcc`%s",
            m->options->fast_compile ? " or `apt-get install tcc`" : "");
    }
    return m->compiler != NULL;
}

/* ---- names in the cache ---- */

static const char *cached(Maker *m, Buf *identity, const char *suffix) {
    char hash[SHA256_HEX_SIZE];
    sha256_hex(buf_str(identity), hash);
    buf_done(identity);
    return file_join(m->arena, m->options->cache,
                     str_format(m->arena, "%.32s.%s", hash, suffix).ptr);
}

/* The compiler, how it is called, the headers of the door as they are now and that of the program. */
static bool identify_common(Maker *m, Str program_header) {
    const char *folder = file_join(m->arena, m->include, "dever");
    FileEntries headers = {0};
    Buf identity = {0};
    bool good = file_list(m->arena, folder, &headers);
    buf_format(&identity, "%s %d %s\n", m->compiler, m->options->fast_compile, m->include);
    for (size_t i = 0; good && i < headers.count; i++) {
        const char *name = str_cstr(m->arena, headers.items[i].name);
        Str text;
        good = file_read(m->arena, file_join(m->arena, folder, name), HEADER_BYTES_MOST, &text);
        if (good) {
            buf_add(&identity, text);
        }
    }
    if (!good) {
        command_fail("the headers in %s cannot be read: %s", folder, strerror(errno));
    }
    buf_add(&identity, program_header);
    char *hash = arena_alloc(m->arena, SHA256_HEX_SIZE, 1);
    sha256_hex(buf_str(&identity), hash);
    buf_done(&identity);
    m->common = str_from(hash);
    return good;
}

static const char *object_path(Maker *m, const EmittedFile *file) {
    Buf identity = {0};
    buf_add(&identity, m->common);
    buf_add(&identity, buf_str(&file->text));
    return cached(m, &identity, "o");
}

static const char *program_path(Maker *m, const char **objects, size_t count) {
    struct stat library = {0};
    Buf identity = {0};
    stat(file_join(m->arena, m->library, "libdever.a"), &library);
    buf_format(&identity, "%lld %lld.%ld\n", (long long)library.st_size,
               (long long)library.st_mtim.tv_sec, library.st_mtim.tv_nsec);
    for (size_t i = 0; i < count; i++) {
        buf_format(&identity, "%s\n", objects[i]);
    }
    return cached(m, &identity, "program");
}

/* Removes what no build has used for a week. What this one used is marked as new before. */
static void prune(Maker *m, const char **objects, size_t count) {
    FileEntries entries = {0};
    int64_t oldest = clock_wall_ms() / 1000 - KEPT_SECONDS;
    for (size_t i = 0; i < count; i++) {
        utimensat(AT_FDCWD, objects[i], NULL, 0);
    }
    if (!file_list(m->arena, m->options->cache, &entries)) {
        return;
    }
    for (size_t i = 0; i < entries.count; i++) {
        const char *name = str_cstr(m->arena, entries.items[i].name);
        const char *path = file_join(m->arena, m->options->cache, name);
        struct stat about;
        if (!entries.items[i].is_folder && lstat(path, &about) == 0 &&
            about.st_mtim.tv_sec < oldest) {
            unlink(path);
        }
    }
}

/* ---- running the C compiler ---- */

/* Something that is made beside its place and renamed when it is whole. */
typedef struct Task {
    Process process;
    const char *target;
    const char *partial;
} Task;

static bool start_task(Maker *m, Task *task, const char *target, const char **arguments,
                       size_t count) {
    *task = (Task){.target = target};
    task->partial = str_format(m->arena, "%s.%d", target, getpid()).ptr;
    arguments[count++] = "-o";
    arguments[count++] = task->partial;
    arguments[count] = NULL;
    if (!process_start(&task->process, m->compiler, arguments)) {
        command_fail("%s cannot be started: %s", m->compiler, strerror(errno));
        return false;
    }
    return true;
}

/* `trouble` says what a failure of the compiler means. */
static bool finish_task(Task *task, const char *trouble) {
    Buf output = {.limit = OUTPUT_BYTES_MOST};
    bool good = process_wait(&task->process, &output) == 0;
    if (!good) {
        command_fail("%s\n%s", trouble, output.len == 0 ? "" : output.data);
    } else if (rename(task->partial, task->target) != 0) {
        command_fail("%s cannot be written: %s", task->target, strerror(errno));
        good = false;
    }
    if (!good) {
        unlink(task->partial);
    }
    buf_done(&output);
    return good;
}

static bool start_compile(Maker *m, Task *task, const EmittedFile *file, const char *object) {
    const char *arguments[ARGUMENTS_MOST];
    size_t count = 0;
    arguments[count++] = m->compiler;
    if (!m->is_tcc) {
        arguments[count++] = m->options->fast_compile ? "-O0" : "-O2";
        arguments[count++] = "-g";
    }
    /* Warnings about generated code help nobody here; the tests have them on. */
    arguments[count++] = "-w";
    arguments[count++] = "-I";
    arguments[count++] = m->include;
    arguments[count++] = "-I";
    arguments[count++] = m->folder;
    arguments[count++] = "-c";
    arguments[count++] = file_join(m->arena, m->folder, str_cstr(m->arena, file->name));
    return start_task(m, task, object, arguments, count);
}

static bool finish_compile(Task *task) {
    return finish_task(task, "compiling the generated C failed; this is a fault of dever, please "
                             "report it with this output:");
}

static bool is_c(const EmittedFile *file) {
    return str_ends_with(file->name, STR(".c"));
}

static size_t compilers_at_once(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > COMPILERS_MOST ? COMPILERS_MOST : (size_t)processors;
}

/* Compiles what is not in the cache, as many at once as there are processors. */
static bool compile_all(Maker *m, const EmittedFiles *files, const char **objects) {
    Task tasks[COMPILERS_MOST];
    size_t most = compilers_at_once();
    size_t open = 0;
    size_t done = 0;
    bool good = true;
    for (size_t i = 0; good && i < files->count; i++) {
        const EmittedFile *file = &files->items[i];
        if (!is_c(file)) {
            continue;
        }
        const char *object = object_path(m, file);
        objects[done++] = object;
        if (file_exists(object)) {
            continue;
        }
        if (open == most) {
            good = finish_compile(&tasks[0]);
            memmove(tasks, tasks + 1, --open * sizeof tasks[0]);
        }
        if (good) {
            good = start_compile(m, &tasks[open], file, object);
            open += good ? 1 : 0;
        }
    }
    for (size_t i = 0; i < open; i++) {
        good = finish_compile(&tasks[i]) && good;
    }
    return good;
}

static bool link_all(Maker *m, const char **objects, size_t count, const char *output) {
    static const char *const libraries[] = {"-ldever",    "-lsqlite3", "-lsodium",
                                            "-lutf8proc", "-lpthread", "-lm"};
    const char **arguments = arena_make_n(m->arena, const char *, count + ARGUMENTS_MOST);
    size_t used = 0;
    arguments[used++] = m->compiler;
    for (size_t i = 0; i < count; i++) {
        arguments[used++] = objects[i];
    }
    arguments[used++] = "-L";
    arguments[used++] = m->library;
    for (size_t i = 0; i < COUNT_OF(libraries); i++) {
        arguments[used++] = libraries[i];
    }
    Task task;
    return start_task(m, &task, output, arguments, used) &&
           finish_task(&task, "linking failed; where a library is missing, `apt-get install "
                              "libsqlite3-dev libsodium-dev libutf8proc-dev` brings it:");
}

/* ---- the whole ---- */

/* A file that is there already with the same text stays as it is. */
static bool write_file(Maker *m, const EmittedFile *file) {
    const char *path = file_join(m->arena, m->folder, str_cstr(m->arena, file->name));
    Str old;
    if (buf_ok(&file->text) && file_exists(path) &&
        file_read(m->arena, path, file->text.len, &old) && str_equal(old, buf_str(&file->text))) {
        return true;
    }
    if (buf_ok(&file->text) && file_write(path, buf_str(&file->text), 0644)) {
        return true;
    }
    command_fail("%s cannot be written: %s", path, strerror(errno));
    return false;
}

static bool write_files(Maker *m, const EmittedFiles *files) {
    const char *const folders[] = {m->folder, m->options->cache};
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        if (!file_make_folders(folders[i])) {
            command_fail("the folder %s cannot be made: %s", folders[i], strerror(errno));
            return false;
        }
    }
    for (size_t i = 0; i < files->count; i++) {
        if (!write_file(m, &files->items[i])) {
            return false;
        }
    }
    return true;
}

static const char *make_files(Maker *m, const EmittedFiles *files) {
    const char **objects = arena_make_n(m->arena, const char *, files->count + 1);
    const char *output = m->options->output;
    size_t count = 0;
    for (size_t i = 0; i < files->count; i++) {
        count += is_c(&files->items[i]) ? 1 : 0;
    }
    if (!write_files(m, files) || !compile_all(m, files, objects)) {
        return NULL;
    }
    if (output == NULL) {
        output = program_path(m, objects, count);
        objects[count] = output;
    }
    bool is_made = m->options->output == NULL && file_exists(output);
    if (!is_made && !link_all(m, objects, count, output)) {
        return NULL;
    }
    prune(m, objects, count + (m->options->output == NULL ? 1 : 0));
    return output;
}

static Str header_of(const EmittedFiles *files) {
    size_t i = 0;
    while (!str_equal(files->items[i].name, STR("program.h"))) {
        i++;
    }
    return buf_str(&files->items[i].text);
}

const char *make_program(Arena *arena, const Program *program, const MakeOptions *options) {
    Maker m = {.arena = arena, .options = options};
    if (!find_runtime(&m) || !find_compiler(&m)) {
        return NULL;
    }
    m.folder = options->keep_c != NULL ? options->keep_c : file_join(arena, options->cache, "c");
    EmittedFiles files = emit_program(program, &options->emit);
    const char *made = identify_common(&m, header_of(&files)) ? make_files(&m, &files) : NULL;
    for (size_t i = 0; i < files.count; i++) {
        buf_done(&files.items[i].text);
    }
    return made;
}
