/* tests/unit/test_lexer.c: tokens, comments, lexical errors. */
#include "tests/unit/test_syntax_fixture.h"

/* The tokens as "kind kind …"; a `|` stands where a line begins. */
static const char *scan(Fixture *fixture, const char *text) {
    TokenList list;
    lexer_scan(&fixture->diagnostics, fixture_file(fixture, ROLE_APP, text), &list);
    Str all = STR("");
    for (size_t i = 0; i + 1 < list.tokens.count; i++) {
        const Token *token = &list.tokens.items[i];
        Str shown =
            token->kind == TOKEN_NAME || token->kind == TOKEN_NUMBER || token->kind == TOKEN_TEXT
                ? (Str){text + token->from, token->to - token->from}
                : token_kind_text((TokenKind)token->kind);
        all = str_format(fixture->arena, STR_FMT "%s%s" STR_FMT, STR_ARG(all), i == 0 ? "" : " ",
                         token->line_start ? "|" : "", STR_ARG(shown));
    }
    return str_cstr(fixture->arena, all);
}

static void assert_messages(Fixture *fixture, const char *text, const char *expected) {
    fixture->diagnostics.items.count = 0;
    scan(fixture, text);
    assert_string_equal(fixture_messages(fixture), expected);
}

static void scan_when_marks_touch_takes_the_longest(void **state) {
    assert_string_equal(scan(*state, "<<=>>= ==!==//=/"),
                        "`<` `<=` `>` `>=` `==` `!=` `=` `//` `=` `/`");
}

static void scan_when_numbers_are_written_each_way_keeps_them_whole(void **state) {
    assert_string_equal(scan(*state, "007 2.50 1e3 1.5E-2 1E+3 1. .5 1.x"),
                        "007 2.50 1e3 1.5E-2 1E+3 1 `.` `.` 5 1 `.` x");
    assert_string_equal(fixture_messages(*state), "");
}

static void scan_when_number_is_malformed_reports_its_start(void **state) {
    assert_messages(*state, " 1e", "L004 1:2");
    assert_messages(*state, "1e+", "L004 1:1");
    assert_messages(*state, "1_000", "L004 1:1");
    assert_messages(*state, "0x1F 12ab", "L004 1:1, L004 1:6");
}

static void scan_when_lines_end_marks_the_next_token(void **state) {
    assert_string_equal(scan(*state, "a\nb c\r\nd\re # x\n\n f"), "a |b c |d |e |f");
}

static void scan_when_words_are_contextual_gives_names(void **state) {
    assert_string_equal(scan(*state, "pure job type other _ _x9"), "pure job `type` `other` _ _x9");
}

static void scan_when_word_is_rejected_reports_it_once_a_file(void **state) {
    assert_messages(*state, "if x while y\nif z", "L003 1:1, L003 1:6");
}

static void scan_when_text_has_escapes_decodes_them(void **state) {
    Fixture *fixture = *state;
    assert_str(lexer_decode_text(fixture->arena, STR("\"a\\\\\\\"\\n\\r\\t\\u{e9}\\u{1F600}\"")),
               "a\\\"\n\r\té😀");
    assert_str(lexer_decode_text(fixture->arena, STR("\"\"")), "");
    Str nul = lexer_decode_text(fixture->arena, STR("\"\\u{0}x\""));
    assert_int_equal(nul.len, 2);
    assert_int_equal(nul.ptr[0], 0);
}

static void scan_when_escape_is_wrong_reports_the_backslash(void **state) {
    assert_messages(*state, "\"a\\qb\"", "L006 1:3");
    assert_messages(*state, "\"\\u{110000}\" \"\\u{d800}\" \"\\u{}\" \"\\u{1234567}\" \"\\u41\"",
                    "L006 1:2, L006 1:15, L006 1:26, L006 1:33, L006 1:47");
    assert_messages(*state, "\"\\u{10FFFF}\\u{0}\"", "");
}

static void scan_when_text_is_open_reports_its_quote(void **state) {
    assert_messages(*state, "x = \"abc\ny = \"d\"", "L005 1:5");
    assert_messages(*state, "\"abc\\", "L005 1:1");
    assert_messages(*state, "\"abc\\\n\"", "L005 1:1, L005 2:1");
}

static void scan_when_characters_are_unknown_reports_each_run(void **state) {
    assert_messages(*state, "a ; b && c ! é \f \xC2\xA0",
                    "L001 1:3, L001 1:7, L001 1:12, L001 1:14, L001 1:16, L001 1:18");
    assert_messages(*state, "\xEF\xBB\xBFx", "L001 1:1");
}

static void scan_when_bytes_are_not_utf8_does_not_read_past_the_end(void **state) {
    assert_messages(*state, "x \xF0", "L001 1:3");
    assert_messages(*state, "\x80\x80", "L001 1:1");
}

static void comments_when_scanned_are_kept_with_their_place(void **state) {
    Fixture *fixture = *state;
    TokenList list;
    const char *text = "# head  \nx # tail\t\n\n  # own\r\ny#z";
    assert_true(lexer_scan(&fixture->diagnostics, fixture_file(fixture, ROLE_APP, text), &list));
    assert_int_equal(list.comments.count, 4);
    assert_str(list.comments.items[0].text, "# head");
    assert_false(list.comments.items[0].trailing);
    assert_str(list.comments.items[1].text, "# tail");
    assert_true(list.comments.items[1].trailing);
    assert_str(list.comments.items[2].text, "# own");
    assert_false(list.comments.items[2].trailing);
    assert_true(list.comments.items[3].trailing);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(scan_when_marks_touch_takes_the_longest),
        TEST(scan_when_numbers_are_written_each_way_keeps_them_whole),
        TEST(scan_when_number_is_malformed_reports_its_start),
        TEST(scan_when_lines_end_marks_the_next_token),
        TEST(scan_when_words_are_contextual_gives_names),
        TEST(scan_when_word_is_rejected_reports_it_once_a_file),
        TEST(scan_when_text_has_escapes_decodes_them),
        TEST(scan_when_escape_is_wrong_reports_the_backslash),
        TEST(scan_when_text_is_open_reports_its_quote),
        TEST(scan_when_characters_are_unknown_reports_each_run),
        TEST(scan_when_bytes_are_not_utf8_does_not_read_past_the_end),
        TEST(comments_when_scanned_are_kept_with_their_place),
    };
    return cmocka_run_group_tests_name("lexer", tests, NULL, NULL);
}
