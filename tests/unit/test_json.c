/* tests/unit/test_json.c: the strict JSON reader and the writer. */
#include "tests/unit/test_base_fixture.h"

#include <math.h>
#include <string.h>

#include "base/json_reader.h"
#include "base/json_writer.h"

static const JsonLimits wide = {1024 * 1024, JSON_DEPTH_MOST, 65536};

/* The kind of use that any caller could make: skip one value, then the end. */
static bool skip_all(Arena *arena, Str text, JsonLimits limits, Str *out, JsonError *error) {
    JsonReader r;
    json_reader_init(&r, arena, text, limits);
    bool good = json_reader_skip(&r, out) && json_reader_end(&r);
    *error = r.error;
    return good;
}

static void skip_when_json_is_right_gives_its_text(void **state) {
    static const char *const rows[] = {
        "null",
        "true",
        "false",
        "0",
        "-0",
        "-0.5e+10",
        "12345678901234567890123456789012345678901234567890",
        "1E-2",
        "\"\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uD83D\\uDE00\"",
        "[]",
        "{}",
        "[ 1 , [ ] , { } , \"a\" ]",
        "{\"a\":{\"b\":[1,{\"a\":2}]},\"b\":null}",
        "{\"\":1,\"\\u0061\":2,\"b\":3}",
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Str out;
        JsonError error;
        size_t used = arena_used(*state);
        Str padded = str_format(*state, " \t\r\n%s \n", rows[i]);
        size_t with_text = arena_used(*state);
        if (!skip_all(*state, padded, wide, &out, &error)) {
            fail_msg("%s: %s", rows[i], error.message);
        }
        assert_str_of(rows[i], out, rows[i]);
        assert_int_equal(arena_used(*state), with_text);
        assert_true(with_text > used);
    }
}

static void skip_when_json_is_wrong_tells_place_path_and_reason(void **state) {
    static const struct {
        const char *text, *path;
        unsigned line, column;
        const char *message; /* part of it */
    } rows[] = {
        {"", "$", 1, 1, "the text ends"},
        {"  ", "$", 1, 3, "the text ends"},
        {"nul", "$", 1, 1, "no JSON value"},
        {"True", "$", 1, 1, "no JSON value"},
        {"NaN", "$", 1, 1, "no JSON value"},
        {"+1", "$", 1, 1, "no JSON value"},
        {"'a'", "$", 1, 1, "no JSON value"},
        {"// c\n1", "$", 1, 1, "no JSON value"},
        {"\xEF\xBB\xBF{}", "$", 1, 1, "no JSON value"}, /* a byte order mark */
        {"1 2", "$", 1, 3, "behind the value"},
        {"{}x", "$", 1, 3, "behind the value"},
        {"01", "$", 1, 3, "no JSON number"},
        {"-", "$", 1, 2, "no JSON number"},
        {"-a", "$", 1, 2, "no JSON number"},
        {"1.", "$", 1, 3, "no JSON number"},
        {".5", "$", 1, 1, "no JSON value"},
        {"1e", "$", 1, 3, "no JSON number"},
        {"1e+", "$", 1, 4, "no JSON number"},
        {"[1,]", "$[1]", 1, 4, "no JSON value"},
        {"[,1]", "$[0]", 1, 2, "no JSON value"},
        {"[1 2]", "$[0]", 1, 4, "expected `,` or `]`"},
        {"[1", "$[0]", 1, 3, "expected `,` or `]`"},
        {"[1}", "$[0]", 1, 3, "expected `,` or `]`"},
        {"{\"a\":1,}", "$", 1, 8, "a key between double quotes"},
        {"{a:1}", "$", 1, 2, "a key between double quotes"},
        {"{\"a\" 1}", "$", 1, 6, "expected `:`"},
        {"{\"a\":}", "$.a", 1, 6, "no JSON value"},
        {"{\"a\":1 \"b\":2}", "$", 1, 8, "expected `,` or `}`"},
        {"{\n \"a\": {\n  \"b\": [1, x]\n }\n}", "$.a.b[1]", 3, 12, "no JSON value"},
        {"{\"a\":1,\"b\":2,\"a\":3}", "$.a", 1, 14, "stands twice"},
        {"{\"a\":1,\"\\u0061\":3}", "$.a", 1, 8, "stands twice"},
        {"[{\"x\":{\"b\":1,\"b\":1}}]", "$[0].x.b", 1, 14, "stands twice"},
        {"{\"a b\":x}", "$[\"a b\"]", 1, 8, "no JSON value"},
        {"{\"\\u001b[2J\\\"\":x}", "$[\"\\u001b[2J\\\"\"]", 1, 16, "no JSON value"},
        {"{\"\":x}", "$[\"\"]", 1, 5, "no JSON value"},
        {"\"abc", "$", 1, 1, "no end"},
        {"\"abc\\\"", "$", 1, 1, "no end"},
        {"\"a\nb\"", "$", 1, 3, "control character"},
        {"\"a\tb\"", "$", 1, 3, "control character"},
        {"\"\\x\"", "$", 1, 3, "unknown escape"},
        {"\"\\u12G4\"", "$", 1, 6, "four hex digits"},
        {"\"\\u12\"", "$", 1, 6, "four hex digits"},
        {"\"\\uD83D\"", "$", 1, 8, "surrogate"},
        {"\"\\uD83Dx\"", "$", 1, 8, "surrogate"},
        {"\"\\uD83D\\n\"", "$", 1, 9, "surrogate"},
        {"\"\\uD83D\\u0041\"", "$", 1, 14, "surrogate"},
        {"\"\\uDE00\"", "$", 1, 8, "surrogate"},
        {"\"a\xFF\"", "$", 1, 3, "not valid UTF-8"},
        {"\"\xED\xA0\x80\"", "$", 1, 2, "not valid UTF-8"},
        {"{\"\xC0\xAF\":1}", "$", 1, 3, "not valid UTF-8"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        JsonError e;
        if (skip_all(*state, str_from(rows[i].text), wide, NULL, &e)) {
            fail_msg("%s was accepted", rows[i].text);
        }
        if (strcmp(e.path, rows[i].path) != 0 || e.line != rows[i].line ||
            e.column != rows[i].column || strstr(e.message, rows[i].message) == NULL) {
            fail_msg("%s: %s:%u:%u: %s", rows[i].text, e.path, e.line, e.column, e.message);
        }
    }
    JsonError error;
    assert_false(skip_all(*state, (Str){"[1\0]", 4}, wide, NULL, &error));
    assert_false(skip_all(*state, (Str){"\0", 1}, wide, NULL, &error));
}

static Str repeated(Arena *arena, const char *open, const char *inner, const char *close,
                    int times) {
    Buf text = {0};
    for (int i = 0; i < times; i++) {
        buf_add(&text, str_from(open));
    }
    buf_add(&text, str_from(inner));
    for (int i = 0; i < times; i++) {
        buf_add(&text, str_from(close));
    }
    Str copy = str_dup(arena, buf_str(&text));
    buf_done(&text);
    return copy;
}

static void limits_when_reached_are_inclusive(void **state) {
    Arena *arena = *state;
    JsonError e;
    assert_true(skip_all(arena, repeated(arena, "[", "", "]", 64), wide, NULL, &e));
    assert_false(skip_all(arena, repeated(arena, "[", "", "]", 65), wide, NULL, &e));
    assert_string_equal(e.message, "this is nested more than 64 levels deep");
    assert_true(skip_all(arena, repeated(arena, "{\"a\":", "1", "}", 64), wide, NULL, &e));
    assert_false(skip_all(arena, repeated(arena, "{\"a\":", "1", "}", 65), wide, NULL, &e));

    /* The list itself is a value too. */
    Buf many = {0};
    buf_add(&many, STR("[0"));
    for (int i = 1; i < 65535; i++) {
        buf_add(&many, STR(",0"));
    }
    size_t length = many.len;
    buf_add(&many, STR("]"));
    assert_true(skip_all(arena, buf_str(&many), wide, NULL, &e));
    many.len = length;
    buf_add(&many, STR(",0]"));
    assert_false(skip_all(arena, buf_str(&many), wide, NULL, &e));
    assert_string_equal(e.message, "there are more than 65536 values");
    buf_done(&many);

    JsonLimits small = {4, 8, 8};
    assert_true(skip_all(arena, STR("1234"), small, NULL, &e));
    assert_false(skip_all(arena, STR("12345"), small, NULL, &e));
    assert_string_equal(e.message, "the text has 5 bytes, more than 4");
}

static void skip_when_the_arena_is_full_fails(void **state) {
    (void)state;
    static const char *const rows[] = {"\"a long string that does not fit\"", "{\"key\":1}"};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (size_t limit = 0; limit < 60; limit++) {
            Arena *arena = arena_new(limit);
            JsonError e = {0};
            if (!skip_all(arena, str_from(rows[i]), wide, NULL, &e)) {
                assert_non_null(strstr(e.message, "there is no memory"));
            }
            arena_free(arena);
        }
    }
}

static void duplicates_when_many_keys_are_found_in_good_time(void **state) {
    Buf text = {0};
    buf_add_char(&text, '{');
    for (int i = 0; i < 60000; i++) {
        buf_format(&text, "\"k%d\":0,", i);
    }
    size_t length = text.len;
    buf_add(&text, STR("\"last\":0}"));
    JsonError e;
    JsonLimits limits = {SIZE_MAX, 8, 65536};
    assert_true(skip_all(*state, buf_str(&text), limits, NULL, &e));
    text.len = length;
    buf_add(&text, STR("\"k7\":0}"));
    assert_false(skip_all(*state, buf_str(&text), limits, NULL, &e));
    assert_string_equal(e.path, "$.k7");
    assert_int_equal(e.column, length + 1);
    buf_done(&text);
}

static void pull_when_used_as_meant_gives_each_value(void **state) {
    JsonReader r;
    Str text =
        STR("{\"name\":\"caf\\u00e9 \\ud83d\\ude00\",\"sizes\":[1,2.50],\"on\":true,\"x\":null}");
    Str key;
    Str value;
    bool more;
    bool on;
    json_reader_init(&r, *state, text, wide);
    assert_int_equal(json_reader_peek(&r), JSON_OBJECT);
    assert_true(json_reader_object(&r));
    assert_true(json_reader_member(&r, &more, &key) && more);
    assert_str(key, "name");
    assert_true(json_reader_string(&r, &value));
    assert_str(value, "caf\xC3\xA9 \xF0\x9F\x98\x80");
    assert_true(json_reader_member(&r, &more, &key) && more);
    assert_true(json_reader_array(&r));
    assert_true(json_reader_item(&r, &more) && more);
    assert_true(json_reader_number(&r, &value));
    assert_str(value, "1");
    assert_true(json_reader_item(&r, &more) && more);
    assert_true(json_reader_number(&r, &value));
    assert_str(value, "2.50");
    assert_true(json_reader_item(&r, &more) && !more);
    assert_true(json_reader_member(&r, &more, &key) && more);
    assert_true(json_reader_bool(&r, &on) && on);
    assert_true(json_reader_member(&r, &more, &key) && more);
    assert_true(json_reader_null(&r));
    assert_true(json_reader_member(&r, &more, &key) && !more);
    assert_true(json_reader_end(&r));
}

static void pull_when_the_kind_differs_fails_and_stays_failed(void **state) {
    JsonReader r;
    Str value;
    json_reader_init(&r, *state, STR("  7"), wide);
    assert_false(json_reader_string(&r, &value));
    assert_string_equal(r.error.message, "expected a string, found a number");
    assert_int_equal(r.error.column, 3);
    assert_false(json_reader_number(&r, &value));
    assert_int_equal(json_reader_peek(&r), JSON_INVALID);
    assert_false(json_reader_skip(&r, NULL));
    assert_false(json_reader_fail(&r, "another"));
    assert_string_equal(r.error.message, "expected a string, found a number");
}

static void error_when_longer_than_its_place_is_cut_between_characters(void **state) {
    JsonReader r;
    json_reader_init(&r, *state, STR("1"), wide);
    Str dots = repeated(*state, "\xE2\x80\xA6", "", "", 100);
    json_reader_fail(&r, "x" STR_FMT, STR_ARG(dots));
    assert_int_equal(strlen(r.error.message), 1 + 84 * 3);

    Str deep = repeated(*state, "{\"\xC3\xA9\xC3\xA9\xC3\xA9\":", "x", "}", 60);
    JsonError e;
    assert_false(skip_all(*state, deep, wide, NULL, &e));
    assert_true(strlen(e.path) < sizeof e.path);
    assert_true(strlen(e.path) > sizeof e.path - 8);
    assert_string_equal(e.message, "this is no JSON value");
}

static void writer_when_characters_need_it_escapes_them(void **state) {
    (void)state;
    static const struct {
        Str text;
        const char *json;
    } rows[] = {
        {STR_INIT(""), "\"\""},
        {STR_INIT("plain/caf\xC3\xA9"), "\"plain/caf\xC3\xA9\""},
        {STR_INIT("\"\\\b\f\n\r\t"), "\"\\\"\\\\\\b\\f\\n\\r\\t\""},
        {STR_INIT("\0\x01\x1f\x7f"), "\"\\u0000\\u0001\\u001f\x7f\""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Buf out = {0};
        json_write_string(&out, rows[i].text);
        assert_str(buf_str(&out), rows[i].json);
        buf_done(&out);
    }
    Buf out = {0};
    json_write_int(&out, INT64_MIN);
    assert_str(buf_str(&out), "-9223372036854775808");
    buf_clear(&out);
    assert_true(json_write_float(&out, 8));
    assert_str(buf_str(&out), "8.0");
    buf_clear(&out);
    assert_false(json_write_float(&out, NAN) || json_write_float(&out, INFINITY));
    assert_int_equal(out.len, 0);
    buf_done(&out);
}

static void string_when_written_reads_back(void **state) {
    for (uint32_t scalar = 0; scalar < 0x3000; scalar++) {
        char bytes[8] = {'<', (char)(scalar & 0x7F), (char)(scalar >> 7 & 0x7F), '>'};
        Str text = {bytes, 4};
        ArenaMark mark = arena_mark(*state);
        Buf out = {0};
        JsonReader r;
        Str back;
        json_write_string(&out, text);
        json_reader_init(&r, *state, buf_str(&out), wide);
        assert_true(json_reader_string(&r, &back) && json_reader_end(&r));
        assert_true(str_equal(text, back));
        buf_done(&out);
        arena_rewind(*state, mark);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(skip_when_json_is_right_gives_its_text),
        TEST(skip_when_json_is_wrong_tells_place_path_and_reason),
        TEST(limits_when_reached_are_inclusive),
        TEST(skip_when_the_arena_is_full_fails),
        TEST(duplicates_when_many_keys_are_found_in_good_time),
        TEST(pull_when_used_as_meant_gives_each_value),
        TEST(pull_when_the_kind_differs_fails_and_stays_failed),
        TEST(error_when_longer_than_its_place_is_cut_between_characters),
        TEST(writer_when_characters_need_it_escapes_them),
        TEST(string_when_written_reads_back),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
