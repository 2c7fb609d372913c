/* Generated from Dever source: do not edit. */
#include "program.h"

/* lab.demo.split  module/lab/demo/app.dever:3 */
bool lab_demo_app_split(dv_scope *s, int64_t n, int64_t *low, dv_text *high) {
    int64_t value_1_;
    if (!dv_int_remainder(s, n, 10, &value_1_)) {
        return dv_at(s, "module/lab/demo/app.dever:4:9");
    }
    *low = value_1_;
    int64_t value_2_;
    if (!dv_int_quotient(s, n, 10, &value_2_)) {
        return dv_at(s, "module/lab/demo/app.dever:5:22");
    }
    if (!dv_int_to_text(s, value_2_, high)) {
        return dv_at(s, "module/lab/demo/app.dever:5:10");
    }
    return true;
}

/* lab.demo.join  module/lab/demo/app.dever:8 */
bool lab_demo_app_join(dv_scope *s, int64_t n, dv_text *out) {
    lab_demo_app_split__outputs both;
    if (!lab_demo_app_split(s, n, &both.low, &both.high)) {
        return dv_at(s, "module/lab/demo/app.dever:9:10");
    }
    dv_text to_text_1_;
    if (!dv_int_to_text(s, both.low, &to_text_1_)) {
        return dv_at(s, "module/lab/demo/app.dever:10:21");
    }
    dv_text value_2_;
    if (!dv_text_concat(s, both.high, to_text_1_, &value_2_)) {
        return dv_at(s, "module/lab/demo/app.dever:10:9");
    }
    *out = value_2_;
    return true;
}

/* lab.demo.ignore  module/lab/demo/app.dever:13 */
bool lab_demo_app_ignore(dv_scope *s, int64_t n) {
    lab_demo_app_split__outputs split_1_;
    if (!lab_demo_app_split(s, n, &split_1_.low, &split_1_.high)) {
        return dv_at(s, "module/lab/demo/app.dever:13:25");
    }
    (void)split_1_;
    return true;
}

