/* compiler/source/source.c: places in files.
 *
 * A place is a byte offset. Lines and columns are counted only for people and for #line directives:
 * the line by binary search in the table of line starts, the column by counting scalar values from
 * there. */
#include "compiler/source/source.h"

static const Str role_names[ROLE_COUNT] = {
    [ROLE_NONE] = STR_INIT("none"),       [ROLE_APP] = STR_INIT("app"),
    [ROLE_DOMAIN] = STR_INIT("domain"),   [ROLE_MODEL] = STR_INIT("model"),
    [ROLE_PORT] = STR_INIT("port"),       [ROLE_ADAPTER] = STR_INIT("adapter"),
    [ROLE_API] = STR_INIT("api"),         [ROLE_JOB] = STR_INIT("job"),
    [ROLE_TEST] = STR_INIT("test"),       [ROLE_MAIN] = STR_INIT("main"),
    [ROLE_LIBRARY] = STR_INIT("library"),
};

Str role_name(Role role) {
    return role_names[role];
}

/* Length of the line end at `at`: 0 when there is none. */
static uint32_t line_end_length(Str text, uint32_t at) {
    if (text.ptr[at] == '\n') {
        return 1;
    }
    if (text.ptr[at] != '\r') {
        return 0;
    }
    return at + 1 < text.len && text.ptr[at + 1] == '\n' ? 2 : 1;
}

SourceFile *source_file_new(Arena *arena, Str path, Str text) {
    SourceFile *file = arena_make(arena, SourceFile);
    file->path = path;
    file->text = text;
    source_index_lines(arena, file);
    return file;
}

void source_index_lines(Arena *arena, SourceFile *file) {
    uint32_t size = (uint32_t)file->text.len;
    uint32_t count = 1;
    for (uint32_t at = 0; at < size;) {
        uint32_t length = line_end_length(file->text, at);
        count += length > 0;
        at += length > 0 ? length : 1;
    }
    uint32_t *lines = arena_make_n(arena, uint32_t, count);
    uint32_t line = 1;
    for (uint32_t at = 0; at < size;) {
        uint32_t length = line_end_length(file->text, at);
        at += length > 0 ? length : 1;
        if (length > 0) {
            lines[line++] = at;
        }
    }
    file->lines = lines;
    file->line_count = count;
}

Span span_join(Span a, Span b) {
    if (a.file == NULL) {
        return b;
    }
    if (b.file == NULL) {
        return a;
    }
    return (Span){a.file, a.from < b.from ? a.from : b.from, a.to > b.to ? a.to : b.to};
}

Str span_text(Span span) {
    return span.file == NULL ? STR("") : str_slice(span.file->text, span.from, span.to);
}

/* Start of the line that holds the offset, and its number. */
static uint32_t find_line(const SourceFile *file, uint32_t offset, uint32_t *out_line) {
    if (file->lines != NULL) {
        uint32_t low = 0;
        uint32_t high = file->line_count;
        while (high - low > 1) {
            uint32_t middle = low + (high - low) / 2;
            if (file->lines[middle] <= offset) {
                low = middle;
            } else {
                high = middle;
            }
        }
        *out_line = low + 1;
        return file->lines[low];
    }
    uint32_t start = 0;
    *out_line = 1;
    for (uint32_t at = 0; at < offset;) {
        uint32_t length = line_end_length(file->text, at);
        at += length > 0 ? length : 1;
        if (length > 0 && at <= offset) {
            start = at;
            (*out_line)++;
        }
    }
    return start;
}

static uint32_t clamp(const SourceFile *file, uint32_t offset) {
    return offset < file->text.len ? offset : (uint32_t)file->text.len;
}

Place source_place(const SourceFile *file, uint32_t offset) {
    offset = clamp(file, offset);
    Place place = {.column = 1};
    for (uint32_t at = find_line(file, offset, &place.line); at < offset; at++) {
        /* Every byte but the continuation bytes of UTF-8 begins a scalar value. */
        place.column += ((unsigned char)file->text.ptr[at] & 0xC0) != 0x80;
    }
    return place;
}

Str source_line(const SourceFile *file, uint32_t offset) {
    uint32_t line;
    uint32_t from = find_line(file, clamp(file, offset), &line);
    uint32_t to = from;
    while (to < file->text.len && line_end_length(file->text, to) == 0) {
        to++;
    }
    return str_slice(file->text, from, to);
}
