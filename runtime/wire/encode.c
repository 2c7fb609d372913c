/* runtime/wire/encode.c: values to JSON.
 *
 * The limits are those of decode.c, so that what is written can be read again. The way from the root to
 * the value at hand is kept for errors only. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/datetime.h"
#include "base/decimal.h"
#include "base/json_writer.h"
#include "base/uuid.h"
#include "contract/job_limits.h"
#include "runtime/value/text.h"
#include "runtime/wire/wire.h"

/* From a record or list to a part of it. */
typedef struct Step {
    const char *field; /* NULL: `index` */
    int64_t index;
} Step;

typedef struct Encoder {
    Buf *out;
    WireError *error;
    uint32_t nodes;
    uint32_t depth;
    Step steps[WIRE_DEPTH_MAX];
} Encoder;

static bool encode(Encoder *e, const dv_type *type, const void *value);

static bool refuse(Encoder *e, const char *what, const char *more) {
    *e->error = (WireError){0};
    Buf path = {.limit = sizeof e->error->path - 1};
    buf_add_char(&path, '$');
    for (uint32_t i = 0; i < e->depth; i++) {
        if (e->steps[i].field != NULL) {
            buf_format(&path, ".%s", e->steps[i].field);
        } else {
            buf_format(&path, "[%" PRId64 "]", e->steps[i].index);
        }
    }
    snprintf(e->error->path, sizeof e->error->path, STR_FMT, STR_ARG(buf_str(&path)));
    buf_done(&path);
    snprintf(e->error->message, sizeof e->error->message, "%s%s", what, more);
    return false;
}

static bool too_many(Encoder *e) {
    return refuse(e, "the value has more than 65536 parts", "");
}

static bool too_deep(Encoder *e) {
    return refuse(e, "the value is nested more than 64 levels deep", "");
}

/* ---- scalars ---- */

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

static bool encode_moment(Encoder *e, const dv_type *type, bool (*format)(int64_t, Buf *),
                          int64_t ms) {
    buf_add_char(e->out, '"');
    bool good = format(ms, e->out);
    buf_add_char(e->out, '"');
    return good || refuse(e, type->name, " is outside what can be written");
}

/* Its text goes out as it is, once it is seen to be one JSON value within what is left of the limits. */
static bool encode_json(Encoder *e, Str text) {
    JsonReader reader;
    Arena *arena = arena_new(2 * WIRE_BYTES_MAX);
    if (arena == NULL) {
        return refuse(e, "there is no memory for this value", "");
    }
    json_reader_init(
        &reader, arena, text,
        (JsonLimits){WIRE_BYTES_MAX, WIRE_DEPTH_MAX - e->depth, WIRE_NODES_MAX - e->nodes + 1});
    bool good = json_reader_skip(&reader, NULL) && json_reader_end(&reader);
    arena_free(arena);
    if (!good) {
        return refuse(e, "this Json cannot be written: ", reader.error.message);
    }
    e->nodes += reader.nodes - 1; /* it was counted as one already */
    buf_add(e->out, text);
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
               refuse(e, type->name, " is not finite");
    case DV_DECIMAL:
        encode_decimal(e, value);
        return true;
    case DV_TEXT:
    case DV_ID:
        json_write_string(e->out, text_str(*(const dv_text *)value));
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
        return encode_json(e, text_str(*(const dv_text *)value));
    default:
        return refuse(e, type->name, " has no wire form");
    }
}

/* ---- lists and records ---- */

static bool encode_list(Encoder *e, const dv_type *type, const dv_list *list, Step *step) {
    buf_add_char(e->out, '[');
    for (int64_t i = 0; i < list->length; i++) {
        *step = (Step){.index = i};
        buf_add(e->out, i > 0 ? STR(",") : STR(""));
        if (!encode(e, type->item, (const char *)list->items + (size_t)i * type->item->size)) {
            return false;
        }
    }
    buf_add_char(e->out, ']');
    return true;
}

static bool encode_record(Encoder *e, const dv_type *type, const char *value, Step *step) {
    buf_add_char(e->out, '{');
    for (uint32_t i = 0; i < type->count; i++) {
        const dv_field *field = &type->fields[i];
        *step = (Step){.field = field->name};
        buf_format(e->out, "%s\"%s\":", i == 0 ? "" : ",", field->name);
        if (!encode(e, field->type, value + field->offset)) {
            return false;
        }
    }
    buf_add_char(e->out, '}');
    return true;
}

static bool encode(Encoder *e, const dv_type *type, const void *value) {
    if (type->kind == DV_NULLABLE && *(const bool *)value) {
        return encode(e, type->item, (const char *)value + type->value_offset);
    }
    if (e->nodes >= WIRE_NODES_MAX) {
        return too_many(e);
    }
    e->nodes++;
    if (type->kind == DV_NULLABLE) {
        buf_add(e->out, STR("null"));
        return true;
    }
    if (type->kind != DV_LIST && type->kind != DV_RECORD) {
        return encode_scalar(e, type, value);
    }
    if (e->depth >= WIRE_DEPTH_MAX) {
        return too_deep(e);
    }
    Step *step = &e->steps[e->depth++];
    bool good = type->kind == DV_LIST ? encode_list(e, type, value, step)
                                      : encode_record(e, type, value, step);
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
