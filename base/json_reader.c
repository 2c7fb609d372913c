/* base/json_reader.c: one cursor and a stack of open containers.
 *
 * Each call reads one thing at the cursor or records why it cannot. A string is measured first and
 * decoded after, so that it needs one allocation: no escape is shorter than what it stands for. */
#include "base/json_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

void json_reader_init(JsonReader *r, Arena *arena, Str text, JsonLimits limits) {
    *r = (JsonReader){.arena = arena, .text = text, .limits = limits};
    if (text.len > limits.bytes) {
        json_reader_fail(r, "the text has %zu bytes, more than %zu", text.len, limits.bytes);
    }
}

/* ---- errors ---- */

/* Appends to a fixed text; what does not fit is left out, whole characters only. */
static void append_list(char *out, size_t size, const char *format, va_list arguments) {
    size_t used = strlen(out);
    int wanted = vsnprintf(out + used, size - used, format, arguments);
    size_t bad;
    if (wanted >= 0 && (size_t)wanted >= size - used && !utf8_valid(str_from(out), &bad)) {
        out[bad] = '\0';
    }
}

static void append(char *out, size_t size, const char *format, ...) PRINTF_LIKE(3, 4);
static void append(char *out, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    append_list(out, size, format, arguments);
    va_end(arguments);
}

static bool is_name(Str key) {
    for (size_t i = 0; i < key.len; i++) {
        char c = key.ptr[i];
        if (c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') &&
            (c < 'A' || c > 'Z')) {
            return false;
        }
    }
    return key.len > 0;
}

/* `.name`, or `["any text"]` with escapes: a key may hold what would confuse a terminal. */
static void append_key(char *out, size_t size, Str key) {
    Str shown = utf8_cut(key, 64);
    if (is_name(shown)) {
        append(out, size, "." STR_FMT, STR_ARG(shown));
        return;
    }
    append(out, size, "[\"");
    size_t at = 0;
    uint32_t scalar;
    for (size_t from = 0; utf8_next(shown, &at, &scalar); from = at) {
        if (scalar < 0x20 || (scalar >= 0x7F && scalar < 0xA0)) {
            append(out, size, "\\u%04x", scalar);
        } else {
            append(out, size, "%s" STR_FMT, scalar == '"' || scalar == '\\' ? "\\" : "",
                   STR_ARG(str_slice(shown, from, at)));
        }
    }
    append(out, size, "\"]");
}

static void put_path(JsonReader *r) {
    char *path = r->error.path;
    size_t size = sizeof r->error.path;
    append(path, size, "$");
    for (uint32_t i = 0; i < r->depth; i++) {
        const JsonLevel *level = &r->levels[i];
        if (!level->is_object && level->has_member) {
            append(path, size, "[%u]", level->index);
        } else if (level->is_object && level->key.ptr != NULL) {
            append_key(path, size, level->key);
        }
    }
}

static bool fail_list(JsonReader *r, size_t at, const char *format, va_list arguments) {
    if (r->failed) {
        return false;
    }
    r->failed = true;
    put_path(r);
    r->error.line = 1;
    r->error.column = 1;
    for (size_t i = 0; i < at && i < r->text.len; i++) {
        r->error.column++;
        if (r->text.ptr[i] == '\n') {
            r->error.line++;
            r->error.column = 1;
        }
    }
    append_list(r->error.message, sizeof r->error.message, format, arguments);
    return false;
}

bool json_reader_fail(JsonReader *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_list(r, r->at, format, arguments);
    va_end(arguments);
    return false;
}

bool json_reader_fail_at(JsonReader *r, size_t at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_list(r, at, format, arguments);
    va_end(arguments);
    return false;
}

bool json_reader_fail_key(JsonReader *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_list(r, r->depth == 0 ? r->at : r->levels[r->depth - 1].key_at, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- characters ---- */

static void skip_blanks(JsonReader *r) {
    while (r->at < r->text.len && strchr(" \t\n\r", r->text.ptr[r->at]) != NULL &&
           r->text.ptr[r->at] != '\0') {
        r->at++;
    }
}

static int here(const JsonReader *r) {
    return r->at < r->text.len ? (unsigned char)r->text.ptr[r->at] : -1;
}

static bool accept(JsonReader *r, char c) {
    if (here(r) != c) {
        return false;
    }
    r->at++;
    return true;
}

JsonKind json_reader_peek(JsonReader *r) {
    if (r->failed) {
        return JSON_INVALID;
    }
    skip_blanks(r);
    switch (here(r)) {
    case 'n':
        return JSON_NULL;
    case 't':
    case 'f':
        return JSON_BOOL;
    case '"':
        return JSON_STRING;
    case '[':
        return JSON_ARRAY;
    case '{':
        return JSON_OBJECT;
    case '-':
        return JSON_NUMBER;
    default:
        return here(r) >= '0' && here(r) <= '9' ? JSON_NUMBER : JSON_INVALID;
    }
}

const char *json_kind_text(JsonKind kind) {
    static const char *const texts[] = {"null",     "true or false", "a number", "a string",
                                        "an array", "an object",     "no value"};
    return texts[kind];
}

/* Every value begins here: counts it and sees that it is of the kind. */
static bool begin(JsonReader *r, JsonKind wanted) {
    JsonKind found = json_reader_peek(r);
    if (r->failed) {
        return false;
    }
    if (found == JSON_INVALID) {
        return here(r) < 0 ? json_reader_fail(r, "the text ends where a value is expected")
                           : json_reader_fail(r, "this is no JSON value");
    }
    if (found != wanted) {
        return json_reader_fail(r, "expected %s, found %s", json_kind_text(wanted),
                                json_kind_text(found));
    }
    if (r->nodes >= r->limits.nodes) {
        return json_reader_fail(r, "there are more than %u values", r->limits.nodes);
    }
    r->nodes++;
    return true;
}

static bool word(JsonReader *r, const char *text) {
    Str wanted = str_from(text);
    if (!str_starts_with(str_slice(r->text, r->at, r->text.len), wanted)) {
        return json_reader_fail(r, "this is no JSON value");
    }
    r->at += wanted.len;
    return true;
}

bool json_reader_null(JsonReader *r) {
    return begin(r, JSON_NULL) && word(r, "null");
}

bool json_reader_bool(JsonReader *r, bool *out) {
    if (!begin(r, JSON_BOOL)) {
        return false;
    }
    bool value = here(r) == 't';
    if (!word(r, value ? "true" : "false")) {
        return false;
    }
    *out = value;
    return true;
}

static bool digits(JsonReader *r) {
    size_t from = r->at;
    while (here(r) >= '0' && here(r) <= '9') {
        r->at++;
    }
    return r->at > from;
}

bool json_reader_number(JsonReader *r, Str *out) {
    if (!begin(r, JSON_NUMBER)) {
        return false;
    }
    size_t from = r->at;
    accept(r, '-');
    size_t whole = r->at;
    bool good = digits(r) && (r->text.ptr[whole] != '0' || r->at == whole + 1);
    if (good && accept(r, '.')) {
        good = digits(r);
    }
    if (good && (accept(r, 'e') || accept(r, 'E'))) {
        if (!accept(r, '+')) {
            accept(r, '-');
        }
        good = digits(r);
    }
    if (!good) {
        return json_reader_fail(r, "this is no JSON number");
    }
    *out = str_slice(r->text, from, r->at);
    return true;
}

static bool hex4(JsonReader *r, uint32_t *out) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        int c = here(r);
        uint32_t digit;
        if (c >= '0' && c <= '9') {
            digit = (uint32_t)(c - '0');
        } else if (c >= 'a' && c <= 'f') {
            digit = (uint32_t)(c - 'a' + 10);
        } else if (c >= 'A' && c <= 'F') {
            digit = (uint32_t)(c - 'A' + 10);
        } else {
            return json_reader_fail(r, "`\\u` needs four hex digits");
        }
        value = value * 16 + digit;
        r->at++;
    }
    *out = value;
    return true;
}

/* Behind the backslash. */
static bool escape(JsonReader *r, char *out, size_t *length) {
    static const char plain[][2] = {{'"', '"'},  {'\\', '\\'}, {'/', '/'},  {'b', '\b'},
                                    {'f', '\f'}, {'n', '\n'},  {'r', '\r'}, {'t', '\t'}};
    for (size_t i = 0; i < COUNT_OF(plain); i++) {
        if (accept(r, plain[i][0])) {
            out[(*length)++] = plain[i][1];
            return true;
        }
    }
    if (!accept(r, 'u')) {
        return json_reader_fail(r, "unknown escape in a string");
    }
    uint32_t scalar;
    if (!hex4(r, &scalar)) {
        return false;
    }
    if (scalar >= 0xD800 && scalar <= 0xDBFF) {
        uint32_t low = 0;
        if (!accept(r, '\\') || !accept(r, 'u')) {
            return json_reader_fail(r, "half of a surrogate pair in a string");
        }
        if (!hex4(r, &low)) {
            return false;
        }
        if (low < 0xDC00 || low > 0xDFFF) {
            return json_reader_fail(r, "half of a surrogate pair in a string");
        }
        scalar = 0x10000 + ((scalar - 0xD800) << 10) + (low - 0xDC00);
    }
    size_t put = utf8_encode(scalar, out + *length);
    if (put == 0) {
        return json_reader_fail(r, "half of a surrogate pair in a string");
    }
    *length += put;
    return true;
}

/* At the opening quote. */
static bool read_string(JsonReader *r, Str *out) {
    accept(r, '"');
    size_t end = r->at; /* of the raw string: an escape is never shorter than what it stands for */
    while (end < r->text.len && r->text.ptr[end] != '"') {
        end += r->text.ptr[end] == '\\' ? 2 : 1;
    }
    if (end >= r->text.len) {
        return json_reader_fail_at(r, r->at - 1, "this string has no end");
    }
    size_t bad;
    if (!utf8_valid(str_slice(r->text, r->at, end), &bad)) {
        r->at += bad;
        return json_reader_fail(r, "this string is not valid UTF-8");
    }
    char *text = arena_alloc(r->arena, end - r->at + 1, 1);
    if (text == NULL) {
        return json_reader_fail(r, "there is no memory for this string");
    }
    size_t length = 0;
    while (r->at < end) {
        if (here(r) < 0x20) {
            return json_reader_fail(r, "a control character in a string must be escaped");
        }
        if (accept(r, '\\')) {
            if (!escape(r, text, &length)) {
                return false;
            }
        } else {
            text[length++] = r->text.ptr[r->at++];
        }
    }
    r->at = end + 1;
    *out = (Str){text, length};
    return true;
}

bool json_reader_string(JsonReader *r, Str *out) {
    return begin(r, JSON_STRING) && read_string(r, out);
}

/* ---- containers ---- */

static bool open_level(JsonReader *r, JsonKind kind) {
    if (!begin(r, kind)) {
        return false;
    }
    uint32_t most = r->limits.depth < JSON_DEPTH_MOST ? r->limits.depth : JSON_DEPTH_MOST;
    if (r->depth >= most) {
        return json_reader_fail(r, "this is nested more than %u levels deep", most);
    }
    r->at++;
    r->levels[r->depth++] = (JsonLevel){.is_object = kind == JSON_OBJECT};
    return true;
}

bool json_reader_object(JsonReader *r) {
    return open_level(r, JSON_OBJECT);
}

bool json_reader_array(JsonReader *r) {
    return open_level(r, JSON_ARRAY);
}

/* Behind an element, or at the first: the close, or the next one. */
static bool next_element(JsonReader *r, char close, bool *out_more) {
    if (r->failed) {
        return false;
    }
    JsonLevel *level = &r->levels[r->depth - 1];
    skip_blanks(r);
    if (accept(r, close)) {
        r->depth--;
        *out_more = false;
        return true;
    }
    if (level->has_member) {
        if (!accept(r, ',')) {
            return json_reader_fail(r, "expected `,` or `%c`", close);
        }
        skip_blanks(r);
        level->index++;
    }
    level->has_member = true;
    *out_more = true;
    return true;
}

bool json_reader_item(JsonReader *r, bool *out_more) {
    return next_element(r, ']', out_more);
}

bool json_reader_member(JsonReader *r, bool *out_more, Str *out_key) {
    if (r->depth > 0) {
        r->levels[r->depth - 1].key = (Str){NULL, 0};
    }
    if (!next_element(r, '}', out_more)) {
        return false;
    }
    if (!*out_more) {
        return true;
    }
    if (here(r) != '"') {
        return json_reader_fail(r, "expected a key between double quotes");
    }
    Str key;
    size_t key_at = r->at;
    if (!read_string(r, &key)) {
        return false;
    }
    skip_blanks(r);
    if (!accept(r, ':')) {
        return json_reader_fail(r, "expected `:` behind the key");
    }
    r->levels[r->depth - 1].key = key;
    r->levels[r->depth - 1].key_at = key_at;
    *out_key = key;
    return true;
}

/* ---- values that nobody looks into ---- */

typedef struct SeenKey SeenKey;

struct SeenKey {
    Str key;
    size_t at;
    SeenKey *before;
};

static int by_key(const void *a, const void *b) {
    const SeenKey *left = *(const SeenKey *const *)a;
    const SeenKey *right = *(const SeenKey *const *)b;
    int order = str_compare(left->key, right->key);
    return order != 0 ? order : (left->at > right->at) - (left->at < right->at);
}

/* Sorted, equal keys are neighbours. Behind the last member, where the level is still open. */
static bool keys_differ(JsonReader *r, const SeenKey *last, size_t count) {
    const SeenKey **sorted = arena_make_n(r->arena, const SeenKey *, count);
    if (sorted == NULL) {
        return json_reader_fail(r, "there is no memory for this object");
    }
    for (size_t i = 0; i < count; i++, last = last->before) {
        sorted[i] = last;
    }
    if (count > 0) {
        qsort(sorted, count, sizeof sorted[0], by_key);
    }
    for (size_t i = 1; i < count; i++) {
        if (str_equal(sorted[i - 1]->key, sorted[i]->key)) {
            r->levels[r->depth++].key =
                sorted[i]->key; /* it names the place; the level was closed */
            return json_reader_fail_at(r, sorted[i]->at, "this key stands twice");
        }
    }
    return true;
}

static bool skip_value(JsonReader *r);

static bool skip_object(JsonReader *r) {
    SeenKey *last = NULL;
    size_t count = 0;
    bool more = true;
    bool good = json_reader_object(r);
    while (good) {
        Str key;
        good = json_reader_member(r, &more, &key);
        if (!good || !more) {
            break;
        }
        SeenKey *seen = arena_make(r->arena, SeenKey);
        if (seen == NULL) {
            return json_reader_fail(r, "there is no memory for this object");
        }
        *seen = (SeenKey){key, r->levels[r->depth - 1].key_at, last};
        last = seen;
        count++;
        good = skip_value(r);
    }
    return good && keys_differ(r, last, count);
}

static bool skip_array(JsonReader *r) {
    bool more = true;
    bool good = json_reader_array(r);
    while (good && more) {
        good = json_reader_item(r, &more) && (!more || skip_value(r));
    }
    return good;
}

static bool skip_value(JsonReader *r) {
    bool boolean;
    Str text;
    switch (json_reader_peek(r)) {
    case JSON_NULL:
        return json_reader_null(r);
    case JSON_BOOL:
        return json_reader_bool(r, &boolean);
    case JSON_NUMBER:
        return json_reader_number(r, &text);
    case JSON_STRING:
        return json_reader_string(r, &text);
    case JSON_OBJECT:
        return skip_object(r);
    case JSON_ARRAY:
        return skip_array(r);
    case JSON_INVALID:
        break;
    }
    return begin(r, JSON_NULL); /* says what is wrong */
}

bool json_reader_skip(JsonReader *r, Str *out) {
    json_reader_peek(r); /* to where the value begins */
    size_t from = r->at;
    ArenaMark mark = arena_mark(r->arena);
    if (!skip_value(r)) {
        return false;
    }
    arena_rewind(r->arena, mark);
    if (out != NULL) {
        *out = str_slice(r->text, from, r->at);
    }
    return true;
}

bool json_reader_end(JsonReader *r) {
    if (r->failed) {
        return false;
    }
    skip_blanks(r);
    return r->at == r->text.len || json_reader_fail(r, "there is text behind the value");
}
