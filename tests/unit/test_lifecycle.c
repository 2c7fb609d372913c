/* Programs without a database from their arguments to what they print, and the cleaned environment. */
#include "tests/unit/test_process_fixture.h"

#include <dever/package.h>
#include <dever/program.h>

#include <signal.h>
#include <sys/stat.h>

#include "base/base.h"
#include "runtime/lifecycle/environment.h"
#include "runtime/task/scope.h"

/* ---- a program ---- */

typedef struct GreetInput {
    dv_text name;
    dv_maybe_int times;
} GreetInput;

static const dv_field greet_fields[] = {
    {.name = "name", .type = &dv_type_text, .offset = offsetof(GreetInput, name)},
    {.name = "times", .type = &dv_type_maybe_int, .offset = offsetof(GreetInput, times)}};
static const dv_type greet_input = {.kind = DV_RECORD,
                                    .size = sizeof(GreetInput),
                                    .name = "greet",
                                    .count = 2,
                                    .fields = greet_fields};
static const dv_type no_input = {.kind = DV_RECORD, .size = 1, .name = "nothing"};

static bool greet(dv_scope *s, const void *input, void *output) {
    const GreetInput *in = input;
    (void)s;
    *(dv_text *)output = in->name;
    return true;
}

typedef struct ShopError {
    int32_t tag;
    union {
        struct {
            dv_text reason;
        } refused;
    } as;
} ShopError;

static const dv_field refused_fields[] = {
    {.name = "reason", .type = &dv_type_text, .offset = offsetof(ShopError, as.refused.reason)}};
static const dv_variant variants[] = {
    {.name = "Refused", .is_error = true, .field_count = 1, .fields = refused_fields}};
static const dv_type shop_error = {.kind = DV_CHOICE,
                                   .size = sizeof(ShopError),
                                   .name = "shop.order.app.ShopError",
                                   .count = 1,
                                   .variants = variants};

static bool refuse(dv_scope *s, const void *input, void *output) {
    (void)input;
    (void)output;
    ShopError value = {.tag = 0, .as.refused.reason = {"a secret", 8}};
    dv_fail(s, &shop_error, &value, "module/shop/order/app.dever:9:3");
    return dv_at(s, "module/shop/order/api.dever:1:1");
}

static bool divide(dv_scope *s, const void *input, void *output) {
    (void)input;
    (void)output;
    return dv_fault(s, DV_FAULT_DIVISION, "Int // 0");
}

static bool hide(dv_scope *s, const void *input, void *output) {
    (void)s;
    (void)input;
    *(dv_text *)output = (dv_text){"a secret", 8};
    return true;
}

static const dv_command commands[] = {
    {.name = "shop.order.greet", .input = &greet_input, .output = &dv_type_text, .call = greet},
    {.name = "shop.order.refuse", .input = &no_input, .output = &dv_type_text, .call = refuse},
    {.name = "shop.order.divide", .input = &no_input, .output = &dv_type_int, .call = divide},
    {.name = "shop.order.hide", .input = &no_input, .output = &dv_type_secret, .call = hide},
};

static char root[] = "/tmp/dever-lifecycle-XXXXXX";

static int make_root(void **state) {
    (void)state;
    return mkdtemp(root) == NULL ? -1 : 0;
}

static void remove_settings(void) {
    char path[128];
    snprintf(path, sizeof path, "%s/config/setting.json", root);
    unlink(path);
}

static int remove_root(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", root);
    return system(command);
}

static void write_settings(const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/config", root);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/config/setting.json", root);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

typedef struct Call {
    dv_program program;
    char *arguments[3];
    int count;
} Call;

static int run_call(void *self) {
    Call *call = self;
    return dv_main(call->count, call->arguments, &call->program);
}

static Call call_of(dv_program program, const char *first, const char *second) {
    const char *all[] = {"/usr/bin/shop", first, second};
    Call call = {.program = program};
    for (size_t i = 0; i < COUNT_OF(all) && all[i] != NULL; i++) {
        call.arguments[call.count++] = (char *)(uintptr_t)all[i];
    }
    return call;
}

static Printed run_program(dv_program program, const char *first, const char *second,
                           const char *input) {
    Call call = call_of(program, first, second);
    return run_child(run_call, &call, input);
}

static dv_program shop(void) {
    return (dv_program){
        .abi = DV_ABI, .root = root, .commands = commands, .command_count = COUNT_OF(commands)};
}

static Printed run_shop(const char *command, const char *json, const char *input) {
    return run_program(shop(), command, json, input);
}

/* ---- commands ---- */

static void command_when_it_succeeds_prints_the_envelope(void **state) {
    (void)state;
    Printed printed = run_shop("shop.order.greet", "{\"name\":\"A\\\"é\"}", "");
    assert_int_equal(printed.status, 0);
    assert_string_equal(printed.out, "{\"code\":0,\"message\":\"ok\",\"data\":\"A\\\"é\"}\n");
    assert_string_equal(printed.err, "");
}

static void command_when_dash_reads_standard_input(void **state) {
    (void)state;
    Printed printed = run_shop("shop.order.greet", "-", "{\"name\": \"B\", \"times\": 2}\n");
    assert_int_equal(printed.status, 0);
    assert_string_equal(printed.out, "{\"code\":0,\"message\":\"ok\",\"data\":\"B\"}\n");
}

static void command_when_input_is_wrong_answers_400(void **state) {
    (void)state;
    static const struct {
        const char *json, *message;
    } cases[] = {
        {"{}", "invalid input at $: `name` is missing"},
        {"{\"name\":1}", "invalid input at $.name: expected a string, found a number"},
        {"{\"name\":\"a\",\"x\":1}", "invalid input at $.x: there is no such field"},
        {"{\"name\":\"a\",\"name\":\"a\"}", "invalid input at $.name: this field stands twice"},
        {"[]", "invalid input at $: expected an object, found an array"},
        {"", "invalid input at $: "},
        {"{\"name\":\"a\"} x", "invalid input at $: "},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char wanted[256];
        snprintf(wanted, sizeof wanted, "{\"code\":400,\"message\":\"%s", cases[i].message);
        Printed printed = run_shop("shop.order.greet", cases[i].json, "");
        assert_int_equal(printed.status, 1);
        assert_contains(printed.out, wanted);
        assert_contains(printed.out, "\"data\":null}\n");
    }
}

static void command_when_it_fails_names_the_failure_and_logs_its_way(void **state) {
    (void)state;
    Printed printed = run_shop("shop.order.refuse", "{}", "");
    assert_int_equal(printed.status, 1);
    assert_string_equal(
        printed.out,
        "{\"code\":500,\"message\":\"shop.order.app.ShopError.Refused\",\"data\":null}\n");
    assert_contains(printed.err,
                    "\"level\":\"error\",\"message\":\"module/shop/order/api.dever:1:1: "
                    "module/shop/order/app.dever:9:3: shop.order.app.ShopError.Refused\","
                    "\"fields\":{\"command\":\"shop.order.refuse\"}}\n");
    assert_null(strstr(printed.err, "secret"));
    printed = run_shop("shop.order.divide", "{}", "");
    assert_int_equal(printed.status, 1);
    assert_string_equal(
        printed.out, "{\"code\":500,\"message\":\"division by zero: Int // 0\",\"data\":null}\n");
}

static void command_when_output_has_no_wire_form_answers_500(void **state) {
    (void)state;
    Printed printed = run_shop("shop.order.hide", "{}", "");
    assert_int_equal(printed.status, 1);
    assert_contains(printed.out, "{\"code\":500,\"message\":\"");
    assert_null(strstr(printed.out, "a secret"));
    assert_null(strstr(printed.err, "a secret"));
}

static void command_when_unknown_names_the_nearest(void **state) {
    (void)state;
    Printed printed = run_shop("shop.order.great", "{}", "");
    assert_int_equal(printed.status, 1);
    assert_string_equal(printed.out, "");
    assert_string_equal(
        printed.err,
        "shop: there is no command `shop.order.great`; did you mean `shop.order.greet`?\n");
    printed = run_shop("x", "{}", "");
    assert_contains(printed.err, "`shop --help` lists them");
    printed = run_shop("dever.job.stats", "{}", "");
    assert_contains(printed.err, "`dever.job.stats` is not supported yet");
}

static void arguments_when_wrong_say_what_is_expected(void **state) {
    (void)state;
    Printed printed = run_shop("shop.order.greet", NULL, "");
    assert_int_equal(printed.status, 1);
    assert_contains(printed.err, "needs its input");
    printed = run_shop(NULL, NULL, "");
    assert_int_equal(printed.status, 1);
    assert_contains(printed.err, "add module/main.dever");
    printed = run_shop("--help", NULL, "");
    assert_int_equal(printed.status, 0);
    assert_contains(printed.out, "  shop.order.greet { \"name\": Text, \"times\": Int? }\n");
    dv_program old = shop();
    old.abi = DV_ABI + 1;
    printed = run_program(old, "--help", NULL, "");
    assert_int_equal(printed.status, 1);
    assert_contains(printed.err, "build it again");
}

/* Standard output is a pipe that nobody reads. */
static int run_unread(void *self) {
    int ends[2];
    if (pipe(ends) != 0 || dup2(ends[1], STDOUT_FILENO) < 0) {
        return 2;
    }
    close(ends[0]);
    close(ends[1]);
    return run_call(self);
}

static void command_when_output_is_closed_exits_1(void **state) {
    (void)state;
    Call call = call_of(shop(), "shop.order.greet", "{\"name\":\"a\"}");
    Printed printed = run_child(run_unread, &call, "");
    assert_int_equal(printed.status, 1);
    assert_contains(printed.err, "standard output cannot be written");
}

/* ---- settings and main ---- */

static void settings_when_wrong_refuse_every_start(void **state) {
    (void)state;
    write_settings("{\n  \"log\": { \"level\": \"loud\" }\n}\n");
    Printed printed = run_shop("shop.order.greet", "{\"name\":\"a\"}", "");
    remove_settings();
    assert_int_equal(printed.status, 1);
    assert_string_equal(printed.out, "");
    assert_contains(printed.err, "config/setting.json:2:");
    assert_contains(printed.err, "$.log.level: expected ");
}

static bool main_of_nothing(dv_scope *s) {
    (void)s;
    return true;
}

static void main_when_there_is_no_settings_file_is_refused(void **state) {
    (void)state;
    dv_program program = shop();
    program.main = main_of_nothing;
    program.serves_jobs = true;
    Printed printed = run_program(program, NULL, NULL, "");
    assert_int_equal(printed.status, 1);
    assert_contains(printed.err, "config/setting.json cannot be read");
}

static bool handle(dv_scope *s, const void *input) {
    (void)s;
    (void)input;
    return true;
}

/* A main that is asked to stop while it does something else than serving. */
static bool main_that_sleeps(dv_scope *s) {
    kill(getpid(), SIGTERM);
    return dv_task_sleep(s, INT64_MAX) || dv_at(s, "module/main.dever:2:3");
}

static bool main_that_serves(dv_scope *s) {
    kill(getpid(), SIGTERM);
    return dv_job_serve(s);
}

static const dv_job job = {.target = "shop.order.job.pack",
                           .schema = "()",
                           .fingerprint = "v1:pack",
                           .max_attempts = 1,
                           .timeout_ms = 1000,
                           .handler = handle,
                           .place = "module/shop/order/job.dever:3:1"};
static const dv_job *const jobs[] = {&job};

static Printed run_worker(bool (*main_of_program)(dv_scope *s)) {
    dv_program program = shop();
    program.jobs = jobs;
    program.job_count = 1;
    program.main = main_of_program;
    program.serves_jobs = true;
    write_settings(
        "{\"runtime\":{\"mode\":\"worker\",\"shutdown_ms\":1},\"job\":{\"workers\":1,"
        "\"poll_ms\":1000,\"lease_ms\":60000,\"retry_base_ms\":1,\"retry_max_ms\":1},"
        "\"database\":{\"default\":{\"type\":\"sqlite\",\"path\":\"data/db/shop.db\"}}}");
    Printed printed = run_program(program, NULL, NULL, "");
    remove_settings();
    return printed;
}

static void main_when_its_deadline_is_over_is_cancelled(void **state) {
    (void)state;
    Printed printed = run_worker(main_that_sleeps);
    assert_int_equal(printed.status, 1);
    assert_contains(printed.err, "shutdown: asked to stop");
    assert_contains(printed.err, "module/main.dever:2:3: cancelled");
    assert_contains(printed.err, "shutdown: done");
}

static void main_when_its_services_stop_exits_0(void **state) {
    (void)state;
    Printed printed = run_worker(main_that_serves);
    assert_int_equal(printed.status, 0);
    assert_contains(printed.err, "the job worker has stopped");
    assert_contains(printed.err, "shutdown: done");
    char path[128];
    static const char *const folders[] = {"db", "log", "cache", "tmp"};
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        snprintf(path, sizeof path, "%s/data/%s", root, folders[i]);
        assert_int_equal(access(path, F_OK), 0);
    }
}

/* ---- environment ---- */

static int clean_environment(void *unused) {
    (void)unused;
    static const char *const gone[] = {"PGHOST",      "PGPASSFILE", "PG",           "http_proxy",
                                       "HTTPS_PROXY", "No_Proxy",   "SQLITE_TMPDIR"};
    static const char *const kept[] = {"PATH",  "XPGHOST",    "SQLITE_TMPDIRX",
                                       "PROXY", "proxy_http", "Pg"};
    for (size_t i = 0; i < COUNT_OF(gone); i++) {
        setenv(gone[i], "x", 1);
    }
    for (size_t i = 0; i < COUNT_OF(kept); i++) {
        setenv(kept[i], "x", 1);
    }
    environment_clean();
    for (size_t i = 0; i < COUNT_OF(gone); i++) {
        if (getenv(gone[i]) != NULL) {
            printf("%s stayed\n", gone[i]);
        }
    }
    for (size_t i = 0; i < COUNT_OF(kept); i++) {
        if (getenv(kept[i]) == NULL) {
            printf("%s is gone\n", kept[i]);
        }
    }
    return 0;
}

static void environment_when_cleaned_keeps_only_what_libraries_ignore(void **state) {
    (void)state;
    assert_string_equal(run_child(clean_environment, NULL, "").out, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(command_when_it_succeeds_prints_the_envelope),
        cmocka_unit_test(command_when_dash_reads_standard_input),
        cmocka_unit_test(command_when_input_is_wrong_answers_400),
        cmocka_unit_test(command_when_it_fails_names_the_failure_and_logs_its_way),
        cmocka_unit_test(command_when_output_has_no_wire_form_answers_500),
        cmocka_unit_test(command_when_unknown_names_the_nearest),
        cmocka_unit_test(arguments_when_wrong_say_what_is_expected),
        cmocka_unit_test(command_when_output_is_closed_exits_1),
        cmocka_unit_test(settings_when_wrong_refuse_every_start),
        cmocka_unit_test(main_when_there_is_no_settings_file_is_refused),
        cmocka_unit_test(main_when_its_deadline_is_over_is_cancelled),
        cmocka_unit_test(main_when_its_services_stop_exits_0),
        cmocka_unit_test(environment_when_cleaned_keeps_only_what_libraries_ignore),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
