/* runtime/wire/decode.c: JSON to values. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/datetime.h"
#include "base/decimal.h"
#include "base/uuid.h"
#include "contract/job_limits.h"
#include "runtime/task/scope.h"
#include "runtime/value/list.h"
#include "runtime/wire/wire.h"

typedef struct Decoder {
    dv_scope *s;
    JsonReader reader;
} Decoder;

static bool decode(Decoder *d, const dv_type *type, void *out);

/* "expected an Int, found a string". */
static bool mismatch(Decoder *d, const char *wanted) {
    JsonKind found = json_reader_peek(&d->reader);
    return json_reader_fail(&d->reader, "expected %s, found %s", wanted, json_kind_text(found));
}

static bool out_of_memory(Decoder *d) {
    return json_reader_fail(&d->reader, "there is no memory for this value");
}

static bool decode_int(Decoder *d, int64_t *out) {
    static const char wanted[] = "a whole number of 64 bits";
    Str text;
    if (json_reader_peek(&d->reader) != JSON_NUMBER) {
        return mismatch(d, wanted);
    }
    if (!json_reader_number(&d->reader, &text)) {
        return false;
    }
    char digits[24] = "";
    if (text.len < sizeof digits && !str_find_char(text, '.', NULL) &&
        !str_find_char(text, 'e', NULL) && !str_find_char(text, 'E', NULL)) {
        memcpy(digits, text.ptr, text.len);
    }
    errno = 0;
    int64_t value = strtoll(digits, NULL, 10);
    if (digits[0] == '\0' || errno != 0) {
        return json_reader_fail(&d->reader, "expected %s, found another number", wanted);
    }
    *out = value;
    return true;
}

static bool decode_float(Decoder *d, double *out) {
    Str text;
    if (json_reader_peek(&d->reader) != JSON_NUMBER) {
        return mismatch(d, "a number");
    }
    if (!json_reader_number(&d->reader, &text)) {
        return false;
    }
    char *copy = str_cstr(d->s->arena, text);
    if (copy == NULL) {
        return out_of_memory(d);
    }
    double value = strtod(copy, NULL);
    if (value > 1.7976931348623157e308 || value < -1.7976931348623157e308) {
        return json_reader_fail(&d->reader, "this number is too large for a Float");
    }
    *out = value;
    return true;
}

static bool decode_string(Decoder *d, const char *wanted, Str *out) {
    return json_reader_peek(&d->reader) == JSON_STRING ? json_reader_string(&d->reader, out)
                                                       : mismatch(d, wanted);
}

static bool decode_text(Decoder *d, const char *wanted, dv_text *out) {
    Str text;
    if (!decode_string(d, wanted, &text)) {
        return false;
    }
    *out = (dv_text){text.ptr, text.len};
    return true;
}

static bool decode_decimal(Decoder *d, dv_decimal *out) {
    static const char wanted[] = "a decimal number of at most 34 digits as a string";
    Str text;
    Decimal value;
    if (!decode_string(d, wanted, &text)) {
        return false;
    }
    if (!decimal_parse(text, &value)) {
        return json_reader_fail(&d->reader, "expected %s, found another string", wanted);
    }
    *out = (dv_decimal){value.high, value.low, value.exponent, value.negative};
    return true;
}

static bool decode_uuid(Decoder *d, dv_uuid *out) {
    static const char wanted[] = "a UUID such as \"01890a5d-ac96-774b-bcce-b302099a8057\"";
    Str text;
    Uuid uuid;
    if (!decode_string(d, wanted, &text)) {
        return false;
    }
    if (!uuid_parse(text, &uuid)) {
        return json_reader_fail(&d->reader, "expected %s, found another string", wanted);
    }
    memcpy(out->bytes, uuid.bytes, sizeof out->bytes);
    return true;
}

static bool decode_moment(Decoder *d, const char *wanted, bool (*parse)(Str, int64_t *),
                          int64_t *out) {
    Str text;
    return decode_string(d, wanted, &text) &&
           (parse(text, out) ||
            json_reader_fail(&d->reader, "expected %s, found another string", wanted));
}

static bool decode_json(Decoder *d, dv_text *out) {
    Str raw;
    if (!json_reader_skip(&d->reader, &raw)) {
        return false;
    }
    Str copy = str_dup(d->s->arena, raw);
    if (copy.ptr == NULL) {
        return out_of_memory(d);
    }
    *out = (dv_text){copy.ptr, copy.len};
    return true;
}

static bool decode_nullable(Decoder *d, const dv_type *type, void *out) {
    if (json_reader_peek(&d->reader) == JSON_NULL) {
        memset(out, 0, type->size);
        return json_reader_null(&d->reader);
    }
    *(bool *)out = true;
    return decode(d, type->item, (char *)out + type->value_offset);
}

static bool decode_list(Decoder *d, const dv_type *type, dv_list *out) {
    dv_list list = {0};
    bool more = true;
    if (json_reader_peek(&d->reader) != JSON_ARRAY) {
        return mismatch(d, "an array");
    }
    void *item = dv_new(d->s, type->item->size);
    if (item == NULL) {
        return out_of_memory(d);
    }
    bool good = json_reader_array(&d->reader);
    while (good && (good = json_reader_item(&d->reader, &more)) && more) {
        memset(item, 0, type->item->size);
        good = decode(d, type->item, item) &&
               (list_push(d->s, type->item, &list, item) || out_of_memory(d));
    }
    *out = list;
    return good;
}

static const dv_field *find_field(const dv_type *record, Str key, uint32_t *out_index) {
    for (uint32_t i = 0; i < record->count; i++) {
        if (str_equal(key, str_from(record->fields[i].name))) {
            *out_index = i;
            return &record->fields[i];
        }
    }
    return NULL;
}

/* What was not written: null where the type allows it. */
static bool fill_missing(Decoder *d, const dv_type *type, const bool *seen, char *out) {
    for (uint32_t i = 0; i < type->count; i++) {
        const dv_field *field = &type->fields[i];
        if (seen[i]) {
            continue;
        }
        if (field->type->kind != DV_NULLABLE) {
            return json_reader_fail(&d->reader, "`%s` is missing", field->name);
        }
        memset(out + field->offset, 0, field->type->size);
    }
    return true;
}

static bool decode_record(Decoder *d, const dv_type *type, char *out) {
    if (json_reader_peek(&d->reader) != JSON_OBJECT) {
        return mismatch(d, "an object");
    }
    bool *seen = dv_new(d->s, type->count + 1);
    bool more = true;
    Str key;
    if (seen == NULL) {
        return out_of_memory(d);
    }
    bool good = json_reader_object(&d->reader);
    while (good && (good = json_reader_member(&d->reader, &more, &key)) && more) {
        uint32_t index = 0;
        const dv_field *field = find_field(type, key, &index);
        if (field == NULL) {
            good = json_reader_fail(&d->reader, "there is no such field");
        } else if (seen[index]) {
            good = json_reader_fail(&d->reader, "this field stands twice");
        } else {
            seen[index] = true;
            good = decode(d, field->type, out + field->offset);
        }
    }
    return good && fill_missing(d, type, seen, out);
}

static bool decode(Decoder *d, const dv_type *type, void *out) {
    switch (type->kind) {
    case DV_BOOL:
        return json_reader_peek(&d->reader) == JSON_BOOL ? json_reader_bool(&d->reader, out)
                                                         : mismatch(d, "true or false");
    case DV_INT:
    case DV_DURATION:
    case DV_MODEL_ID:
        return decode_int(d, out);
    case DV_FLOAT:
        return decode_float(d, out);
    case DV_DECIMAL:
        return decode_decimal(d, out);
    case DV_TEXT:
    case DV_ID:
    case DV_SECRET:
        return decode_text(d, "a string", out);
    case DV_UUID:
        return decode_uuid(d, out);
    case DV_DATETIME:
        return decode_moment(d, "a moment such as \"2026-01-31T08:00:00Z\"", datetime_parse, out);
    case DV_DATE:
        return decode_moment(d, "a day such as \"2026-01-31\"", date_parse, out);
    case DV_TIME:
        return decode_moment(d, "a time of day such as \"08:00:00\"", time_parse, out);
    case DV_JSON:
        return decode_json(d, out);
    case DV_NULLABLE:
        return decode_nullable(d, type, out);
    case DV_LIST:
        return decode_list(d, type, out);
    case DV_RECORD:
        return decode_record(d, type, out);
    case DV_BYTES:
    case DV_CHOICE:
        break;
    }
    return json_reader_fail(&d->reader, "%s has no wire form", type->name);
}

bool wire_decode(dv_scope *s, const dv_type *type, Str json, void *out, WireError *error) {
    Decoder d = {.s = s};
    json_reader_init(&d.reader, s->arena, json,
                     (JsonLimits){WIRE_BYTES_MAX, WIRE_DEPTH_MAX, WIRE_NODES_MAX});
    if (decode(&d, type, out) && json_reader_end(&d.reader)) {
        return true;
    }
    *error = d.reader.error;
    return false;
}
