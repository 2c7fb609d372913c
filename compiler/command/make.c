/* compiler/command/make.c: one C file for each domain, compiled side by side, cached by content. */
#include "compiler/command/make.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "base/sha256.h"
#include "compiler/command/command.h"

enum { COMPILERS_MOST = 4, ARGUMENTS_MOST = 40 };

typedef struct Maker {
    Arena *arena;
    const MakeOptions *options;
    const char *compiler; /* path */
    bool is_tcc;
    const char *include; /* folder that holds dever/dever.h */
    const char *library; /* folder that holds libdever.a */
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

/* ---- objects ---- */

/* What an object depends on: its text, the header, the compiler and how it is called. */
static const char *object_path(Maker *m, const EmittedFile *file, const EmittedFile *header) {
    Buf identity = {0};
    char hash[SHA256_HEX_SIZE];
    buf_format(&identity, "%s %d %s\n", m->compiler, m->options->fast_compile, m->include);
    buf_add(&identity, buf_str(&header->text));
    buf_add(&identity, buf_str(&file->text));
    sha256_hex(buf_str(&identity), hash);
    buf_done(&identity);
    return file_join(m->arena, m->options->cache, str_format(m->arena, "%.32s.o", hash).ptr);
}

static bool start_compiler(Maker *m, const char *source, const char *object, const char *folder,
                           Process *out) {
    const char *arguments[ARGUMENTS_MOST];
    int count = 0;
    arguments[count++] = m->compiler;
    if (!m->is_tcc) {
        arguments[count++] = m->options->fast_compile ? "-O0" : "-O2";
        arguments[count++] = "-g";
    }
    arguments[count++] =
        "-w"; /* warnings about generated code help nobody here; the tests have them on */
    arguments[count++] = "-I";
    arguments[count++] = m->include;
    arguments[count++] = "-I";
    arguments[count++] = folder;
    arguments[count++] = "-c";
    arguments[count++] = source;
    arguments[count++] = "-o";
    arguments[count++] = object;
    arguments[count] = NULL;
    return process_start(out, m->compiler, arguments);
}

static bool compiler_failed(const char *what, Buf *output) {
    command_fail("%s failed; this is a fault of dever, please report it with this output:\n%s",
                 what, buf_str(output).ptr);
    return false;
}

typedef struct Task {
    Process process;
    const char *object;
    const char *partial; /* renamed to the object when it is whole */
} Task;

static bool finish_compile(Task *task) {
    Buf output = {.limit = 1024 * 1024};
    int status = process_wait(&task->process, &output);
    bool good = status == 0 && rename(task->partial, task->object) == 0;
    if (!good) {
        compiler_failed("compiling the generated C", &output);
    }
    buf_done(&output);
    return good;
}

static bool write_text(const char *path, const EmittedFile *file) {
    if (buf_ok(&file->text) && file_write(path, buf_str(&file->text), 0644)) {
        return true;
    }
    command_fail("%s cannot be written: %s", path, strerror(errno));
    return false;
}

static bool is_c(const EmittedFile *file) {
    return str_ends_with(file->name, STR(".c"));
}

static const EmittedFile *find_file(const EmittedFiles *files, Str name) {
    for (size_t i = 0; i < files->count; i++) {
        if (str_equal(files->items[i].name, name)) {
            return &files->items[i];
        }
    }
    return NULL;
}

/* Compiles what is not in the cache, as many at once as there are processors. */
static bool compile_all(Maker *m, const EmittedFiles *files, const char *folder,
                        const char **objects) {
    Task tasks[COMPILERS_MOST];
    size_t open = 0;
    size_t done = 0;
    bool good = true;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = processors < 1                ? 1
                  : processors > COMPILERS_MOST ? COMPILERS_MOST
                                                : (size_t)processors;
    const EmittedFile *header = find_file(files, STR("program.h"));
    for (size_t i = 0; good && i < files->count; i++) {
        const EmittedFile *file = &files->items[i];
        if (!is_c(file)) {
            continue;
        }
        const char *object = object_path(m, file, header);
        objects[done++] = object;
        if (file_exists(object)) {
            continue;
        }
        if (open == most) {
            good = finish_compile(&tasks[0]);
            memmove(tasks, tasks + 1, (open - 1) * sizeof tasks[0]);
            open--;
        }
        Task task = {.object = object};
        task.partial = str_format(m->arena, "%s.%d", object, getpid()).ptr;
        const char *source = file_join(m->arena, folder, str_cstr(m->arena, file->name));
        if (good && !start_compiler(m, source, task.partial, folder, &task.process)) {
            command_fail("%s cannot be started: %s", m->compiler, strerror(errno));
            good = false;
        } else if (good) {
            tasks[open++] = task;
        }
    }
    for (size_t i = 0; i < open; i++) {
        good = finish_compile(&tasks[i]) && good;
    }
    return good;
}

static bool link_all(Maker *m, const char **objects, size_t count) {
    static const char *const libraries[] = {"-ldever",    "-lsqlite3", "-lsodium",
                                            "-lutf8proc", "-lpthread", "-lm"};
    size_t size = count + 16;
    const char **arguments = arena_make_n(m->arena, const char *, size);
    size_t used = 0;
    const char *partial = str_format(m->arena, "%s.%d", m->options->output, getpid()).ptr;
    arguments[used++] = m->compiler;
    for (size_t i = 0; i < count; i++) {
        arguments[used++] = objects[i];
    }
    arguments[used++] = "-L";
    arguments[used++] = m->library;
    for (size_t i = 0; i < COUNT_OF(libraries); i++) {
        arguments[used++] = libraries[i];
    }
    arguments[used++] = "-o";
    arguments[used++] = partial;
    Process process;
    if (!process_start(&process, m->compiler, arguments)) {
        command_fail("%s cannot be started: %s", m->compiler, strerror(errno));
        return false;
    }
    Buf output = {.limit = 1024 * 1024};
    bool good = process_wait(&process, &output) == 0;
    if (!good) {
        compiler_failed("linking", &output);
        unlink(partial);
    } else if (rename(partial, m->options->output) != 0) {
        command_fail("%s cannot be written: %s", m->options->output, strerror(errno));
        unlink(partial);
        good = false;
    }
    buf_done(&output);
    return good;
}

/* ---- the whole ---- */

static bool write_files(const EmittedFiles *files, Arena *arena, const char *folder) {
    if (!file_make_folders(folder)) {
        command_fail("the folder %s cannot be made: %s", folder, strerror(errno));
        return false;
    }
    for (size_t i = 0; i < files->count; i++) {
        if (!write_text(file_join(arena, folder, str_cstr(arena, files->items[i].name)),
                        &files->items[i])) {
            return false;
        }
    }
    return true;
}

bool make_program(Arena *arena, const Program *program, const MakeOptions *options) {
    Maker m = {.arena = arena, .options = options};
    if (!find_runtime(&m) || !find_compiler(&m)) {
        return false;
    }
    EmittedFiles files = emit_program(program, &options->emit);
    const char *folder =
        options->keep_c != NULL ? options->keep_c : file_join(arena, options->cache, "c");
    const char **objects = arena_make_n(arena, const char *, files.count);
    size_t count = 0;
    for (size_t i = 0; i < files.count; i++) {
        count += is_c(&files.items[i]) ? 1 : 0;
    }
    bool good = write_files(&files, arena, folder) && file_make_folders(options->cache) &&
                compile_all(&m, &files, folder, objects) && link_all(&m, objects, count);
    for (size_t i = 0; i < files.count; i++) {
        buf_done(&files.items[i].text);
    }
    return good;
}
