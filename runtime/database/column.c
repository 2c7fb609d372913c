/* runtime/database/column.c: between values of a program and values of SQLite. */
#include "runtime/database/column.h"

#include <string.h>

#include "base/clock.h"
#include "base/decimal.h"
#include "base/utf8.h"
#include "base/uuid.h"

/* Bytes that live as long as the scope; ptr NULL without memory. An empty text is fine. */
static Str keep(dv_scope *s, Str bytes) {
    char *copy = dv_new(s, bytes.len + 1);
    if (copy == NULL) {
        return (Str){0};
    }
    if (bytes.len > 0) {
        memcpy(copy, bytes.ptr, bytes.len);
    }
    return (Str){.ptr = copy, .len = bytes.len};
}

/* ---- writing ---- */

static bool write_decimal(dv_scope *s, const dv_column *column, dv_decimal value, DbValue *out,
                          DbError *error) {
    char key[DECIMAL_KEY_SIZE];
    Decimal decimal = {.high = value.high,
                       .low = value.low,
                       .exponent = value.exponent,
                       .negative = value.negative};
    if (!decimal_to_key(decimal, column->precision, column->scale, key)) {
        return db_error(error, DV_DATABASE_INVALID_DATA,
                        "%s: a number does not fit into Decimal(%u, %u)", column->name,
                        (unsigned)column->precision, (unsigned)column->scale);
    }
    Str kept = keep(s, str_from(key));
    *out = db_text(kept);
    return kept.ptr != NULL;
}

static bool write_value(dv_scope *s, const dv_column *column, const dv_type *type,
                        const void *value, DbValue *out, DbError *error) {
    const dv_text *text = value;
    switch (type->kind) {
    case DV_BOOL:
        *out = db_integer(*(const bool *)value ? 1 : 0);
        return true;
    case DV_INT:
    case DV_MODEL_ID:
    case DV_DATETIME:
    case DV_DATE:
    case DV_TIME:
    case DV_DURATION:
        *out = db_integer(*(const int64_t *)value);
        return true;
    case DV_FLOAT:
        *out = db_real(*(const double *)value);
        return true;
    case DV_DECIMAL:
        return write_decimal(s, column, *(const dv_decimal *)value, out, error);
    case DV_TEXT:
    case DV_ID:
    case DV_JSON:
        *out = db_text((Str){.ptr = text->ptr, .len = text->len});
        return true;
    case DV_BYTES:
        *out = db_blob((Str){.ptr = text->ptr, .len = text->len});
        return true;
    case DV_UUID:
        *out = db_blob((Str){.ptr = value, .len = sizeof(dv_uuid)});
        return true;
    case DV_CHOICE:
        *out = db_text(str_from(type->variants[*(const int32_t *)value].name));
        return true;
    case DV_NULLABLE:
        if (!*(const bool *)value) {
            *out = db_null();
            return true;
        }
        return write_value(s, column, type->item, (const char *)value + type->value_offset, out,
                           error);
    case DV_SECRET:
    case DV_LIST:
    case DV_RECORD:
        break;
    }
    return db_error(error, DV_DATABASE_INVALID_DATA, "%s: a %s cannot be stored", column->name,
                    type->name);
}

/* The value that the runtime makes for a new row. */
static bool make_value(dv_scope *s, const dv_column *column, DbValue *out, DbError *error) {
    int64_t now = clock_wall_ms();
    if (column->type->kind == DV_DATETIME) {
        *out = db_integer(now);
        return true;
    }
    if (column->type->kind != DV_UUID) {
        return db_error(error, DV_DATABASE_INVALID_DATA, "%s has no value", column->name);
    }
    Uuid uuid = uuid_v7(now);
    Str kept = keep(s, (Str){.ptr = (const char *)uuid.bytes, .len = sizeof uuid.bytes});
    *out = db_blob(kept);
    return kept.ptr != NULL;
}

bool column_write(dv_scope *s, const dv_column *column, const void *value, DbValue *out,
                  DbError *error) {
    if (value == NULL && column->made) {
        return make_value(s, column, out, error);
    }
    return write_value(s, column, column->type, value, out, error);
}

/* ---- reading ---- */

static bool wrong(const dv_column *column, const dv_type *type, DbError *error) {
    return db_error(error, DV_DATABASE_INVALID_DATA, "%s: what is stored is no %s", column->name,
                    type->name);
}

static bool read_text(dv_scope *s, const dv_column *column, const dv_type *type, DbValue stored,
                      void *out, DbError *error) {
    DbKind wanted = type->kind == DV_BYTES ? DB_BLOB : DB_TEXT;
    if (stored.kind != wanted) {
        return wrong(column, type, error);
    }
    if (wanted == DB_TEXT && !utf8_valid(stored.bytes, NULL)) {
        return db_error(error, DV_DATABASE_DATABASE, "%s: what is stored is not valid UTF-8",
                        column->name);
    }
    Str kept = keep(s, stored.bytes);
    *(dv_text *)out = (dv_text){.ptr = kept.ptr, .len = kept.len};
    return kept.ptr != NULL;
}

static bool read_choice(const dv_column *column, const dv_type *type, DbValue stored, void *out,
                        DbError *error) {
    for (uint32_t tag = 0; stored.kind == DB_TEXT && tag < type->count; tag++) {
        if (str_equal(stored.bytes, str_from(type->variants[tag].name))) {
            *(int32_t *)out = (int32_t)tag;
            return true;
        }
    }
    return wrong(column, type, error);
}

static bool read_decimal(const dv_column *column, const dv_type *type, DbValue stored, void *out,
                         DbError *error) {
    Decimal value;
    if (stored.kind != DB_TEXT || !decimal_from_key(stored.bytes, &value)) {
        return wrong(column, type, error);
    }
    *(dv_decimal *)out = (dv_decimal){.high = value.high,
                                      .low = value.low,
                                      .exponent = value.exponent,
                                      .negative = value.negative};
    return true;
}

static bool read_number(const dv_column *column, const dv_type *type, DbValue stored, void *out,
                        DbError *error) {
    if (stored.kind == DB_INTEGER && type->kind == DV_BOOL && (stored.integer & ~INT64_C(1)) == 0) {
        *(bool *)out = stored.integer == 1;
    } else if (stored.kind == DB_INTEGER && type->kind == DV_FLOAT) {
        *(double *)out = (double)stored.integer;
    } else if (stored.kind == DB_REAL && type->kind == DV_FLOAT) {
        *(double *)out = stored.real;
    } else if (stored.kind == DB_INTEGER && type->kind != DV_BOOL) {
        *(int64_t *)out = stored.integer;
    } else {
        return wrong(column, type, error);
    }
    return true;
}

static bool read_value(dv_scope *s, const dv_column *column, const dv_type *type, DbValue stored,
                       void *out, DbError *error) {
    switch (type->kind) {
    case DV_BOOL:
    case DV_INT:
    case DV_FLOAT:
    case DV_MODEL_ID:
    case DV_DATETIME:
    case DV_DATE:
    case DV_TIME:
    case DV_DURATION:
        return read_number(column, type, stored, out, error);
    case DV_DECIMAL:
        return read_decimal(column, type, stored, out, error);
    case DV_TEXT:
    case DV_ID:
    case DV_JSON:
    case DV_BYTES:
        return read_text(s, column, type, stored, out, error);
    case DV_UUID:
        if (stored.kind != DB_BLOB || stored.bytes.len != sizeof(dv_uuid)) {
            return wrong(column, type, error);
        }
        memcpy(out, stored.bytes.ptr, sizeof(dv_uuid));
        return true;
    case DV_CHOICE:
        return read_choice(column, type, stored, out, error);
    case DV_NULLABLE:
        *(bool *)out = stored.kind != DB_NULL;
        return stored.kind == DB_NULL ||
               read_value(s, column, type->item, stored, (char *)out + type->value_offset, error);
    case DV_SECRET:
    case DV_LIST:
    case DV_RECORD:
        break;
    }
    return wrong(column, type, error);
}

bool column_read(dv_scope *s, const dv_column *column, DbValue stored, void *out, DbError *error) {
    return read_value(s, column, column->type, stored, out, error);
}
