/* Generated from Dever source: do not edit. */
#include "program.h"

/* lab.demo.price  module/lab/demo/app.dever:8 */
bool lab_demo_app_price(dv_scope *s, lab_demo_app_Item item, int64_t *out) {
    (void)s;
    *out = item.price;
    return true;
}

/* lab.demo.dear  module/lab/demo/app.dever:9 */
bool lab_demo_app_dear(dv_scope *s, lab_demo_app_Item item, int64_t bound, bool *out) {
    (void)s;
    *out = (item.price > bound);
    return true;
}

/* lab.demo.add  module/lab/demo/app.dever:10 */
bool lab_demo_app_add(dv_scope *s, lab_demo_app_Item item, int64_t total, int64_t *next) {
    int64_t value_1_;
    if (!dv_int_add(s, total, item.price, &value_1_)) {
        return dv_at(s, "module/lab/demo/app.dever:10:50");
    }
    *next = value_1_;
    return true;
}

/* lab.demo.until  module/lab/demo/app.dever:11 */
bool lab_demo_app_until(dv_scope *s, lab_demo_app_Item item, int64_t total, int64_t *next, bool *stop) {
    int64_t value_1_;
    if (!dv_int_add(s, total, item.price, &value_1_)) {
        return dv_at(s, "module/lab/demo/app.dever:12:10");
    }
    *next = value_1_;
    *stop = ((*next) > 100);
    return true;
}

/* lab.demo.show  module/lab/demo/app.dever:15 */
bool lab_demo_app_show(dv_scope *s, lab_demo_app_Item item) {
    if (!dv_io_println(s, item.name)) {
        return dv_at(s, "module/lab/demo/app.dever:15:23");
    }
    return true;
}

/* lab.demo.all  module/lab/demo/app.dever:17 */
bool lab_demo_app_all(dv_scope *s, dv_list items, dv_list *prices, dv_list *some, lab_demo_app_Item_maybe *one) {
    dv_list list_1_ = {0};
    for (int64_t i_2_ = 0; i_2_ < items.length; i_2_++) {
        if (!dv_step(s)) {
            return dv_at(s, "module/lab/demo/app.dever:18:19");
        }
        int64_t item_3_;
        if (!lab_demo_app_price(s, DV_ITEM(items, lab_demo_app_Item, i_2_), &item_3_)) {
            return dv_at(s, "module/lab/demo/app.dever:18:19");
        }
        if (!dv_list_append(s, &dv_type_int, list_1_, &item_3_, &list_1_)) {
            return dv_at(s, "module/lab/demo/app.dever:18:19");
        }
    }
    int64_t value_4_ = items.length;
    dv_list list_5_;
    if (!dv_list_append(s, &dv_type_int, list_1_, &value_4_, &list_5_)) {
        return dv_at(s, "module/lab/demo/app.dever:18:12");
    }
    *prices = list_5_;
    int64_t value_6_ = 10;
    dv_list list_7_ = {0};
    for (int64_t i_8_ = 0; i_8_ < items.length; i_8_++) {
        if (!dv_step(s)) {
            return dv_at(s, "module/lab/demo/app.dever:19:10");
        }
        bool item_9_;
        if (!lab_demo_app_dear(s, DV_ITEM(items, lab_demo_app_Item, i_8_), value_6_, &item_9_)) {
            return dv_at(s, "module/lab/demo/app.dever:19:10");
        }
        if (item_9_) {
            if (!dv_list_append(s, &lab_demo_app_Item_type, list_7_, &DV_ITEM(items, lab_demo_app_Item, i_8_), &list_7_)) {
                return dv_at(s, "module/lab/demo/app.dever:19:10");
            }
        }
    }
    *some = list_7_;
    int64_t sum_10_ = 0;
    for (int64_t i_11_ = 0; i_11_ < items.length; i_11_++) {
        if (!dv_step(s)) {
            return dv_at(s, "module/lab/demo/app.dever:20:27");
        }
        int64_t item_12_;
        if (!lab_demo_app_price(s, DV_ITEM(items, lab_demo_app_Item, i_11_), &item_12_)) {
            return dv_at(s, "module/lab/demo/app.dever:20:27");
        }
        if (!dv_int_add(s, sum_10_, item_12_, &sum_10_)) {
            return dv_at(s, "module/lab/demo/app.dever:20:27");
        }
    }
    lab_demo_app_Item_maybe found_13_ = {0};
    for (int64_t i_14_ = 0; i_14_ < items.length; i_14_++) {
        if (!dv_step(s)) {
            return dv_at(s, "module/lab/demo/app.dever:20:9");
        }
        bool item_15_;
        if (!lab_demo_app_dear(s, DV_ITEM(items, lab_demo_app_Item, i_14_), sum_10_, &item_15_)) {
            return dv_at(s, "module/lab/demo/app.dever:20:9");
        }
        if (item_15_) {
            found_13_ = (lab_demo_app_Item_maybe){true, DV_ITEM(items, lab_demo_app_Item, i_14_)};
            break;
        }
    }
    *one = found_13_;
    for (int64_t i_16_ = 0; i_16_ < items.length; i_16_++) {
        if (!dv_step(s)) {
            return dv_at(s, "module/lab/demo/app.dever:21:3");
        }
        if (!lab_demo_app_show(s, DV_ITEM(items, lab_demo_app_Item, i_16_))) {
            return dv_at(s, "module/lab/demo/app.dever:21:3");
        }
    }
    return true;
}

/* lab.demo.totals  module/lab/demo/app.dever:24 */
bool lab_demo_app_totals(dv_scope *s, dv_list items, int64_t *whole, int64_t *part, lab_demo_app_Item_maybe *start, int64_t *three) {
    int64_t state_2_ = 0;
    for (int64_t i_1_ = 0; i_1_ < items.length; i_1_++) {
        if (!dv_step(s)) {
            return dv_at(s, "module/lab/demo/app.dever:25:11");
        }
        if (!lab_demo_app_add(s, DV_ITEM(items, lab_demo_app_Item, i_1_), state_2_, &state_2_)) {
            return dv_at(s, "module/lab/demo/app.dever:25:11");
        }
    }
    *whole = state_2_;
    int64_t state_4_ = 0;
    for (int64_t i_3_ = 0; i_3_ < items.length; i_3_++) {
        if (!dv_step(s)) {
            return dv_at(s, "module/lab/demo/app.dever:26:10");
        }
        bool stop_5_;
        if (!lab_demo_app_until(s, DV_ITEM(items, lab_demo_app_Item, i_3_), state_4_, &state_4_, &stop_5_)) {
            return dv_at(s, "module/lab/demo/app.dever:26:10");
        }
        if (stop_5_) {
            break;
        }
    }
    *part = state_4_;
    lab_demo_app_Item_maybe first_6_ = {0};
    if (items.length > 0) {
        first_6_ = (lab_demo_app_Item_maybe){true, DV_ITEM(items, lab_demo_app_Item, 0)};
    }
    *start = first_6_;
    const int64_t items_7_[3] = {1, 2, (*whole)};
    dv_list list_8_;
    if (!dv_list_of(s, &dv_type_int, items_7_, 3, &list_8_)) {
        return dv_at(s, "module/lab/demo/app.dever:28:15");
    }
    int64_t sum_9_ = 0;
    for (int64_t i_10_ = 0; i_10_ < list_8_.length; i_10_++) {
        if (!dv_step(s)) {
            return dv_at(s, "module/lab/demo/app.dever:28:11");
        }
        if (!dv_int_add(s, sum_9_, DV_ITEM(list_8_, int64_t, i_10_), &sum_9_)) {
            return dv_at(s, "module/lab/demo/app.dever:28:11");
        }
    }
    *three = sum_9_;
    return true;
}

