/* Generated from Dever source: do not edit. */
#include "program.h"

/* lab.demo.large  module/lab/demo/app.dever:3 */
bool lab_demo_app_large(dv_scope *s, int64_t a, int64_t b, bool *out) {
    bool both_2_ = (b != 0);
    if (both_2_) {
        int64_t value_1_;
        if (!dv_int_quotient(s, a, b, &value_1_)) {
            return dv_at(s, "module/lab/demo/app.dever:3:54");
        }
        both_2_ = (value_1_ > 10);
    }
    *out = both_2_;
    return true;
}

/* lab.demo.fine  module/lab/demo/app.dever:4 */
bool lab_demo_app_fine(dv_scope *s, int64_t a, int64_t b, bool *out) {
    bool either_2_ = (b == 0);
    if (!either_2_) {
        int64_t value_1_;
        if (!dv_int_quotient(s, a, b, &value_1_)) {
            return dv_at(s, "module/lab/demo/app.dever:4:52");
        }
        either_2_ = (value_1_ > 10);
    }
    *out = (either_2_ || !(a == b));
    return true;
}

/* lab.demo.plain  module/lab/demo/app.dever:5 */
bool lab_demo_app_plain(dv_scope *s, int64_t a, int64_t b, bool *out) {
    (void)s;
    *out = ((a > 0) && (b > 0));
    return true;
}

