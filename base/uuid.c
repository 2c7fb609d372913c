/* base/uuid.c: version 7 is a big-endian time, two fixed fields and 74 random bits. */
#include "base/uuid.h"

#include "base/random.h"

static bool is_dash_place(size_t at) {
    return at == 8 || at == 13 || at == 18 || at == 23;
}

static int hex_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool uuid_parse(Str text, Uuid *out) {
    Uuid uuid = {0};
    size_t digits = 0;
    if (text.len != UUID_TEXT_SIZE - 1) {
        return false;
    }
    for (size_t at = 0; at < text.len; at++) {
        if (is_dash_place(at)) {
            if (text.ptr[at] != '-') {
                return false;
            }
            continue;
        }
        int value = hex_value(text.ptr[at]);
        if (value < 0) {
            return false;
        }
        uuid.bytes[digits / 2] = (uint8_t)(uuid.bytes[digits / 2] << 4 | value);
        digits++;
    }
    *out = uuid;
    return true;
}

void uuid_text(Uuid uuid, char out[UUID_TEXT_SIZE]) {
    static const char hex[] = "0123456789abcdef";
    size_t at = 0;
    for (size_t i = 0; i < 16; i++) {
        if (is_dash_place(at)) {
            out[at++] = '-';
        }
        out[at++] = hex[uuid.bytes[i] >> 4];
        out[at++] = hex[uuid.bytes[i] & 15];
    }
    out[at] = '\0';
}

Uuid uuid_v7(int64_t epoch_ms) {
    Uuid uuid;
    random_bytes(&uuid, sizeof uuid);
    for (int i = 0; i < 6; i++) {
        uuid.bytes[i] = (uint8_t)((uint64_t)epoch_ms >> (40 - 8 * i));
    }
    uuid.bytes[6] = (uint8_t)(0x70 | (uuid.bytes[6] & 0x0F));
    uuid.bytes[8] = (uint8_t)(0x80 | (uuid.bytes[8] & 0x3F));
    return uuid;
}
