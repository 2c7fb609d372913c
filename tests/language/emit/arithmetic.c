/* Generated from Dever source: do not edit. */
#include "program.h"

/* lab.demo.area  module/lab/demo/app.dever:3 */
bool lab_demo_app_area(dv_scope *s, int64_t a, int64_t b, int64_t *out) {
    int64_t value_1_;
    if (!dv_int_add(s, a, 1, &value_1_)) {
        return dv_at(s, "module/lab/demo/app.dever:3:42");
    }
    int64_t value_2_;
    if (!dv_int_subtract(s, b, a, &value_2_)) {
        return dv_at(s, "module/lab/demo/app.dever:3:52");
    }
    int64_t value_3_;
    if (!dv_int_multiply(s, value_1_, value_2_, &value_3_)) {
        return dv_at(s, "module/lab/demo/app.dever:3:41");
    }
    int64_t value_4_;
    if (!dv_int_quotient(s, value_3_, 2, &value_4_)) {
        return dv_at(s, "module/lab/demo/app.dever:3:41");
    }
    int64_t value_5_;
    if (!dv_int_remainder(s, value_4_, 7, &value_5_)) {
        return dv_at(s, "module/lab/demo/app.dever:3:41");
    }
    *out = value_5_;
    return true;
}

/* lab.demo.share  module/lab/demo/app.dever:4 */
bool lab_demo_app_share(dv_scope *s, dv_decimal a, int64_t parts, dv_decimal *out) {
    dv_decimal value_1_;
    if (!dv_decimal_divide(s, dv_decimal_negate(a), dv_decimal_promote(parts), &value_1_)) {
        return dv_at(s, "module/lab/demo/app.dever:4:54");
    }
    dv_decimal value_2_;
    if (!dv_decimal_add(s, value_1_, (dv_decimal){UINT64_C(0), UINT64_C(5), -1, false}, &value_2_)) {
        return dv_at(s, "module/lab/demo/app.dever:4:54");
    }
    *out = value_2_;
    return true;
}

/* lab.demo.mean  module/lab/demo/app.dever:5 */
bool lab_demo_app_mean(dv_scope *s, double a, double b, double *out) {
    (void)s;
    *out = ((a + b) / 2.0);
    return true;
}

/* lab.demo.name  module/lab/demo/app.dever:6 */
bool lab_demo_app_name(dv_scope *s, dv_text first, dv_text last, dv_text *out) {
    dv_text value_1_;
    if (!dv_text_concat(s, first, (dv_text){" \"", 2}, &value_1_)) {
        return dv_at(s, "module/lab/demo/app.dever:6:51");
    }
    dv_text value_2_;
    if (!dv_text_concat(s, value_1_, last, &value_2_)) {
        return dv_at(s, "module/lab/demo/app.dever:6:51");
    }
    dv_text value_3_;
    if (!dv_text_concat(s, value_2_, (dv_text){"\"\n", 2}, &value_3_)) {
        return dv_at(s, "module/lab/demo/app.dever:6:51");
    }
    *out = value_3_;
    return true;
}

/* lab.demo.least  module/lab/demo/app.dever:7 */
bool lab_demo_app_least(dv_scope *s, int64_t *out) {
    (void)s;
    *out = INT64_MIN;
    return true;
}

