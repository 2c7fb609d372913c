/* dever/type.h: descriptions of types, as static data beside the generated code.
 *
 * One description per type lets the runtime read and write JSON, bind and read database columns,
 * compare, copy and show values without generated code for each. */
#ifndef DEVER_TYPE_H
#define DEVER_TYPE_H

#include <dever/value.h>

typedef enum dv_kind {
    DV_BOOL,
    DV_INT,
    DV_DECIMAL,
    DV_FLOAT,
    DV_TEXT,
    DV_ID,
    DV_BYTES,
    DV_SECRET,
    DV_UUID,
    DV_DATETIME,
    DV_DATE,
    DV_TIME,
    DV_DURATION,
    DV_JSON,
    DV_MODEL_ID, /* name is the Model's package: "content.article.model" */
    DV_NULLABLE, /* item, value_offset */
    DV_LIST,     /* item */
    DV_RECORD,   /* fields */
    DV_CHOICE    /* variants */
} dv_kind;

typedef struct dv_type dv_type;

typedef struct dv_field {
    const char *name;
    const dv_type *type;
    uint32_t offset; /* from the start of the record or of the choice (payload fields) */
} dv_field;

typedef struct dv_variant {
    const char *name;
    bool is_error;
    uint32_t field_count;
    const dv_field *fields;
} dv_variant;

struct dv_type {
    dv_kind kind;
    uint32_t size;         /* sizeof the C value; at least 1 */
    const char *name;      /* "Int", "content.article.ArticleView", "List<Int>", "Text?" */
    uint32_t value_offset; /* DV_NULLABLE: where `value` stands; `present` stands at 0 */
    uint32_t count;        /* of fields or variants */
    const dv_type *item;
    const dv_field *fields;
    const dv_variant *variants; /* index = tag */
};

extern const dv_type dv_type_bool, dv_type_int, dv_type_decimal, dv_type_float, dv_type_text,
    dv_type_id, dv_type_bytes, dv_type_secret, dv_type_uuid, dv_type_datetime, dv_type_date,
    dv_type_time, dv_type_duration, dv_type_json;
/* The nullable form of each. */
extern const dv_type dv_type_maybe_bool, dv_type_maybe_int, dv_type_maybe_decimal,
    dv_type_maybe_float, dv_type_maybe_text, dv_type_maybe_id, dv_type_maybe_bytes,
    dv_type_maybe_secret, dv_type_maybe_uuid, dv_type_maybe_datetime, dv_type_maybe_date,
    dv_type_maybe_time, dv_type_maybe_duration, dv_type_maybe_json;

/* Equality of two values of one type, as `==` means it: structural, Decimal by number, Float by IEEE
 * 754 (a NaN equals nothing). */
bool dv_equal(const dv_type *type, const void *a, const void *b);

#endif
