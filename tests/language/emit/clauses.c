/* Generated from Dever source: do not edit. */
#include "program.h"

/* lab.demo.grade  module/lab/demo/app.dever:9 */
static bool lab_demo_app_grade__1(dv_scope *s, int64_t score, dv_text *word) {
    (void)s;
    (void)score;
    *word = (dv_text){"low", 3};
    return true;
}

static bool lab_demo_app_grade__2(dv_scope *s, int64_t score, dv_text *word) {
    (void)s;
    (void)score;
    *word = (dv_text){"fair", 4};
    return true;
}

static bool lab_demo_app_grade__3(dv_scope *s, int64_t score, dv_text *word) {
    (void)s;
    (void)score;
    *word = (dv_text){"high", 4};
    return true;
}

bool lab_demo_app_grade(dv_scope *s, int64_t score, dv_text *word) {
    if (score <= (-1)) {
        return lab_demo_app_grade__1(s, score, word);
    }
    if ((score >= 0 && score <= 99)) {
        return lab_demo_app_grade__2(s, score, word);
    }
    return lab_demo_app_grade__3(s, score, word);
}

/* lab.demo.shown  module/lab/demo/app.dever:13 */
static bool lab_demo_app_shown__1(dv_scope *s, dv_maybe_int value, int64_t *out) {
    (void)s;
    (void)value;
    *out = 0;
    return true;
}

static bool lab_demo_app_shown__2(dv_scope *s, int64_t value, int64_t *out) {
    int64_t value_1_;
    if (!dv_int_add(s, value, 1, &value_1_)) {
        return dv_at(s, "module/lab/demo/app.dever:14:38");
    }
    *out = value_1_;
    return true;
}

bool lab_demo_app_shown(dv_scope *s, dv_maybe_int value, int64_t *out) {
    if ((value.present && true)) {
        return lab_demo_app_shown__2(s, value.value, out);
    }
    return lab_demo_app_shown__1(s, value, out);
}

/* lab.demo.drive  module/lab/demo/app.dever:16 */
static bool lab_demo_app_drive__1(dv_scope *s, lab_demo_app_Light light, bool hurry, int64_t *speed) {
    (void)s;
    (void)light;
    (void)hurry;
    *speed = 0;
    return true;
}

static bool lab_demo_app_drive__2(dv_scope *s, lab_demo_app_Light light, bool hurry, int64_t *speed) {
    (void)s;
    (void)light;
    (void)hurry;
    *speed = 60;
    return true;
}

static bool lab_demo_app_drive__3(dv_scope *s, lab_demo_app_Light light, bool hurry, int64_t *speed) {
    (void)s;
    (void)light;
    (void)hurry;
    *speed = 0;
    return true;
}

static bool lab_demo_app_drive__4(dv_scope *s, lab_demo_app_Light light, bool hurry, int64_t *speed) {
    (void)s;
    (void)light;
    (void)hurry;
    *speed = 50;
    return true;
}

bool lab_demo_app_drive(dv_scope *s, lab_demo_app_Light light, bool hurry, int64_t *speed) {
    switch (light.tag) {
    case lab_demo_app_Light_Red:
        return lab_demo_app_drive__1(s, light, hurry, speed);
    case lab_demo_app_Light_Amber:
        if (hurry) {
            return lab_demo_app_drive__2(s, light, hurry, speed);
        }
        return lab_demo_app_drive__3(s, light, hurry, speed);
    default:
        return lab_demo_app_drive__4(s, light, hurry, speed);
    }
}

/* lab.demo.greet  module/lab/demo/app.dever:21 */
static bool lab_demo_app_greet__1(dv_scope *s, dv_text name, dv_text *out) {
    (void)s;
    (void)name;
    *out = (dv_text){"hello", 5};
    return true;
}

static bool lab_demo_app_greet__2(dv_scope *s, dv_text name, dv_text *out) {
    dv_text value_1_;
    if (!dv_text_concat(s, (dv_text){"hello ", 6}, name, &value_1_)) {
        return dv_at(s, "module/lab/demo/app.dever:22:40");
    }
    *out = value_1_;
    return true;
}

bool lab_demo_app_greet(dv_scope *s, dv_text name, dv_text *out) {
    if (dv_text_equal(name, (dv_text){"", 0})) {
        return lab_demo_app_greet__1(s, name, out);
    }
    return lab_demo_app_greet__2(s, name, out);
}

