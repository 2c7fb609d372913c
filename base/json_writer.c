/* base/json_writer.c: strings are copied in runs between the characters that need an escape. */
#include "base/json_writer.h"

#include <inttypes.h>
#include <math.h>

#include "base/float.h"

void json_write_string(Buf *out, Str text) {
    static const char escapes[][3] = {{'"', '"', 0},  {'\\', '\\', 0}, {'\b', 'b', 0},
                                      {'\f', 'f', 0}, {'\n', 'n', 0},  {'\r', 'r', 0},
                                      {'\t', 't', 0}};
    buf_add_char(out, '"');
    size_t from = 0; /* of the run that needs no escape */
    for (size_t at = 0; at < text.len; at++) {
        unsigned char c = (unsigned char)text.ptr[at];
        if (c >= 0x20 && c != '"' && c != '\\') {
            continue;
        }
        buf_add(out, str_slice(text, from, at));
        from = at + 1;
        size_t which = 0;
        while (which < COUNT_OF(escapes) && (unsigned char)escapes[which][0] != c) {
            which++;
        }
        if (which < COUNT_OF(escapes)) {
            buf_format(out, "\\%c", escapes[which][1]);
        } else {
            buf_format(out, "\\u%04x", c);
        }
    }
    buf_add(out, str_slice(text, from, text.len));
    buf_add_char(out, '"');
}

void json_write_int(Buf *out, int64_t value) {
    buf_format(out, "%" PRId64, value);
}

bool json_write_float(Buf *out, double value) {
    if (!isfinite(value)) {
        return false;
    }
    float_json(value, out);
    return true;
}
