/* The wire codec: encodings, strictness, limits, and where and how it says what is wrong. */
#include "tests/unit/test_scope_fixture.h"

#include <dever/collection.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/job_limits.h"
#include "runtime/wire/wire.h"

typedef struct Part {
    int64_t count;
    dv_text note;
} Part;

typedef struct Everything {
    bool flag;
    int64_t whole;
    double real;
    dv_decimal price;
    dv_text name;
    dv_text id;
    dv_uuid key;
    int64_t moment, day, hour, pause;
    dv_text raw;
    int64_t article;
    dv_maybe_text maybe;
    dv_list parts;
} Everything;

static const dv_field part_fields[] = {
    {.name = "count", .type = &dv_type_int, .offset = offsetof(Part, count)},
    {.name = "note", .type = &dv_type_text, .offset = offsetof(Part, note)}};
static const dv_type part_type = {.kind = DV_RECORD,
                                  .size = sizeof(Part),
                                  .name = "shop.Part",
                                  .count = 2,
                                  .fields = part_fields};
static const dv_type parts_type = {
    .kind = DV_LIST, .size = sizeof(dv_list), .name = "List<shop.Part>", .item = &part_type};
static const dv_type article_id = {
    .kind = DV_MODEL_ID, .size = sizeof(int64_t), .name = "content.article.model"};

#define FIELD(Record, member, description) \
    { .name = #member, .type = (description), .offset = offsetof(Record, member) }

static const dv_field everything_fields[] = {
    FIELD(Everything, flag, &dv_type_bool),      FIELD(Everything, whole, &dv_type_int),
    FIELD(Everything, real, &dv_type_float),     FIELD(Everything, price, &dv_type_decimal),
    FIELD(Everything, name, &dv_type_text),      FIELD(Everything, id, &dv_type_id),
    FIELD(Everything, key, &dv_type_uuid),       FIELD(Everything, moment, &dv_type_datetime),
    FIELD(Everything, day, &dv_type_date),       FIELD(Everything, hour, &dv_type_time),
    FIELD(Everything, pause, &dv_type_duration), FIELD(Everything, raw, &dv_type_json),
    FIELD(Everything, article, &article_id),     FIELD(Everything, maybe, &dv_type_maybe_text),
    FIELD(Everything, parts, &parts_type),
};
static const dv_type everything = {.kind = DV_RECORD,
                                   .size = sizeof(Everything),
                                   .name = "shop.Everything",
                                   .count = COUNT_OF(everything_fields),
                                   .fields = everything_fields};

static const char full[] =
    "{\"flag\":true,\"whole\":-9223372036854775808,\"real\":8.0,\"price\":\"2.5\",\"name\":"
    "\"a\\\"é\","
    "\"id\":\"x\",\"key\":\"01890a5d-ac96-774b-bcce-b302099a8057\",\"moment\":\"2026-01-31T08:00:"
    "00.250Z\","
    "\"day\":\"2026-01-31\",\"hour\":\"08:30:00\",\"pause\":-5,\"raw\":{\"b\": [1.50, "
    "null]},\"article\":7,"
    "\"maybe\":null,\"parts\":[{\"count\":1,\"note\":\"one\"},{\"count\":2,\"note\":\"\"}]}";

static void both_ways_when_everything_is_there(void **state) {
    dv_scope *s = *state;
    Everything value = {0};
    WireError error = {0};
    assert_true(wire_decode(s, &everything, str_from(full), &value, &error));
    assert_true(value.flag && value.whole == INT64_MIN && value.real == 8.0);
    assert_int_equal(value.moment, INT64_C(1769846400250));
    assert_int_equal(value.hour, 30600000);
    assert_text(value.raw, "{\"b\": [1.50, null]}");
    assert_int_equal(value.parts.length, 2);
    assert_text(DV_ITEM(value.parts, Part, 0).note, "one");
    Buf out = {0};
    assert_true(wire_encode(&everything, &value, &out, &error));
    assert_string_equal(out.data, full);
    buf_done(&out);
}

/* Decodes one value of a type, and says how it went: "" or "path: message". */
static const char *decoded(dv_scope *s, const dv_type *type, const char *json) {
    static char text[600];
    WireError error = {0};
    void *value = dv_new(s, type->size);
    assert_non_null(value);
    text[0] = '\0';
    if (!wire_decode(s, type, str_from(json), value, &error)) {
        snprintf(text, sizeof text, "%s: %s", error.path, error.message);
    }
    return text;
}

static void decode_when_the_kind_is_wrong_says_both(void **state) {
    dv_scope *s = *state;
    static const struct {
        const dv_type *type;
        const char *json, *message;
    } cases[] = {
        {&dv_type_int, "\"1\"", "$: expected a whole number of 64 bits, found a string"},
        {&dv_type_int, "1.0", "$: expected a whole number of 64 bits, found another number"},
        {&dv_type_int, "1e3", "$: expected a whole number of 64 bits, found another number"},
        {&dv_type_int, "9223372036854775808",
         "$: expected a whole number of 64 bits, found another number"},
        {&dv_type_int, "null", "$: expected a whole number of 64 bits, found null"},
        {&dv_type_bool, "1", "$: expected true or false, found a number"},
        {&dv_type_text, "7", "$: expected a string, found a number"},
        {&dv_type_float, "\"1\"", "$: expected a number, found a string"},
        {&dv_type_float, "1e999", "$: this number is too large for a Float"},
        {&dv_type_decimal, "1.5",
         "$: expected a decimal number of at most 34 digits as a string, found a number"},
        {&dv_type_decimal, "\"abc\"",
         "$: expected a decimal number of at most 34 digits as a string, found another string"},
        {&dv_type_date, "\"2026-02-30\"",
         "$: expected a day such as \"2026-01-31\", found another string"},
        {&dv_type_time, "\"24:00:00\"",
         "$: expected a time of day such as \"08:00:00\", found another string"},
        {&dv_type_datetime, "\"2026-01-31\"",
         "$: expected a moment such as \"2026-01-31T08:00:00Z\", found another string"},
        {&parts_type, "{}", "$: expected an array, found an object"},
        {&part_type, "[]", "$: expected an object, found an array"},
        {&dv_type_bytes, "\"\"", "$: Bytes has no wire form"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_string_equal(decoded(s, cases[i].type, cases[i].json), cases[i].message);
    }
}

static void decode_when_the_record_is_wrong_names_the_field(void **state) {
    dv_scope *s = *state;
    static const struct {
        const char *json, *message;
    } cases[] = {
        {"[{\"count\":1,\"note\":\"\"},{\"count\":1}]", "$[1]: `note` is missing"},
        {"[{\"count\":1,\"note\":\"\",\"more\":1}]", "$[0].more: there is no such field"},
        {"[{\"count\":1,\"count\":1,\"note\":\"\"}]", "$[0].count: this field stands twice"},
        {"[{\"count\":true,\"note\":\"\"}]",
         "$[0].count: expected a whole number of 64 bits, found true or false"},
        {"[1]", "$[0]: expected an object, found a number"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_string_equal(decoded(s, &parts_type, cases[i].json), cases[i].message);
    }
    assert_true(strlen(decoded(s, &dv_type_int, "1 2")) > 0);
    assert_true(strlen(decoded(s, &dv_type_int, "")) > 0);
    assert_true(strlen(decoded(s, &parts_type, "[{\"count\":1,\"note\":\"")) > 0);
    assert_true(strlen(decoded(s, &dv_type_text, "\"\xFF\"")) > 0);
}

static void decode_when_accepted_forms_differ_reads_them(void **state) {
    dv_scope *s = *state;
    assert_string_equal(decoded(s, &dv_type_int, " -0 "), "");
    assert_string_equal(decoded(s, &dv_type_float, "3"), "");
    assert_string_equal(decoded(s, &dv_type_secret, "\"s\""), "");
    assert_string_equal(decoded(s, &dv_type_uuid, "\"01890A5D-AC96-774B-BCCE-B302099A8057\""), "");
    assert_string_equal(decoded(s, &dv_type_datetime, "\"2026-01-31T09:00:00.5+01:00\""), "");
    assert_string_equal(decoded(s, &dv_type_json, "null"), "");
    assert_string_equal(decoded(s, &dv_type_maybe_int, "null"), "");
}

typedef struct Optional {
    dv_maybe_int a;
    dv_maybe_text b;
} Optional;

static const dv_field optional_fields[] = {FIELD(Optional, a, &dv_type_maybe_int),
                                           FIELD(Optional, b, &dv_type_maybe_text)};
static const dv_type optional = {.kind = DV_RECORD,
                                 .size = sizeof(Optional),
                                 .name = "shop.Optional",
                                 .count = 2,
                                 .fields = optional_fields};

static void decode_when_nullable_is_missing_is_null(void **state) {
    dv_scope *s = *state;
    Optional value = {.a = {true, 5}, .b = {true, {"x", 1}}};
    WireError error = {0};
    assert_true(wire_decode(s, &optional, STR("{\"b\":\"y\"}"), &value, &error));
    assert_false(value.a.present);
    assert_true(value.b.present);
    assert_text(value.b.value, "y");
}

/* `[[[…]]]`, or `[x,x,…]`. */
static char *nested(int depth) {
    char *json = calloc(1, (size_t)depth * 2 + 1);
    assert_non_null(json);
    memset(json, '[', (size_t)depth);
    memset(json + depth, ']', (size_t)depth);
    return json;
}

static char *repeated(const char *item, size_t count) {
    size_t length = strlen(item) + 1;
    char *json = calloc(1, count * length + 2);
    assert_non_null(json);
    for (size_t i = 0; i < count; i++) {
        json[i * length] = ',';
        memcpy(json + i * length + 1, item, length - 1);
    }
    json[0] = '[';
    json[count * length] = ']';
    return json;
}

static void decode_when_limits_are_met_refuses_what_is_beyond(void **state) {
    dv_scope *s = *state;
    static const dv_type ints = {
        .kind = DV_LIST, .size = sizeof(dv_list), .name = "List<Int>", .item = &dv_type_int};
    char *deep = nested(WIRE_DEPTH_MAX);
    char *deeper = nested(WIRE_DEPTH_MAX + 1);
    char *many = repeated("1", WIRE_NODES_MAX - 1);
    char *more = repeated("1", WIRE_NODES_MAX);
    assert_string_equal(decoded(s, &dv_type_json, deep), "");
    assert_true(strstr(decoded(s, &dv_type_json, deeper), "nested more than 64 levels") != NULL);
    assert_string_equal(decoded(s, &ints, many), "");
    assert_true(strstr(decoded(s, &ints, more), "more than 65536 values") != NULL);
    free(deep);
    free(deeper);
    free(many);
    free(more);
}

/* Encodes and says how it went, as `decoded` does. */
static const char *encoded(const dv_type *type, const void *value, size_t limit) {
    static char text[600];
    WireError error = {0};
    Buf out = {.limit = limit};
    bool good = wire_encode(type, value, &out, &error);
    snprintf(text, sizeof text, "%s%s%s", good ? "" : error.path, good ? "" : ": ",
             good ? "" : error.message);
    buf_done(&out);
    return text;
}

static void encode_when_there_is_no_wire_form_names_the_place(void **state) {
    dv_scope *s = *state;
    dv_text bytes = T("hidden");
    double real = INFINITY;
    assert_string_equal(encoded(&dv_type_float, &real, 0), "$: Float is not finite");
    assert_string_equal(encoded(&dv_type_secret, &bytes, 0), "$: Secret has no wire form");
    Everything value = {.moment = INT64_MAX, .raw = T("1")};
    assert_string_equal(encoded(&everything, &value, 0),
                        "$.moment: DateTime is outside what can be written");
    value = (Everything){.day = 1, .raw = T("1")};
    assert_string_equal(encoded(&everything, &value, 0),
                        "$.day: Date is outside what can be written");
    static const dv_type reals = {
        .kind = DV_LIST, .size = sizeof(dv_list), .name = "List<Float>", .item = &dv_type_float};
    double items[] = {1, NAN};
    dv_list list;
    assert_true(dv_list_of(s, &dv_type_float, items, 2, &list));
    assert_string_equal(encoded(&reals, &list, 0), "$[1]: Float is not finite");
}

static void encode_when_json_is_not_one_value_refuses_it(void **state) {
    (void)state;
    static const char *const bad[] = {"", "{", "1 2", "{\"a\":1,\"a\":2}", "nul", "\"\x01\""};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        dv_text raw = {bad[i], strlen(bad[i])};
        assert_true(str_starts_with(str_from(encoded(&dv_type_json, &raw, 0)),
                                    STR("$: this Json cannot be written: ")));
    }
}

static void encode_when_limits_are_met_refuses_what_is_beyond(void **state) {
    dv_scope *s = *state;
    static const dv_type maybes = {
        .kind = DV_LIST, .size = sizeof(dv_list), .name = "List<Int?>", .item = &dv_type_maybe_int};
    dv_maybe_int *items = calloc(WIRE_NODES_MAX, sizeof *items);
    dv_list list;
    assert_non_null(items);
    assert_true(dv_list_of(s, &dv_type_maybe_int, items, WIRE_NODES_MAX - 1, &list));
    assert_string_equal(encoded(&maybes, &list, 0), "");
    assert_true(dv_list_of(s, &dv_type_maybe_int, items, WIRE_NODES_MAX, &list));
    assert_string_equal(encoded(&maybes, &list, 0),
                        "$[65535]: the value has more than 65536 parts");
    free(items);

    /* What a Json holds counts too: what is written can be read again. */
    static const dv_type raws = {
        .kind = DV_LIST, .size = sizeof(dv_list), .name = "List<Json>", .item = &dv_type_json};
    char *many = repeated("1", WIRE_NODES_MAX - 2);
    char *deep = nested(WIRE_DEPTH_MAX);
    dv_text raw = {many, strlen(many)};
    assert_true(dv_list_of(s, &dv_type_json, &raw, 1, &list));
    assert_string_equal(encoded(&raws, &list, 0), "");
    assert_true(dv_list_append(s, &dv_type_json, list, &T("1"), &list));
    assert_string_equal(encoded(&raws, &list, 0), "$[1]: the value has more than 65536 parts");
    raw = (dv_text){deep, strlen(deep)};
    assert_string_equal(encoded(&dv_type_json, &raw, 0), "");
    assert_true(dv_list_of(s, &dv_type_json, &raw, 1, &list));
    assert_true(strstr(encoded(&raws, &list, 0), "levels deep") != NULL);
    free(many);
    free(deep);
}

static void encode_when_over_the_bytes_refuses_it(void **state) {
    (void)state;
    dv_text text = T("0123456789");
    assert_string_equal(encoded(&dv_type_text, &text, 12), "");
    assert_string_equal(encoded(&dv_type_text, &text, 11), "$: the value is too large as JSON");
}

static void decode_when_memory_ends_is_a_fault(void **state) {
    dv_scope *s = *state;
    arena_free(s->arena);
    s->arena = arena_new(256);
    Everything value = {0};
    WireError error = {0};
    assert_false(wire_decode(s, &everything, str_from(full), &value, &error));
    assert_true(strstr(error.message, "memory") != NULL);
}

/* What is taken at all is written back, and reads as the same value. */
static void both_ways_when_mutated_agree(void **state) {
    (void)state;
    static const char pieces[] = "{}[]\",:0123456789.-+eE\\untrfalsé \n\x01";
    uint64_t random = 7;
    int taken = 0;
    for (int round = 0; round < 20000; round++) {
        char json[sizeof full];
        memcpy(json, full, sizeof full);
        for (int edits = round % 3; edits >= 0; edits--) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            json[(random >> 33) % (sizeof full - 1)] = pieces[(random >> 20) % (sizeof pieces - 1)];
        }
        dv_scope *s = scope_new();
        Everything value = {0};
        Everything again = {0};
        WireError error = {0};
        if (wire_decode(s, &everything, (Str){json, sizeof full - 1}, &value, &error)) {
            Buf out = {0};
            taken++;
            assert_true(wire_encode(&everything, &value, &out, &error));
            assert_true(wire_decode(s, &everything, buf_str(&out), &again, &error));
            assert_true(dv_equal(&everything, &value, &again));
            buf_done(&out);
        } else {
            assert_true(error.message[0] != '\0' && error.path[0] == '$');
        }
        scope_free(s);
    }
    assert_true(taken > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCOPE_TEST(both_ways_when_everything_is_there),
        SCOPE_TEST(decode_when_the_kind_is_wrong_says_both),
        SCOPE_TEST(decode_when_the_record_is_wrong_names_the_field),
        SCOPE_TEST(decode_when_accepted_forms_differ_reads_them),
        SCOPE_TEST(decode_when_nullable_is_missing_is_null),
        SCOPE_TEST(decode_when_limits_are_met_refuses_what_is_beyond),
        SCOPE_TEST(encode_when_there_is_no_wire_form_names_the_place),
        SCOPE_TEST(encode_when_json_is_not_one_value_refuses_it),
        SCOPE_TEST(encode_when_limits_are_met_refuses_what_is_beyond),
        SCOPE_TEST(encode_when_over_the_bytes_refuses_it),
        SCOPE_TEST(decode_when_memory_ends_is_a_fault),
        cmocka_unit_test(both_ways_when_mutated_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
