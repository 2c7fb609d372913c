/* base/json_reader.h: a strict JSON pull reader (RFC 8259).
 *
 * The caller asks for what it expects; the reader never builds a tree. Numbers stay text, so that
 * nothing is rounded. The reader knows where it is ($.job.workers), and the first error stays: every
 * later call fails too. Limits hold while reading. Fit for any bytes. */
#ifndef BASE_JSON_READER_H
#define BASE_JSON_READER_H

#include "base/str.h"

typedef enum JsonKind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
    JSON_INVALID /* an error, or the end of the text */
} JsonKind;

enum { JSON_DEPTH_MOST = 64 };

typedef struct JsonLimits {
    size_t bytes;
    uint32_t depth; /* nested containers, at most JSON_DEPTH_MOST */
    uint32_t nodes; /* values of any kind */
} JsonLimits;

typedef struct JsonError {
    char path[256];    /* "$.database.default.path", "$[3]", "$[\"a key\"]"; cut when longer */
    uint32_t line;     /* from 1 */
    uint32_t column;   /* from 1, in bytes */
    char message[256]; /* without the place; cut when longer */
} JsonError;

typedef struct JsonLevel {
    bool is_object;
    bool has_member; /* a value was read at this level */
    uint32_t index;
    Str key;       /* of the member being read; arena */
    size_t key_at; /* where it stands in the text */
} JsonLevel;

typedef struct JsonReader {
    Arena *arena; /* of decoded strings and keys; at its limit, reading fails */
    Str text;
    size_t at;
    JsonLimits limits;
    uint32_t nodes;
    uint32_t depth;
    JsonLevel levels[JSON_DEPTH_MOST];
    bool failed;
    JsonError error;
} JsonReader;

/* Starts at the beginning of the text, which is borrowed. */
void json_reader_init(JsonReader *r, Arena *arena, Str text, JsonLimits limits);

/* The kind of the value that comes next, by its first character; JSON_INVALID after an error. */
JsonKind json_reader_peek(JsonReader *r);
/* "an object", "a number", …; static. */
const char *json_kind_text(JsonKind kind);

/* Each reads the next value of its kind; false when the next value is of another kind or malformed. */
bool json_reader_null(JsonReader *r);
bool json_reader_bool(JsonReader *r, bool *out);
/* The number exactly as written: view of the text. */
bool json_reader_number(JsonReader *r, Str *out);
/* Decoded, valid UTF-8; may hold NUL. Arena. */
bool json_reader_string(JsonReader *r, Str *out);

/* `{`, then for each member json_reader_member until it gives *out_more false. Duplicate keys are
 * for the caller, who knows the names: json_reader_fail. */
bool json_reader_object(JsonReader *r);
bool json_reader_member(JsonReader *r, bool *out_more, Str *out_key);
/* `[`, then json_reader_item before each item until it gives *out_more false. */
bool json_reader_array(JsonReader *r);
bool json_reader_item(JsonReader *r, bool *out_more);

/* Reads any value; *out (may be NULL) is its text as written. Keys of objects in it must differ. Leaves
 * nothing in the arena. */
bool json_reader_skip(JsonReader *r, Str *out);
/* After the last value: only blanks may follow. */
bool json_reader_end(JsonReader *r);

/* Each records an error and returns false, for `return …`; the first error stays. At the current place,
 * at an offset in the text, or at the key of the member that is being read. */
bool json_reader_fail(JsonReader *r, const char *format, ...) PRINTF_LIKE(2, 3);
bool json_reader_fail_at(JsonReader *r, size_t at, const char *format, ...) PRINTF_LIKE(3, 4);
bool json_reader_fail_key(JsonReader *r, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
