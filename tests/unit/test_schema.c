/* tests/unit/test_schema.c: J3.3 to the byte; the key rule of J2.2. */
#include "tests/unit/test_base_fixture.h"

#include <string.h>

#include "contract/job_limits.h"
#include "contract/schema.h"

static const WireType int_type = {.kind = WIRE_SCALAR, .name = STR_INIT("Int")};
static const WireType text_type = {.kind = WIRE_SCALAR, .name = STR_INIT("Text")};
static const WireType article_id = {.kind = WIRE_MODEL_ID,
                                    .name = STR_INIT("content.article.model")};
static const WireType desk_id = {.kind = WIRE_MODEL_ID, .name = STR_INIT("content.desk.model")};
static const WireType texts = {.kind = WIRE_LIST, .item = &text_type};
static const WireType maybe_texts = {.kind = WIRE_NULLABLE, .item = &texts};
static const WireType maybe_int = {.kind = WIRE_NULLABLE, .item = &int_type};
static const WireType list_of_maybe = {.kind = WIRE_LIST, .item = &maybe_int};

static const WireField inner_fields[] = {{STR_INIT("x"), &int_type}};
static const WireType inner = {.kind = WIRE_RECORD, .fields = inner_fields, .field_count = 1};
static const WireField fields[] = {
    {STR_INIT("title"), &text_type},  {STR_INIT("article"), &article_id},
    {STR_INIT("tags"), &maybe_texts}, {STR_INIT("inner"), &inner},
    {STR_INIT("a_b"), &int_type},     {STR_INIT("a"), &list_of_maybe}};
static const WireType record = {.kind = WIRE_RECORD, .fields = fields, .field_count = 6};
static const WireType empty = {.kind = WIRE_RECORD};

static Str text_of(Arena *arena, const WireType *type) {
    Buf out = {0};
    schema_text(type, &out);
    Str text = str_dup(arena, buf_str(&out));
    buf_done(&out);
    return text;
}

static void text_when_made_is_canonical(void **state) {
    assert_str(text_of(*state, NULL), "()");
    assert_str(text_of(*state, &empty), "{}");
    assert_str(text_of(*state, &inner), "{x:Int}");
    assert_str(text_of(*state, &record), "{a:[Int?],a_b:Int,article:id<content.article.model>,"
                                         "inner:{x:Int},tags:[Text]?,title:Text}");
}

static void text_when_only_the_order_differs_is_the_same(void **state) {
    WireField turned[6];
    for (size_t i = 0; i < 6; i++) {
        turned[i] = fields[5 - i];
    }
    WireType other = {.kind = WIRE_RECORD, .fields = turned, .field_count = 6};
    assert_true(str_equal(text_of(*state, &other), text_of(*state, &record)));
    turned[4].type = &desk_id; /* the ids of two Models are not interchangeable */
    assert_false(str_equal(text_of(*state, &other), text_of(*state, &record)));
}

static void fingerprint_when_made_is_the_first_half_of_the_hash(void **state) {
    (void)state;
    char out[SCHEMA_FINGERPRINT_SIZE];
    schema_fingerprint(STR("abc"), out);
    assert_string_equal(out, "v1:ba7816bf8f01cfea414140de5dae2223");
    schema_fingerprint(STR("()"), out); /* printf '()' | sha256sum */
    assert_string_equal(out, "v1:2e38e77b22c314a449e91fafed92a438");
}

static void key_when_outside_the_rule_has_a_problem(void **state) {
    (void)state;
    char text[1025];
    memset(text, 'k', sizeof text);
    assert_null(job_key_problem((Str){text, 1}));
    assert_null(job_key_problem((Str){text, 1024}));
    assert_null(job_key_problem(STR("article \xC3\xA9\xF0\x9F\x98\x80\n")));
    assert_string_equal(job_key_problem(STR("")), "the key is empty");
    assert_string_equal(job_key_problem((Str){text, 1025}), "the key is longer than 1024 bytes");
    assert_string_equal(job_key_problem((Str){"a\0b", 3}), "the key holds U+0000");
    assert_string_equal(job_key_problem(STR("\xFF")), "the key is not valid UTF-8");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(text_when_made_is_canonical),
        TEST(text_when_only_the_order_differs_is_the_same),
        TEST(fingerprint_when_made_is_the_first_half_of_the_hash),
        TEST(key_when_outside_the_rule_has_a_problem),
    };
    return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
