/* compiler/source/diagnostic.c: collecting and showing messages.
 *
 * The table of codes comes from codes.def. The two styles for people differ only in the signs of
 * their frame and in that the ASCII one shows every other character as `?`, the ellipsis of a message
 * as three dots. Text that comes from source files passes put_text(), which keeps control characters
 * away from the terminal. */
#include "compiler/source/diagnostic.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json_writer.h"
#include "base/utf8.h"

/* ---- codes -------------------------------------------------------------------------------- */

static const struct {
    Str name;
    Severity severity;
    Str title;
} codes[CODE_COUNT] = {
#define CODE(id, severity, title) {STR_INIT(#id), SEVERITY_##severity, STR_INIT(title)},
#include "compiler/source/codes.def"
#undef CODE
};

Str code_name(Code code) {
    return codes[code].name;
}

Severity code_severity(Code code) {
    return codes[code].severity;
}

Str code_title(Code code) {
    return codes[code].title;
}

bool code_find(Str name, Code *out_code) {
    for (int code = 0; code < CODE_COUNT; code++) {
        if (str_equal(codes[code].name, name)) {
            *out_code = (Code)code;
            return true;
        }
    }
    return false;
}

/* ---- collecting --------------------------------------------------------------------------- */

static Str format_list(Arena *arena, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) {
        return STR("");
    }
    char *text = arena_alloc(arena, (size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    return (Str){text, (size_t)length};
}

Diagnostic *diagnostic_add(Diagnostics *all, Code code, Span span, const char *format, ...) {
    Diagnostic *diagnostic = arena_make(all->arena, Diagnostic);
    diagnostic->code = code;
    diagnostic->span = span;
    va_list arguments;
    va_start(arguments, format);
    diagnostic->text = format_list(all->arena, format, arguments);
    va_end(arguments);
    vec_push(all->arena, &all->items, diagnostic);
    if (code_severity(code) == SEVERITY_ERROR) {
        all->errors++;
    } else {
        all->warnings++;
    }
    return diagnostic;
}

void diagnostic_help(Diagnostics *all, Diagnostic *diagnostic, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    diagnostic->help = format_list(all->arena, format, arguments);
    va_end(arguments);
}

void diagnostic_note(Diagnostics *all, Diagnostic *diagnostic, Span span, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Note note = {.span = span, .text = format_list(all->arena, format, arguments)};
    va_end(arguments);
    vec_push(all->arena, &diagnostic->notes, note);
}

static int compare_numbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int compare_diagnostics(const void *left, const void *right) {
    const Diagnostic *a = *(Diagnostic *const *)left;
    const Diagnostic *b = *(Diagnostic *const *)right;
    int order = 0;
    if (a->span.file != b->span.file) {
        Str path_a = a->span.file == NULL ? STR("") : a->span.file->path;
        Str path_b = b->span.file == NULL ? STR("") : b->span.file->path;
        order = str_compare(path_a, path_b);
    }
    if (order == 0) {
        order = compare_numbers(a->span.from, b->span.from);
    }
    if (order == 0) {
        order = compare_numbers(a->span.to, b->span.to);
    }
    if (order == 0) {
        order = compare_numbers((uint32_t)a->code, (uint32_t)b->code);
    }
    return order != 0 ? order : str_compare(a->text, b->text);
}

void diagnostics_sort(Diagnostics *all) {
    if (all->items.count == 0) {
        return;
    }
    qsort(all->items.items, all->items.count, sizeof all->items.items[0], compare_diagnostics);
    size_t kept = 0;
    for (size_t i = 0; i < all->items.count; i++) {
        Diagnostic *diagnostic = all->items.items[i];
        if (kept > 0 && compare_diagnostics(&all->items.items[kept - 1], &diagnostic) == 0) {
            if (code_severity(diagnostic->code) == SEVERITY_ERROR) {
                all->errors--;
            } else {
                all->warnings--;
            }
            continue;
        }
        all->items.items[kept++] = diagnostic;
    }
    all->items.count = kept;
}

/* ---- characters --------------------------------------------------------------------------- */

/* The scalar value at the start of a non-empty text; its length in bytes in *length. A byte that is
 * not UTF-8 gives U+FFFD and length 1. */
static uint32_t scalar_at(Str text, size_t *length) {
    uint32_t scalar;
    *length = 0;
    if (utf8_next(text, length, &scalar)) {
        return scalar;
    }
    *length = 1;
    return 0xFFFD;
}

/* Control characters, and those that reorder what is shown after them. */
static bool is_unsafe(uint32_t scalar) {
    return scalar < 0x20 || (scalar >= 0x7F && scalar < 0xA0) ||
           (scalar >= 0x202A && scalar <= 0x202E) || (scalar >= 0x2066 && scalar <= 0x2069) ||
           scalar == 0xFFFD;
}

static void put_text(Buf *out, Str text, bool ascii) {
    for (size_t length; text.len > 0; text = str_slice(text, length, text.len)) {
        uint32_t scalar = scalar_at(text, &length);
        if (scalar == '\t' || (!is_unsafe(scalar) && (scalar < 0x80 || !ascii))) {
            buf_add(out, str_slice(text, 0, length));
        } else {
            buf_add_char(out, '?');
        }
    }
}

/* A message's own words: its only sign beyond ASCII is the ellipsis. Source lines go through put_text
 * itself, so that the caret stays under its column. */
static void put_message(Buf *out, Str text, bool ascii) {
    Str ellipsis = STR("…");
    for (size_t at; ascii && str_find(text, ellipsis, &at);
         text = str_slice(text, at + ellipsis.len, text.len)) {
        put_text(out, str_slice(text, 0, at), true);
        buf_add(out, STR("..."));
    }
    put_text(out, text, ascii);
}

static size_t count_scalars(Str text) {
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++) {
        count += ((unsigned char)text.ptr[i] & 0xC0) != 0x80;
    }
    return count;
}

/* ---- the styles for people ---------------------------------------------------------------- */

/* Lines longer than LINE_MOST are cut to that many characters, of which LINE_BEFORE precede the
 * place. */
enum { LINE_MOST = 120, LINE_BEFORE = 50 };

typedef struct Painter {
    Buf *out;
    bool ascii;
    bool colour;
    int gutter; /* width of the largest line number shown */
} Painter;

static void paint(const Painter *painter, const char *code, const char *text) {
    if (painter->colour) {
        buf_format(painter->out, "\033[%sm%s\033[0m", code, text);
    } else {
        buf_add(painter->out, str_from(text));
    }
}

#define FRAME_COLOUR "34"
#define NOTE_COLOUR "36"

static void put_bar(const Painter *painter, uint32_t line) {
    char text[32];
    if (line == 0) {
        snprintf(text, sizeof text, "%*s%s", painter->gutter, "", painter->ascii ? "|" : "│");
    } else {
        snprintf(text, sizeof text, "%*u%s", painter->gutter, line, painter->ascii ? "|" : "│");
    }
    paint(painter, FRAME_COLOUR, text);
}

/* The part of a line that is shown, as byte offsets in the line. */
typedef struct Window {
    size_t from;
    size_t to;
} Window;

static size_t step_back(Str line, size_t at, size_t scalars) {
    while (at > 0 && scalars > 0) {
        at--;
        scalars -= ((unsigned char)line.ptr[at] & 0xC0) != 0x80;
    }
    return at;
}

static size_t step_on(Str line, size_t at, size_t scalars) {
    while (at < line.len && scalars > 0) {
        at++;
        while (at < line.len && ((unsigned char)line.ptr[at] & 0xC0) == 0x80) {
            at++;
        }
        scalars--;
    }
    return at;
}

static Window window_around(Str line, size_t place) {
    if (step_on(line, 0, LINE_MOST) == line.len) {
        return (Window){0, line.len};
    }
    size_t from = step_back(line, place, LINE_BEFORE);
    size_t to = step_on(line, from, LINE_MOST);
    if (to == line.len) {
        from = step_back(line, to, LINE_MOST);
    }
    return (Window){from, to};
}

static void put_excerpt(const Painter *painter, Span span, const char *colour) {
    Buf *out = painter->out;
    const char *dots = painter->ascii ? "..." : "…";
    Str line = source_line(span.file, span.from);
    size_t start = (size_t)(line.ptr - span.file->text.ptr);
    size_t from = span.from > start ? span.from - start : 0;
    size_t to = span.to > start ? span.to - start : 0;
    from = from < line.len ? from : line.len;
    to = to < line.len ? to : line.len;
    Window window = window_around(line, from);
    to = to < window.to ? to : window.to;

    put_bar(painter, source_place(span.file, span.from).line);
    buf_add_char(out, ' ');
    if (window.from > 0) {
        buf_add(out, str_from(dots));
    }
    put_text(out, str_slice(line, window.from, window.to), painter->ascii);
    if (window.to < line.len) {
        buf_add(out, str_from(dots));
    }
    buf_add_char(out, '\n');

    put_bar(painter, 0);
    buf_add_char(out, ' ');
    if (window.from > 0) {
        buf_add(out, painter->ascii ? STR("   ") : STR(" "));
    }
    Str before = str_slice(line, window.from, from);
    for (size_t length; before.len > 0; before = str_slice(before, length, before.len)) {
        buf_add_char(out, scalar_at(before, &length) == '\t' ? '\t' : ' ');
    }
    char carets[LINE_MOST + 1];
    size_t width = count_scalars(str_slice(line, from, to));
    width = width == 0 ? 1 : width > LINE_MOST ? LINE_MOST : width;
    for (size_t i = 0; i < width; i++) {
        carets[i] = '^';
    }
    carets[width] = 0;
    paint(painter, colour, carets);
    buf_add_char(out, '\n');
}

static void put_place(const Painter *painter, Span span, Str text, const char *colour) {
    Buf *out = painter->out;
    Place place = source_place(span.file, span.from);
    buf_format(out, "%*s", painter->gutter, "");
    paint(painter, FRAME_COLOUR, painter->ascii ? "-->" : "┌─");
    buf_add_char(out, ' ');
    put_text(out, span.file->path, painter->ascii);
    buf_format(out, ":%u:%u", place.line, place.column);
    if (text.len > 0) {
        buf_add(out, STR(": "));
        put_text(out, text, painter->ascii);
    }
    buf_add_char(out, '\n');
    put_bar(painter, 0);
    buf_add_char(out, '\n');
    put_excerpt(painter, span, colour);
    put_bar(painter, 0);
    buf_add_char(out, '\n');
}

static int digits_of_line(Span span) {
    if (span.file == NULL) {
        return 1;
    }
    char text[16];
    return snprintf(text, sizeof text, "%u", source_place(span.file, span.from).line);
}

static void render_for_people(Painter *painter, const Diagnostic *diagnostic) {
    bool is_error = code_severity(diagnostic->code) == SEVERITY_ERROR;
    const char *strong = is_error ? "1;31" : "1;33";
    painter->gutter = digits_of_line(diagnostic->span);
    for (size_t i = 0; i < diagnostic->notes.count; i++) {
        int digits = digits_of_line(diagnostic->notes.items[i].span);
        painter->gutter = digits > painter->gutter ? digits : painter->gutter;
    }

    char head[32];
    snprintf(head, sizeof head, "%s[" STR_FMT "]", is_error ? "error" : "warning",
             STR_ARG(code_name(diagnostic->code)));
    paint(painter, strong, head);
    buf_add(painter->out, STR(": "));
    put_message(painter->out, diagnostic->text, painter->ascii);
    buf_add_char(painter->out, '\n');

    if (diagnostic->span.file != NULL) {
        put_place(painter, diagnostic->span, STR(""), strong);
    }
    for (size_t i = 0; i < diagnostic->notes.count; i++) {
        const Note *note = &diagnostic->notes.items[i];
        if (note->span.file != NULL) {
            put_place(painter, note->span, note->text, NOTE_COLOUR);
        } else {
            buf_format(painter->out, "%*s = note: ", painter->gutter, "");
            put_message(painter->out, note->text, painter->ascii);
            buf_add_char(painter->out, '\n');
        }
    }
    if (diagnostic->help.len > 0) {
        buf_format(painter->out, "%*s", painter->gutter, "");
        paint(painter, FRAME_COLOUR, "=");
        buf_add(painter->out, STR(" help: "));
        put_message(painter->out, diagnostic->help, painter->ascii);
        buf_add_char(painter->out, '\n');
    }
    buf_add_char(painter->out, '\n');
}

/* ---- the style for editors ---------------------------------------------------------------- */

/* Without a place the file is null and the numbers are 0. */
static void put_json_place(Buf *out, Span span) {
    Place from = {0};
    Place to = {0};
    buf_add(out, STR("\"file\":"));
    if (span.file == NULL) {
        buf_add(out, STR("null"));
    } else {
        json_write_string(out, span.file->path);
        from = source_place(span.file, span.from);
        to = source_place(span.file, span.to);
    }
    buf_format(out, ",\"line\":%u,\"column\":%u,\"end_line\":%u,\"end_column\":%u", from.line,
               from.column, to.line, to.column);
}

static void render_json(Buf *out, const Diagnostic *diagnostic) {
    buf_format(out, "{\"code\":\"" STR_FMT "\",\"severity\":\"%s\",",
               STR_ARG(code_name(diagnostic->code)),
               code_severity(diagnostic->code) == SEVERITY_ERROR ? "error" : "warning");
    put_json_place(out, diagnostic->span);
    buf_add(out, STR(",\"message\":"));
    json_write_string(out, diagnostic->text);
    buf_add(out, STR(",\"help\":"));
    if (diagnostic->help.len > 0) {
        json_write_string(out, diagnostic->help);
    } else {
        buf_add(out, STR("null"));
    }
    buf_add(out, STR(",\"notes\":["));
    for (size_t i = 0; i < diagnostic->notes.count; i++) {
        buf_add(out, i == 0 ? STR("{") : STR(",{"));
        put_json_place(out, diagnostic->notes.items[i].span);
        buf_add(out, STR(",\"message\":"));
        json_write_string(out, diagnostic->notes.items[i].text);
        buf_add_char(out, '}');
    }
    buf_add(out, STR("]}\n"));
}

void diagnostic_render(Buf *out, const Diagnostic *diagnostic, DiagnosticStyle style, bool colour) {
    if (style == DIAGNOSTIC_JSON) {
        render_json(out, diagnostic);
        return;
    }
    Painter painter = {.out = out, .ascii = style == DIAGNOSTIC_ASCII, .colour = colour};
    render_for_people(&painter, diagnostic);
}
