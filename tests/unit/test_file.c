/* tests/unit/test_file.c: files and folders in a temporary folder, other programs, clocks. */
#include "tests/unit/test_base_fixture.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"

static char folder[] = "/tmp/dever-file-XXXXXX";

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state) {
    (void)state;
    const char *const arguments[] = {"rm", "-r", folder, NULL};
    Process process;
    Buf out = {0};
    int status = process_start(&process, "/bin/rm", arguments) ? process_wait(&process, &out) : 1;
    buf_done(&out);
    return status;
}

static void write_when_read_back_is_the_same(void **state) {
    const char *path = file_join(*state, folder, "one");
    Str text;
    assert_true(file_write(path, (Str){"a\0b", 3}, 0600));
    assert_true(file_read(*state, path, 3, &text));
    assert_true(str_equal(text, (Str){"a\0b", 3}));
    assert_true(file_write(path, STR(""), 0644)); /* replaces */
    assert_true(file_read(*state, path, 0, &text));
    assert_int_equal(text.len, 0);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0644);
    FileEntries entries;
    assert_true(file_list(*state, folder, &entries));
    assert_int_equal(entries.count, 1); /* no temporary file is left */
    assert_int_equal(unlink(path), 0);
}

static void read_when_it_cannot_tells_why(void **state) {
    const char *path = file_join(*state, folder, "two");
    const char *pipe_path = file_join(*state, folder, "pipe");
    assert_true(file_write(path, STR("12345"), 0644));
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    const struct {
        const char *path;
        int error;
    } rows[] = {
        {path, EFBIG},
        {folder, EISDIR},
        {pipe_path, EINVAL}, /* and does not wait for a writer */
        {file_join(*state, folder, "absent"), ENOENT},
        {file_join(*state, path, "below"), ENOTDIR},
    };
    Str text;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        errno = 0;
        assert_false(file_read(*state, rows[i].path, 4, &text));
        assert_int_equal(errno, rows[i].error);
    }
    Arena *small = arena_new(3);
    assert_false(file_read(small, path, 100, &text));
    assert_int_equal(errno, ENOMEM);
    arena_free(small);
    assert_false(file_write(file_join(*state, folder, "no/such"), STR("x"), 0644));
    assert_int_equal(errno, ENOENT);
    assert_false(file_write(folder, STR("x"), 0644)); /* a folder is in the way */
    unlink(path);
    unlink(pipe_path);
}

static void list_when_mixed_is_sorted_by_bytes(void **state) {
    const char *top = file_join(*state, folder, "list/of/three");
    assert_true(file_make_folders(top));
    assert_true(file_make_folders(top)); /* fine when it is there */
    assert_true(file_make_folders(file_join(*state, top, "b")));
    assert_true(file_write(file_join(*state, top, "a.dever"), STR("x"), 0644));
    assert_true(file_write(file_join(*state, top, "B"), STR("x"), 0644));
    assert_int_equal(symlink("b", file_join(*state, top, "c")), 0);
    FileEntries entries;
    static const struct {
        const char *name;
        bool is_folder, is_link;
    } rows[] = {
        {"B", false, false}, {"a.dever", false, false}, {"b", true, false}, {"c", false, true}};
    assert_true(file_list(*state, top, &entries));
    assert_int_equal(entries.count, COUNT_OF(rows));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_str(entries.items[i].name, rows[i].name);
        assert_int_equal(entries.items[i].is_folder, rows[i].is_folder);
        assert_int_equal(entries.items[i].is_link, rows[i].is_link);
    }
    assert_false(file_list(*state, file_join(*state, top, "absent"), &entries));
    assert_false(file_make_folders(file_join(*state, top, "B/below")));
    assert_int_equal(errno, ENOTDIR);
    assert_true(file_exists(top) && file_is_folder(top));
    assert_false(file_is_folder(file_join(*state, top, "B")));
}

static void join_when_absolute_is_the_second(void **state) {
    static const struct {
        const char *a, *b, *expected;
    } rows[] = {
        {"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"a", "/b", "/b"}, {"", "b", "b"}, {"/", "b", "/b"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_string_equal(file_join(*state, rows[i].a, rows[i].b), rows[i].expected);
    }
    const char *here = file_absolute(*state, ".");
    assert_int_equal(here[0], '/');
    assert_null(file_absolute(*state, "/no/such/folder"));
    assert_true(file_exists(file_join(*state, file_own_folder(*state), "test_file")));
}

static int run(const char *script, Buf *out) {
    const char *const arguments[] = {"sh", "-c", script, NULL};
    Process process;
    assert_true(process_start(&process, "/bin/sh", arguments));
    return process_wait(&process, out);
}

static void process_when_it_ends_gives_status_and_both_outputs(void **state) {
    (void)state;
    Buf out = {0};
    assert_int_equal(run("echo one; echo two >&2; cat; exit 3", &out), 3);
    assert_str(buf_str(&out), "one\ntwo\n");
    buf_clear(&out);
    assert_int_equal(run("kill -9 $$", &out), 128 + SIGKILL);
    buf_done(&out);
}

static void process_when_it_writes_more_than_the_limit_is_read_to_its_end(void **state) {
    (void)state;
    Buf out = {.limit = 8192};
    assert_int_equal(run("head -c 1000000 /dev/zero; exit 5", &out), 5);
    assert_false(buf_ok(&out));
    assert_true(out.len <= 8192);
    buf_done(&out);
}

static void process_when_it_cannot_start_tells_why(void **state) {
    Process process;
    const char *const arguments[] = {"x", NULL};
    assert_false(process_start(&process, "/no/such/program", arguments));
    assert_int_equal(errno, ENOENT);
    assert_string_equal(strrchr(process_find(*state, "sh"), '/'), "/sh");
    assert_null(process_find(*state, "no such program"));
}

static void clocks_when_read_twice_do_not_go_back(void **state) {
    (void)state;
    int64_t monotonic = clock_monotonic_ns();
    int64_t boot = clock_boot_ms();
    assert_true(clock_monotonic_ns() >= monotonic);
    assert_true(clock_boot_ms() >= boot);
    assert_true(clock_monotonic_ms() >= monotonic / 1000000);
    assert_true(clock_wall_ms() > INT64_C(1700000000000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(write_when_read_back_is_the_same),
        TEST(read_when_it_cannot_tells_why),
        TEST(list_when_mixed_is_sorted_by_bytes),
        TEST(join_when_absolute_is_the_second),
        TEST(process_when_it_ends_gives_status_and_both_outputs),
        TEST(process_when_it_writes_more_than_the_limit_is_read_to_its_end),
        TEST(process_when_it_cannot_start_tells_why),
        TEST(clocks_when_read_twice_do_not_go_back),
    };
    return cmocka_run_group_tests_name("file", tests, make_folder, remove_folder);
}
