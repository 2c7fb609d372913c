/* runtime/value/type.c: the descriptions of the built-in types, and equality by description. */
#include <dever/number.h>
#include <dever/collection.h>

#include <string.h>

#define SCALAR(id, kind_, Type, name_) \
    const dv_type dv_type_##id = {.kind = kind_, .size = sizeof(Type), .name = name_}

#define MAYBE(id, Maybe, name_)                                                 \
    const dv_type dv_type_maybe_##id = {.kind = DV_NULLABLE,                    \
                                        .size = sizeof(Maybe),                  \
                                        .name = name_ "?",                      \
                                        .value_offset = offsetof(Maybe, value), \
                                        .item = &dv_type_##id}

#define BUILT_IN(id, kind_, Type, Maybe, name_) \
    SCALAR(id, kind_, Type, name_);             \
    MAYBE(id, Maybe, name_)

/* Not through BUILT_IN: there `bool`, a macro of its own, would be replaced before it is pasted. */
SCALAR(bool, DV_BOOL, bool, "Bool");
MAYBE(bool, dv_maybe_bool, "Bool");
BUILT_IN(int, DV_INT, int64_t, dv_maybe_int, "Int");
BUILT_IN(decimal, DV_DECIMAL, dv_decimal, dv_maybe_decimal, "Decimal");
BUILT_IN(float, DV_FLOAT, double, dv_maybe_float, "Float");
BUILT_IN(text, DV_TEXT, dv_text, dv_maybe_text, "Text");
BUILT_IN(id, DV_ID, dv_text, dv_maybe_text, "Id");
BUILT_IN(bytes, DV_BYTES, dv_text, dv_maybe_text, "Bytes");
BUILT_IN(secret, DV_SECRET, dv_text, dv_maybe_text, "Secret");
BUILT_IN(uuid, DV_UUID, dv_uuid, dv_maybe_uuid, "Uuid");
BUILT_IN(datetime, DV_DATETIME, int64_t, dv_maybe_int, "DateTime");
BUILT_IN(date, DV_DATE, int64_t, dv_maybe_int, "Date");
BUILT_IN(time, DV_TIME, int64_t, dv_maybe_int, "Time");
BUILT_IN(duration, DV_DURATION, int64_t, dv_maybe_int, "Duration");
BUILT_IN(json, DV_JSON, dv_text, dv_maybe_text, "Json");

static bool fields_equal(const dv_field *fields, uint32_t count, const char *a, const char *b) {
    for (uint32_t i = 0; i < count; i++) {
        if (!dv_equal(fields[i].type, a + fields[i].offset, b + fields[i].offset)) {
            return false;
        }
    }
    return true;
}

static bool lists_equal(const dv_type *item, const dv_list *a, const dv_list *b) {
    if (a->length != b->length) {
        return false;
    }
    for (int64_t i = 0; i < a->length; i++) {
        size_t at = (size_t)i * item->size;
        if (!dv_equal(item, (const char *)a->items + at, (const char *)b->items + at)) {
            return false;
        }
    }
    return true;
}

bool dv_equal(const dv_type *type, const void *a, const void *b) {
    switch (type->kind) {
    case DV_BOOL:
        return *(const bool *)a == *(const bool *)b;
    case DV_INT:
    case DV_DATETIME:
    case DV_DATE:
    case DV_TIME:
    case DV_DURATION:
    case DV_MODEL_ID:
        return *(const int64_t *)a == *(const int64_t *)b;
    case DV_DECIMAL:
        return dv_decimal_compare(*(const dv_decimal *)a, *(const dv_decimal *)b) == 0;
    case DV_FLOAT:
        return *(const double *)a == *(const double *)b;
    case DV_TEXT:
    case DV_ID:
    case DV_BYTES:
    case DV_SECRET:
    case DV_JSON:
        return dv_text_equal(*(const dv_text *)a, *(const dv_text *)b);
    case DV_UUID:
        return memcmp(a, b, sizeof(dv_uuid)) == 0;
    case DV_NULLABLE: {
        bool present = *(const bool *)a;
        return present == *(const bool *)b &&
               (!present || dv_equal(type->item, (const char *)a + type->value_offset,
                                     (const char *)b + type->value_offset));
    }
    case DV_LIST:
        return lists_equal(type->item, a, b);
    case DV_RECORD:
        return fields_equal(type->fields, type->count, a, b);
    case DV_CHOICE: {
        int32_t tag = *(const int32_t *)a;
        const dv_variant *variant = &type->variants[tag];
        return tag == *(const int32_t *)b &&
               fields_equal(variant->fields, variant->field_count, a, b);
    }
    }
    return false;
}
