/* tests/unit/test_uuid.c: UUIDs, random numbers, hashes. */
#include "tests/unit/test_base_fixture.h"

#include <string.h>

#include "base/random.h"
#include "base/sha256.h"
#include "base/uuid.h"

static void parse_when_canonical_in_any_case_is_written_lower(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool good;
    } rows[] = {
        {"01890a5d-ac96-774b-bcce-b302099a8057", true},
        {"01890A5D-AC96-774B-bcce-B302099A8057", true},
        {"00000000-0000-0000-0000-000000000000", true},
        {"01890a5dac96774bbcceb302099a8057", false},
        {"{01890a5d-ac96-774b-bcce-b302099a8057}", false},
        {"01890a5d-ac96-774b-bcce-b302099a805", false},
        {"01890a5d-ac96-774b-bcce-b302099a80577", false},
        {"01890a5d-ac96-774b-bcce-b302099a805g", false},
        {"01890a5dac-96-774b-bcce-b302099a8057", false},
        {"", false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Uuid uuid;
        char text[UUID_TEXT_SIZE];
        bool good = uuid_parse(str_from(rows[i].text), &uuid);
        if (good != rows[i].good) {
            fail_msg("%s", rows[i].text);
        }
        if (good) {
            uuid_text(uuid, text);
            assert_int_equal(strcasecmp(text, rows[i].text), 0);
            assert_null(strpbrk(text, "ABCDEF"));
        }
    }
}

static void v7_when_made_holds_time_version_and_variant(void **state) {
    (void)state;
    char text[UUID_TEXT_SIZE];
    char other[UUID_TEXT_SIZE];
    uuid_text(uuid_v7(0x01890A5DAC96), text);
    uuid_text(uuid_v7(0x01890A5DAC96), other);
    assert_memory_equal(text, "01890a5d-ac96-7", 15);
    assert_non_null(strchr("89ab", text[19]));
    assert_string_not_equal(text, other);
}

static void below_when_asked_often_reaches_all_and_no_more(void **state) {
    (void)state;
    unsigned seen = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t value = random_below(7);
        assert_true(value < 7);
        seen |= 1u << value;
    }
    assert_int_equal(seen, 127); /* fails by chance once in 10^65 runs */
    assert_int_equal(random_below(1), 0);
    random_below(UINT64_MAX);
}

static void sha256_when_hashed_is_the_standards(void **state) {
    (void)state;
    char hex[SHA256_HEX_SIZE];
    sha256_hex(STR("abc"), hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    sha256_hex(STR(""), hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(parse_when_canonical_in_any_case_is_written_lower),
        TEST(v7_when_made_holds_time_version_and_variant),
        TEST(below_when_asked_often_reaches_all_and_no_more),
        TEST(sha256_when_hashed_is_the_standards),
    };
    return cmocka_run_group_tests_name("uuid", tests, NULL, NULL);
}
