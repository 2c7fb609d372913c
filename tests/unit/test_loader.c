/* tests/unit/test_loader.c: from paths to roles, and reading a project. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "compiler/source/loader.h"
#include "tests/unit/test_syntax_fixture.h"

static SourceFile *classify(Fixture *fixture, const char *path) {
    SourceFile *file = source_file_new(fixture->arena, str_from(path), STR(""));
    fixture->diagnostics.items.count = 0;
    loader_classify(&fixture->diagnostics, file, file->path);
    return file;
}

static void classify_when_path_is_right_gives_identity(void **state) {
    static const struct {
        const char *path;
        Role role;
        const char *topic;
        const char *package;
    } rows[] = {
        {"module/shop/order/app.dever", ROLE_APP, "", "shop.order.app"},
        {"module/shop/order/domain/price.dever", ROLE_DOMAIN, "price", "shop.order.domain.price"},
        {"module/shop/order/api/a/b.dever", ROLE_API, "a.b", "shop.order.api.a.b"},
        {"module/shop/order_2/job.dever", ROLE_JOB, "", "shop.order_2.job"},
        {"module/main.dever", ROLE_MAIN, "", "main"},
        {"test/shop/order/paid.dever", ROLE_TEST, "paid", "test.shop.order.paid"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        SourceFile *file = classify(*state, rows[i].path);
        assert_string_equal(fixture_messages(*state), "");
        assert_int_equal(file->role, rows[i].role);
        assert_str(file->topic, rows[i].topic);
        assert_str(file->package, rows[i].package);
    }
    assert_str(classify(*state, "module/shop/order/app.dever")->component, "shop");
    assert_str(classify(*state, "module/shop/order/app.dever")->domain, "order");
}

static void classify_when_path_is_wrong_reports_it(void **state) {
    static const struct {
        const char *path;
        const char *messages;
    } rows[] = {
        {"module/app.dever", "C003 1:1"},
        {"module/shop/app.dever", "C003 1:1"},
        {"module/shop/order/view.dever", "C003 1:1"},
        {"module/shop/order/domain/a/b.dever", "C003 1:1"},
        {"module/lab/utils/app.dever", "C003 1:1"},
        {"module/lab/demo/app/helpers.dever", "C003 1:1"},
        {"module/dever/demo/app.dever", "C003 1:1"},
        {"module/text/demo/app.dever", "C003 1:1"},
        {"module/lab/myDemo/app.dever", "C010 1:1"},
        {"module/lab/a__b/app.dever", "C010 1:1"},
        {"module/lab/1a/app.dever", "C010 1:1"},
        {"module/lab/a_/app.dever", "C010 1:1"},
        {"test/lab/demo.dever", "C003 1:1"},
        {"test/lab/demo/a/b.dever", "C003 1:1"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        SourceFile *file = classify(*state, rows[i].path);
        assert_string_equal(fixture_messages(*state), rows[i].messages);
        assert_int_equal(file->role, ROLE_NONE);
    }
}

static const char *layout(Fixture *fixture, const char *const *paths, size_t count) {
    Project project = {0};
    for (size_t i = 0; i < count; i++) {
        SourceFile *file = classify(fixture, paths[i]);
        vec_push(fixture->arena, &project.files, file);
    }
    fixture->diagnostics.items.count = 0;
    loader_check_layout(&fixture->diagnostics, &project);
    return fixture_messages(fixture);
}

static void layout_when_role_file_and_folder_meet_reports_one(void **state) {
    const char *both[] = {"module/lab/demo/app/extra.dever", "module/lab/demo/app/more.dever",
                          "module/lab/demo/app.dever", "module/lab/demo/view.dever",
                          "module/lab/other/app.dever"};
    assert_string_equal(layout(*state, both, COUNT_OF(both)), "C003 1:1");
}

static void layout_when_folder_has_one_topic_reports_it(void **state) {
    const char *one[] = {"module/lab/demo/domain/rules.dever", "module/lab/demo/model/a.dever"};
    assert_string_equal(layout(*state, one, COUNT_OF(one)), "C003 1:1");
    const char *two[] = {"module/lab/demo/domain/a.dever", "module/lab/demo/domain/b.dever"};
    assert_string_equal(layout(*state, two, COUNT_OF(two)), "");
}

static void put(const char *root, const char *path, const char *text) {
    char full[512];
    snprintf(full, sizeof full, "%s/%s", root, path);
    char folder[512];
    snprintf(folder, sizeof folder, "%s", full);
    *strrchr(folder, '/') = 0;
    assert_true(file_make_folders(folder));
    assert_true(file_write(full, str_from(text), 0644));
}

static void load_when_project_is_whole_reads_files_in_order(void **state) {
    Fixture *fixture = *state;
    char root[] = "/tmp/dever-loader-XXXXXX";
    assert_non_null(mkdtemp(root));
    put(root, "module/shop/order/app.dever", "x() () {}\n");
    put(root, "module/main.dever", "");
    put(root, "module/notes.txt", "no source");
    put(root, "test/shop/order/paid.dever", "");
    Buf problem = {0};
    Project *project = loader_load(&fixture->diagnostics, str_from(root), true, &problem);
    assert_non_null(project);
    assert_int_equal(project->files.count, 3);
    assert_str(project->files.items[0]->path, "module/main.dever");
    assert_str(project->files.items[1]->text, "x() () {}\n");
    assert_int_equal(project->files.items[2]->role, ROLE_TEST);
    project = loader_load(&fixture->diagnostics, str_from(root), false, &problem);
    assert_int_equal(project->files.count, 2);

    put(root, "module/shop/order/model.dever.md", "# x\n");
    loader_load(&fixture->diagnostics, str_from(root), false, &problem);
    assert_string_equal(fixture_messages(*state), "C020 1:1");

    put(root, "module/shop/order/domain.dever", "\xFF");
    assert_null(loader_load(&fixture->diagnostics, str_from(root), false, &problem));
    assert_str(buf_str(&problem), "module/shop/order/domain.dever is not UTF-8 (byte 1)");
    buf_done(&problem);

    char command[600];
    snprintf(command, sizeof command, "%s/module/shop/order/domain.dever", root);
    assert_int_equal(unlink(command), 0);
    assert_int_equal(symlink("app.dever", command), 0);
    assert_null(loader_load(&fixture->diagnostics, str_from(root), false, &problem));
    assert_true(buf_str(&problem).len > 0);
    buf_done(&problem);
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    assert_int_equal(system(command), 0);
}

static void load_when_there_is_no_module_says_so(void **state) {
    Fixture *fixture = *state;
    Buf problem = {0};
    assert_null(loader_load(&fixture->diagnostics, STR("/nonexistent"), false, &problem));
    assert_str(buf_str(&problem), "there is no folder /nonexistent");
    buf_done(&problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(classify_when_path_is_right_gives_identity),
        TEST(classify_when_path_is_wrong_reports_it),
        TEST(layout_when_role_file_and_folder_meet_reports_one),
        TEST(layout_when_folder_has_one_topic_reports_it),
        TEST(load_when_project_is_whole_reads_files_in_order),
        TEST(load_when_there_is_no_module_says_so),
    };
    return cmocka_run_group_tests_name("loader", tests, NULL, NULL);
}
