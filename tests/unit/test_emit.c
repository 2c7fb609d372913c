/* tests/unit/test_emit.c: the generated C of each program in tests/language/emit, to the byte, and as
 * GCC, Clang and tcc see it.
 *
 * `what_it_shows.c.expected` holds the C of the domain, or the whole entry where the program is called `entry`.
 * `test_emit bless` writes these files; read them before you commit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/process.h"
#include "compiler/check/check.h"
#include "compiler/command/compile.h"
#include "compiler/emit/emit.h"

#define FOLDER "tests/language/emit"

enum { TEXT_MOST = 1024 * 1024 };

static bool is_blessing;

typedef struct Fixture {
    Arena *arena;
    char *project; /* a temporary folder */
    Compilation compilation;
} Fixture;

static int setup(void **state) {
    Arena *arena = arena_new_unlimited();
    Fixture *fixture = arena_make(arena, Fixture);
    char pattern[] = "/tmp/dever-emit-XXXXXX";
    fixture->arena = arena;
    fixture->project = file_join(arena, mkdtemp(pattern), "");
    *state = fixture;
    return 0;
}

static int run(Arena *arena, const char *name, const char *const *arguments, Buf *output) {
    const char *path = process_find(arena, name);
    Process process;
    if (path == NULL) {
        return -1;
    }
    assert_true(process_start(&process, path, arguments));
    return process_wait(&process, output);
}

static int teardown(void **state) {
    Fixture *fixture = *state;
    Buf output = {.limit = TEXT_MOST};
    run(fixture->arena, "rm", (const char *[]){"rm", "-r", fixture->project, NULL}, &output);
    buf_done(&output);
    arena_free(fixture->arena);
    return 0;
}

static const char *golden_path(Fixture *fixture, const char *name, const char *end) {
    return str_format(fixture->arena, FOLDER "/%s.%s", name, end).ptr;
}

/* ---- the program ---- */

static void write_source(Fixture *fixture, Str path, Str text) {
    const char *file = file_join(fixture->arena, fixture->project, "module");
    file = file_join(fixture->arena, file, str_cstr(fixture->arena, path));
    char *folder = str_cstr(fixture->arena, str_from(file));
    *strrchr(folder, '/') = '\0';
    assert_true(file_make_folders(folder));
    assert_true(file_write(file, text, 0644));
}

/* `# file: path` starts a file; without one, everything is lab/demo/app.dever. */
static void write_project(Fixture *fixture, Str text) {
    Str mark = STR("# file: ");
    Str path = STR("lab/demo/app.dever");
    size_t from = 0;
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        while (end < text.len && text.ptr[end] != '\n') {
            end++;
        }
        Str line = str_slice(text, at, end);
        if (str_starts_with(line, mark)) {
            if (from > 0) {
                write_source(fixture, path, str_slice(text, from, at));
            }
            path = str_slice(line, mark.len, line.len);
            from = end + 1;
        }
        at = end + 1;
    }
    write_source(fixture, path, str_slice(text, from, text.len));
}

static const Program *load(Fixture *fixture, const char *name) {
    Str text;
    assert_true(file_read(fixture->arena, golden_path(fixture, name, "dever"), TEXT_MOST, &text));
    write_project(fixture, text);
    assert_true(compile_load(fixture->arena, fixture->project, false, &fixture->compilation));
    compile_check(&fixture->compilation);
    assert_int_equal(fixture->compilation.diagnostics.errors, 0);
    return fixture->compilation.program;
}

static void drop(EmittedFiles *files) {
    for (size_t i = 0; i < files->count; i++) {
        buf_done(&files->items[i].text);
    }
}

/* ---- what is expected ---- */

static bool is_shown(const char *name, Str file) {
    bool is_entry = strcmp(name, "entry") == 0;
    return str_ends_with(file, STR(".c")) && !str_equal(file, STR("types.c")) &&
           str_equal(file, STR("main.c")) == is_entry;
}

static void compare(Fixture *fixture, const char *name, Str actual) {
    const char *path = golden_path(fixture, name, "c.expected");
    Str expected = STR("");
    if (is_blessing) {
        assert_true(file_write(path, actual, 0644));
        return;
    }
    if (!file_read(fixture->arena, path, TEXT_MOST, &expected) || !str_equal(expected, actual)) {
        size_t at = 0;
        unsigned line = 1;
        for (; at < expected.len && at < actual.len && expected.ptr[at] == actual.ptr[at]; at++) {
            line += actual.ptr[at] == '\n' ? 1 : 0;
        }
        fail_msg("%s:%u: differs from what is emitted:\n" STR_FMT, path, line, STR_ARG(actual));
    }
}

/* All files in one run of each compiler that is installed. */
static void compile(Fixture *fixture, const EmittedFiles *files) {
    const char *object = file_join(fixture->arena, fixture->project, "all.o");
    const char *const compilers[][8] = {
        {"gcc", "-std=c17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"},
        {"clang", "-std=c17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"},
        /* tcc removes its output before it writes: as root, /dev/null itself would go. */
        {"tcc", "-Wall", "-Werror", "-r", "-o", object},
    };
    const char *arguments[32];
    for (size_t i = 0; i < COUNT_OF(compilers); i++) {
        Buf output = {.limit = TEXT_MOST};
        size_t count = 0;
        while (compilers[i][count] != NULL) {
            arguments[count] = compilers[i][count];
            count++;
        }
        arguments[count++] = "-Iruntime/include";
        for (size_t j = 0; j < files->count; j++) {
            const char *name = str_cstr(fixture->arena, files->items[j].name);
            const char *path = file_join(fixture->arena, fixture->project, name);
            assert_true(file_write(path, buf_str(&files->items[j].text), 0644));
            if (str_ends_with(files->items[j].name, STR(".c"))) {
                arguments[count++] = path;
            }
        }
        arguments[count] = NULL;
        if (run(fixture->arena, compilers[i][0], arguments, &output) > 0) {
            fail_msg("%s: " STR_FMT, compilers[i][0], STR_ARG(buf_str(&output)));
        }
        assert_int_equal(output.len, 0);
        buf_done(&output);
    }
}

static void check_golden(Fixture *fixture, const char *name) {
    const Program *program = load(fixture, name);
    EmitOptions options = {0};
    EmittedFiles files = emit_program(program, &options);
    for (size_t i = 0; i < files.count; i++) {
        if (is_shown(name, files.items[i].name)) {
            compare(fixture, name, buf_str(&files.items[i].text));
        }
    }
    compile(fixture, &files);
    drop(&files);
}

#define GOLDEN(name)                                     \
    static void name##_gives_the_known_c(void **state) { \
        check_golden(*state, #name);                     \
    }

GOLDEN(arithmetic)
GOLDEN(clauses)
GOLDEN(collections)
GOLDEN(entry)
GOLDEN(failures)
GOLDEN(jobs)
GOLDEN(models)
GOLDEN(nested_types)
GOLDEN(outputs)
GOLDEN(records)
GOLDEN(short_circuit)

/* ---- the files as a whole ---- */

static Str text_of(const EmittedFiles *files, const char *name) {
    for (size_t i = 0; i < files->count; i++) {
        if (str_equal(files->items[i].name, str_from(name))) {
            return buf_str(&files->items[i].text);
        }
    }
    fail_msg("there is no file %s", name);
    return STR("");
}

static void emit_when_called_twice_gives_the_same_bytes(void **state) {
    const Program *program = load(*state, "jobs");
    EmitOptions options = {.lines = true};
    EmittedFiles first = emit_program(program, &options);
    EmittedFiles second = emit_program(program, &options);
    assert_int_equal(first.count, second.count);
    for (size_t i = 0; i < first.count; i++) {
        assert_true(str_equal(first.items[i].name, second.items[i].name));
        assert_true(str_equal(buf_str(&first.items[i].text), buf_str(&second.items[i].text)));
    }
    drop(&first);
    drop(&second);
}

static void emit_when_paths_spell_alike_keeps_them_apart(void **state) {
    const Program *program = load(*state, "alike");
    EmitOptions options = {0};
    EmittedFiles files = emit_program(program, &options);
    assert_true(text_of(&files, "shop_order_item.c").len > 0);
    assert_true(text_of(&files, "shop_order_item__path_2.c").len > 0);
    compile(*state, &files);
    drop(&files);
}

static void emit_with_root_and_time_puts_them_into_the_entry_only(void **state) {
    const Program *program = load(*state, "jobs");
    EmitOptions plain = {0};
    EmitOptions options = {.root = "/srv/mill", .built_at = 1234567890123};
    EmittedFiles without = emit_program(program, &plain);
    EmittedFiles with = emit_program(program, &options);
    for (size_t i = 0; i < with.count; i++) {
        bool is_entry = str_equal(with.items[i].name, STR("main.c"));
        Str text = buf_str(&with.items[i].text);
        assert_int_equal(str_find(text, STR("\"/srv/mill\""), NULL), is_entry);
        assert_int_equal(str_find(text, STR("1234567890123"), NULL), is_entry);
        assert_int_equal(str_equal(text, buf_str(&without.items[i].text)), !is_entry);
    }
    drop(&with);
    drop(&without);
}

static void emit_with_lines_points_at_the_source(void **state) {
    const Program *program = load(*state, "jobs");
    EmitOptions options = {.lines = true};
    EmittedFiles files = emit_program(program, &options);
    Str text = text_of(&files, "mill_sack.c");
    assert_true(str_find(text, STR("#line 4 \"module/mill/sack/app.dever\"\n"), NULL));
    drop(&files);
}

static void emit_lists_all_sql_beside_the_c(void **state) {
    const Program *program = load(*state, "jobs");
    EmitOptions options = {0};
    EmittedFiles files = emit_program(program, &options);
    Str text = text_of(&files, "program.sql");
    assert_true(str_find(text, STR("CREATE TABLE \"sack\""), NULL));
    assert_true(str_find(text, STR("-- delete at module/mill/sack/app.dever:10:7\n"), NULL));
    drop(&files);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        TEST(arithmetic_gives_the_known_c),
        TEST(clauses_gives_the_known_c),
        TEST(collections_gives_the_known_c),
        TEST(entry_gives_the_known_c),
        TEST(failures_gives_the_known_c),
        TEST(jobs_gives_the_known_c),
        TEST(models_gives_the_known_c),
        TEST(nested_types_gives_the_known_c),
        TEST(outputs_gives_the_known_c),
        TEST(records_gives_the_known_c),
        TEST(short_circuit_gives_the_known_c),
        TEST(emit_when_called_twice_gives_the_same_bytes),
        TEST(emit_when_paths_spell_alike_keeps_them_apart),
        TEST(emit_with_root_and_time_puts_them_into_the_entry_only),
        TEST(emit_with_lines_points_at_the_source),
        TEST(emit_lists_all_sql_beside_the_c),
    };
    is_blessing = argc == 2 && strcmp(argv[1], "bless") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
