/* Generated from Dever source: do not edit. */
#include "program.h"

typedef struct lab_demo_greet__input {
    dv_text name;
    dv_maybe_int times;
} lab_demo_greet__input;

static const dv_field lab_demo_greet__fields[] = {
    {"name", &dv_type_text, offsetof(lab_demo_greet__input, name)},
    {"times", &dv_type_maybe_int, offsetof(lab_demo_greet__input, times)},
};
static const dv_type lab_demo_greet__input_type = {
    .kind = DV_RECORD,
    .size = sizeof(lab_demo_greet__input),
    .name = "lab.demo.greet",
    .count = 2,
    .fields = lab_demo_greet__fields,
};
static bool lab_demo_greet__call(dv_scope *s, const void *input, void *output) {
    const lab_demo_greet__input *in = input;
    return lab_demo_app_greet(s, in->name, in->times, output);
}

typedef struct lab_demo_ping__input {
    char unused_;
} lab_demo_ping__input;

static const dv_type lab_demo_ping__input_type = {
    .kind = DV_RECORD,
    .size = sizeof(lab_demo_ping__input),
    .name = "lab.demo.ping",
};
static bool lab_demo_ping__call(dv_scope *s, const void *input, void *output) {
    (void)input;
    return lab_demo_app_ping(s, output);
}

static const dv_command commands[] = {
    {"lab.demo.greet", &lab_demo_greet__input_type, &dv_type_text, lab_demo_greet__call, false},
    {"lab.demo.ping", &lab_demo_ping__input_type, &dv_type_bool, lab_demo_ping__call, false},
};

static const dv_program program = {
    .abi = DV_ABI,
    .built_at = INT64_C(0),
    .commands = commands,
    .command_count = 2,
    .serves_jobs = false,
};

int main(int argc, char **argv) {
    return dv_main(argc, argv, &program);
}
