/* compiler/emit/out.c: everything that is written goes through here: lines with their indentation, and
 * bytes as C string literals. */
#include "compiler/emit/emit_internal.h"

#include <stdarg.h>
#include <stdio.h>

static void write_line(Out *out, const char *format, va_list arguments) {
    char small[512];
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(small, sizeof small, format, arguments);
    if (length > 0) {
        for (int i = 0; i < out->indent && small[0] != '#'; i++) {
            buf_add(&out->buf, STR("    "));
        }
    }
    if (length >= 0 && (size_t)length < sizeof small) {
        buf_add(&out->buf, (Str){small, (size_t)length});
    } else if (length >= 0) {
        Arena *arena = arena_new_unlimited();
        char *large = arena_alloc(arena, (size_t)length + 1, 1);
        vsnprintf(large, (size_t)length + 1, format, again);
        buf_add(&out->buf, (Str){large, (size_t)length});
        arena_free(arena);
    }
    buf_add_char(&out->buf, '\n');
    va_end(again);
}

void out_line(Out *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_line(out, format, arguments);
    va_end(arguments);
}

void out_open(Out *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_line(out, format, arguments);
    va_end(arguments);
    out->indent++;
}

void out_close(Out *out, const char *tail) {
    out->indent--;
    out_line(out, "}%s", tail);
}

/* One byte of a literal. `?` is spelled out only behind another, where a trigraph could arise. */
static void add_literal_byte(Buf *out, unsigned char c, unsigned char before) {
    if (c == '"' || c == '\\') {
        buf_format(out, "\\%c", c);
    } else if (c == '\n') {
        buf_add(out, STR("\\n"));
    } else if (c < 0x20 || c >= 0x7F || (c == '?' && before == '?')) {
        buf_format(out, "\\%03o", c);
    } else {
        buf_add_char(out, (char)c);
    }
}

static Str literal(Emitter *e, Str text, const char *line_break) {
    Buf out = {0};
    buf_add_char(&out, '"');
    for (size_t i = 0; i < text.len; i++) {
        add_literal_byte(&out, (unsigned char)text.ptr[i],
                         i == 0 ? '\0' : (unsigned char)text.ptr[i - 1]);
        if (text.ptr[i] == '\n' && i + 1 < text.len) {
            buf_add(&out, str_from(line_break));
        }
    }
    buf_add_char(&out, '"');
    Str copy = str_dup(e->arena, buf_str(&out));
    buf_done(&out);
    return copy;
}

Str c_string(Emitter *e, Str text) {
    return literal(e, text, "");
}

Str c_string_of_lines(Emitter *e, Str text) {
    return literal(e, text, "\"\n    \"");
}
