/* Generated from Dever source: do not edit. */
#include "program.h"

/* lab.demo.enter  module/lab/demo/app.dever:14 */
static bool lab_demo_app_enter__1(dv_scope *s, lab_demo_app_State state, int64_t *number) {
    (void)s;
    (void)state;
    *number = 1;
    return true;
}

static bool lab_demo_app_enter__2(dv_scope *s, lab_demo_app_State state, int64_t *number) {
    (void)number;
    int64_t since = state.as.Waiting.since;
    dv_text name = state.as.Waiting.name;
    const lab_demo_app_DeskError failure_1_ = (lab_demo_app_DeskError){.tag = lab_demo_app_DeskError_Busy, .as = {.Busy = {.since = since, .name = name}}};
    return dv_fail(s, &lab_demo_app_DeskError_type, &failure_1_, "module/lab/demo/app.dever:15:58");
}

static bool lab_demo_app_enter__3(dv_scope *s, lab_demo_app_State state, int64_t *number) {
    (void)state;
    (void)number;
    const lab_demo_app_DeskError failure_1_ = (lab_demo_app_DeskError){.tag = lab_demo_app_DeskError_Closed};
    return dv_fail(s, &lab_demo_app_DeskError_type, &failure_1_, "module/lab/demo/app.dever:16:42");
}

bool lab_demo_app_enter(dv_scope *s, lab_demo_app_State state, int64_t *number) {
    switch (state.tag) {
    case lab_demo_app_State_Open:
        return lab_demo_app_enter__1(s, state, number);
    case lab_demo_app_State_Waiting:
        return lab_demo_app_enter__2(s, state, number);
    default:
        return lab_demo_app_enter__3(s, state, number);
    }
}

/* lab.demo.twice  module/lab/demo/app.dever:18 */
bool lab_demo_app_twice(dv_scope *s, lab_demo_app_State state, int64_t *number) {
    int64_t enter_1_;
    if (!lab_demo_app_enter(s, state, &enter_1_)) {
        return dv_at(s, "module/lab/demo/app.dever:18:46");
    }
    int64_t enter_2_;
    if (!lab_demo_app_enter(s, (lab_demo_app_State){.tag = lab_demo_app_State_Waiting, .as = {.Waiting = {.since = 3, .name = (dv_text){"x", 1}}}}, &enter_2_)) {
        return dv_at(s, "module/lab/demo/app.dever:18:61");
    }
    int64_t value_3_;
    if (!dv_int_add(s, enter_1_, enter_2_, &value_3_)) {
        return dv_at(s, "module/lab/demo/app.dever:18:46");
    }
    *number = value_3_;
    return true;
}

