/* Generated from Dever source: do not edit. */
#include "program.h"

/* lab.demo.make  module/lab/demo/app.dever:14 */
bool lab_demo_app_make(dv_scope *s, int64_t double_, lab_demo_app_Line *line) {
    lab_demo_app_Point start = (lab_demo_app_Point){.x = double_, .y = (dv_maybe_int){0}};
    int64_t value_1_;
    if (!dv_int_add(s, double_, 1, &value_1_)) {
        return dv_at(s, "module/lab/demo/app.dever:20:11");
    }
    *line = (lab_demo_app_Line){.from = start, .to = (lab_demo_app_Point_maybe){true, start}, .int_ = value_1_};
    (*line).from.x = 7;
    return true;
}

/* lab.demo.same  module/lab/demo/app.dever:27 */
bool lab_demo_app_same(dv_scope *s, lab_demo_app_Point a, lab_demo_app_Point b, bool *out) {
    (void)s;
    *out = (dv_equal(&lab_demo_app_Point_type, &a, &b) && a.y.present);
    return true;
}

