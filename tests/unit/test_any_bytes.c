/* tests/unit/test_any_bytes.c: whatever the bytes are, readers end, stay inside them and agree with
 * themselves. Good texts are damaged in many ways, always the same ones: the seed is fixed. */
#include "tests/unit/test_base_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "base/datetime.h"
#include "base/decimal.h"
#include "base/json_reader.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "contract/cron.h"
#include "contract/settings.h"

enum { ROUNDS = 20000, BYTES_MOST = 600 };

static uint64_t random_state;

static uint32_t pick(uint32_t below) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % below;
}

/* One to six changes; the copy has exactly its size on the heap, so that a sanitizer sees a step beyond. */
static Str damaged(const char *good) {
    static const char alphabet[] = "{}[]\",:\\u0123456789eE+-.*/ \n\0\x80\xC3\xED\xF4\xFF@TZabd";
    char bytes[BYTES_MOST * 2];
    size_t length = strlen(good);
    memcpy(bytes, good, length);
    for (uint32_t changes = 1 + pick(6); changes > 0; changes--) {
        size_t at = length == 0 ? 0 : pick((uint32_t)length);
        char c = alphabet[pick(sizeof alphabet - 1)];
        switch (pick(5)) {
        case 0:
            length = at; /* cut */
            break;
        case 1:
            if (length > 0) {
                bytes[at] = c;
            }
            break;
        case 2:
            memmove(bytes + at + 1, bytes + at, length - at);
            bytes[at] = c;
            length++;
            break;
        case 3:
            memmove(bytes + at, bytes + at + (length > at), length - at - (length > at));
            length -= length > at;
            break;
        default: /* a part twice */
            if (length > 0 && length < BYTES_MOST) {
                size_t part = 1 + pick((uint32_t)(length - at));
                memmove(bytes + at + part, bytes + at, length - at);
                length += part;
            }
            break;
        }
    }
    char *copy = malloc(length == 0 ? 1 : length);
    assert_non_null(copy);
    memcpy(copy, bytes, length);
    return (Str){copy, length};
}

typedef void Reader(Arena *arena, Str text);

static void read_json(Arena *arena, Str text) {
    JsonReader r;
    Str out;
    json_reader_init(&r, arena, text, (JsonLimits){10000, 8, 40});
    if (json_reader_skip(&r, &out) && json_reader_end(&r)) {
        assert_true(utf8_valid(text, NULL));
        assert_true(out.ptr >= text.ptr && out.ptr + out.len <= text.ptr + text.len);
    } else {
        assert_true(r.error.line > 0 && r.error.column > 0 && r.error.message[0] != '\0');
        assert_true(utf8_valid(str_from(r.error.path), NULL));
        assert_true(utf8_valid(str_from(r.error.message), NULL));
    }
}

static void read_settings(Arena *arena, Str text) {
    Settings settings;
    JsonError error;
    if (!settings_parse(arena, text, &settings, &error)) {
        assert_true(utf8_valid(str_from(error.message), NULL));
    }
}

static void read_cron(Arena *arena, Str text) {
    (void)arena;
    Cron cron;
    CronError error;
    if (!cron_parse(text, &cron, &error)) {
        assert_true(error.at <= text.len && error.len <= text.len - error.at);
        return;
    }
    int64_t next = cron_next(&cron, 1767225600000);
    assert_true(next > 1767225600000);
    /* The rarest is 29 February over a year like 2100. */
    assert_true(next < 1767225600000 + 9 * 366 * MS_PER_DAY);
}

static void read_decimal(Arena *arena, Str text) {
    (void)arena;
    Decimal value;
    Decimal again;
    Buf out = {0};
    if (decimal_parse(text, &value)) {
        decimal_format(value, &out);
        assert_true(decimal_parse(buf_str(&out), &again));
        assert_int_equal(decimal_compare(value, again), 0);
    }
    decimal_from_key(text, &value);
    buf_done(&out);
}

static void read_datetime(Arena *arena, Str text) {
    (void)arena;
    int64_t ms;
    int64_t again;
    Uuid uuid;
    Buf out = {0};
    if (datetime_parse(text, &ms)) {
        assert_true(datetime_format(ms, &out));
        assert_true(datetime_parse(buf_str(&out), &again));
        assert_int_equal(ms, again);
    }
    date_parse(text, &ms);
    time_parse(text, &ms);
    uuid_parse(text, &uuid);
    buf_done(&out);
}

static void readers_when_bytes_are_damaged_stay_inside(void **state) {
    static const struct {
        Reader *reader;
        const char *good;
    } rows[] = {
        {read_json,
         "{\"a\":[1,-2.5e3,\"\\u00e9\\ud83d\\ude00\xC3\xA9\"],\"b\":{\"c\":null,\"d\":true}}"},
        {read_json, "[[[[[[[[1]]]]]]],\"\\\\\\\"\",{\"k\":{},\"l\":[]}]"},
        {read_settings,
         "{\"runtime\":{\"mode\":\"worker\",\"shutdown_ms\":5000},\"job\":{\"workers\":4,\"poll_"
         "ms\":250,"
         "\"lease_ms\":60000,\"retry_base_ms\":200,\"retry_max_ms\":5000},\"database\":{"
         "\"default\":"
         "{\"type\":\"sqlite\",\"path\":\"data/x.db\"}},\"log\":{\"level\":\"info\"}}"},
        {read_cron, "*/15 8-10/2 1,15 * 1-5"},
        {read_cron, "0 0 29 2 *"},
        {read_decimal, "-12345678901234567890.12345678901234e-12"},
        {read_decimal, "D0998749:02"},
        {read_datetime, "2024-02-29T23:59:59.125+02:00"},
        {read_datetime, "01890a5d-ac96-774b-bcce-b302099a8057"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        random_state = i;
        for (int round = 0; round < ROUNDS; round++) {
            Str text = damaged(rows[i].good);
            rows[i].reader(*state, text);
            arena_reset(*state);
            free((char *)(uintptr_t)text.ptr);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(readers_when_bytes_are_damaged_stay_inside),
    };
    return cmocka_run_group_tests_name("any_bytes", tests, NULL, NULL);
}
