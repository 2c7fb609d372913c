/* contract/schema.c: the text is written from the type tree in one walk; fields are visited in the order of
 * their names, so that the order of the source does not matter. */
#include "contract/schema.h"

#include <string.h>

#include "base/sha256.h"

/* The field with the least name above `after` (NULL: of all). Records have few fields. */
static const WireField *next_field(const WireType *record, const WireField *after) {
    const WireField *best = NULL;
    for (size_t i = 0; i < record->field_count; i++) {
        const WireField *field = &record->fields[i];
        if ((after == NULL || str_compare(field->name, after->name) > 0) &&
            (best == NULL || str_compare(field->name, best->name) < 0)) {
            best = field;
        }
    }
    return best;
}

void schema_text(const WireType *type, Buf *out) {
    if (type == NULL) {
        buf_add(out, STR("()"));
        return;
    }
    switch (type->kind) {
    case WIRE_SCALAR:
        buf_add(out, type->name);
        break;
    case WIRE_MODEL_ID:
        buf_format(out, "id<" STR_FMT ">", STR_ARG(type->name));
        break;
    case WIRE_NULLABLE:
        schema_text(type->item, out);
        buf_add_char(out, '?');
        break;
    case WIRE_LIST:
        buf_add_char(out, '[');
        schema_text(type->item, out);
        buf_add_char(out, ']');
        break;
    case WIRE_RECORD:
        buf_add_char(out, '{');
        for (const WireField *field = next_field(type, NULL); field != NULL;) {
            buf_format(out, STR_FMT ":", STR_ARG(field->name));
            schema_text(field->type, out);
            field = next_field(type, field);
            if (field != NULL) {
                buf_add_char(out, ',');
            }
        }
        buf_add_char(out, '}');
        break;
    }
}

void schema_fingerprint(Str text, char out[SCHEMA_FINGERPRINT_SIZE]) {
    char hash[SHA256_HEX_SIZE];
    sha256_hex(text, hash);
    memcpy(out, "v1:", 3);
    memcpy(out + 3, hash, 32);
    out[SCHEMA_FINGERPRINT_SIZE - 1] = '\0';
}
