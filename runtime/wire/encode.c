/* runtime/wire/encode.c: values to JSON. */
#include <stdio.h>
#include <string.h>

#include "base/datetime.h"
#include "base/decimal.h"
#include "base/json_writer.h"
#include "base/uuid.h"
#include "contract/job_limits.h"
#include "runtime/wire/wire.h"

typedef struct Encoder {
    Buf *out;
    WireError *error;
    uint32_t nodes;
    uint32_t depth;
} Encoder;

static bool encode(Encoder *e, const dv_type *type, const void *value);

static bool refuse(Encoder *e, const char *what, const char *type) {
    *e->error = (WireError){0};
    snprintf(e->error->message, sizeof e->error->message, "%s%s", type, what);
    return false;
}

static Str str_of(const void *value) {
    dv_text text = *(const dv_text *)value;
    return (Str){text.ptr == NULL ? "" : text.ptr, text.len};
}

static void encode_decimal(Encoder *e, const dv_decimal *d) {
    buf_add_char(e->out, '"');
    decimal_format((Decimal){d->high, d->low, d->exponent, d->negative}, e->out);
    buf_add_char(e->out, '"');
}

static void encode_uuid(Encoder *e, const dv_uuid *value) {
    Uuid uuid;
    char text[UUID_TEXT_SIZE];
    memcpy(uuid.bytes, value->bytes, sizeof uuid.bytes);
    uuid_text(uuid, text);
    json_write_string(e->out, str_from(text));
}

static bool encode_moment(Encoder *e, const dv_type *type, bool (*format)(int64_t, Buf *), int64_t ms) {
    buf_add_char(e->out, '"');
    bool good = format(ms, e->out);
    buf_add_char(e->out, '"');
    return good || refuse(e, " is outside what can be written", type->name);
}

static bool encode_list(Encoder *e, const dv_type *type, const dv_list *list) {
    buf_add_char(e->out, '[');
    for (int64_t i = 0; i < list->length; i++) {
        if (i > 0) {
            buf_add_char(e->out, ',');
        }
        if (!encode(e, type->item, (const char *)list->items + (size_t)i * type->item->size)) {
            return false;
        }
    }
    buf_add_char(e->out, ']');
    return true;
}

static bool encode_record(Encoder *e, const dv_type *type, const char *value) {
    buf_add_char(e->out, '{');
    for (uint32_t i = 0; i < type->count; i++) {
        const dv_field *field = &type->fields[i];
        buf_format(e->out, "%s\"%s\":", i == 0 ? "" : ",", field->name);
        if (!encode(e, field->type, value + field->offset)) {
            return false;
        }
    }
    buf_add_char(e->out, '}');
    return true;
}

static bool encode_scalar(Encoder *e, const dv_type *type, const void *value) {
    switch (type->kind) {
    case DV_BOOL:
        buf_add(e->out, *(const bool *)value ? STR("true") : STR("false"));
        return true;
    case DV_INT:
    case DV_DURATION:
    case DV_MODEL_ID:
        json_write_int(e->out, *(const int64_t *)value);
        return true;
    case DV_FLOAT:
        return json_write_float(e->out, *(const double *)value) ||
               refuse(e, " is not finite", type->name);
    case DV_DECIMAL:
        encode_decimal(e, value);
        return true;
    case DV_TEXT:
    case DV_ID:
        json_write_string(e->out, str_of(value));
        return true;
    case DV_UUID:
        encode_uuid(e, value);
        return true;
    case DV_DATETIME:
        return encode_moment(e, type, datetime_format, *(const int64_t *)value);
    case DV_DATE:
        return encode_moment(e, type, date_format, *(const int64_t *)value);
    case DV_TIME:
        return encode_moment(e, type, time_format, *(const int64_t *)value);
    case DV_JSON:
        buf_add(e->out, str_of(value));
        return true;
    default:
        return refuse(e, " has no wire form", type->name);
    }
}

static bool encode(Encoder *e, const dv_type *type, const void *value) {
    if (type->kind == DV_NULLABLE) {
        if (*(const bool *)value) {
            return encode(e, type->item, (const char *)value + type->value_offset);
        }
        buf_add(e->out, STR("null"));
        e->nodes++;
        return true;
    }
    if (e->nodes >= WIRE_NODES_MAX) {
        return refuse(e, "the value has more than 65536 parts", "");
    }
    e->nodes++;
    if (type->kind != DV_LIST && type->kind != DV_RECORD) {
        return encode_scalar(e, type, value);
    }
    if (e->depth >= WIRE_DEPTH_MAX) {
        return refuse(e, "the value is nested more than 64 levels deep", "");
    }
    e->depth++;
    bool good = type->kind == DV_LIST ? encode_list(e, type, value) : encode_record(e, type, value);
    e->depth--;
    return good;
}

bool wire_encode(const dv_type *type, const void *value, Buf *out, WireError *error) {
    Encoder e = {.out = out, .error = error};
    if (out->limit == 0) {
        out->limit = WIRE_BYTES_MAX;
    }
    return encode(&e, type, value) &&
           (buf_ok(out) || refuse(&e, "the value is too large as JSON", ""));
}
