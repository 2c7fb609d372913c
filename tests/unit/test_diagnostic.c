/* tests/unit/test_diagnostic.c: how messages look. */
#include <string.h>

#include "tests/unit/test_syntax_fixture.h"

static const char *render(Fixture *fixture, DiagnosticStyle style, bool colour) {
    Buf out = {0};
    diagnostics_sort(&fixture->diagnostics);
    for (size_t i = 0; i < fixture->diagnostics.items.count; i++) {
        diagnostic_render(&out, fixture->diagnostics.items.items[i], style, colour);
    }
    const char *text = str_cstr(fixture->arena, buf_str(&out));
    buf_done(&out);
    return text;
}

static Diagnostic *add(Fixture *fixture, const SourceFile *file, uint32_t from, uint32_t to) {
    return diagnostic_add(&fixture->diagnostics, CODE_C004, (Span){file, from, to}, "no `%s`", "x");
}

static void render_when_plain_shows_place_line_and_caret(void **state) {
    SourceFile *file = fixture_file(*state, ROLE_APP, "one\n  total = missing(1)\n");
    add(*state, file, 14, 21);
    assert_string_equal(render(*state, DIAGNOSTIC_UNICODE, false), "error[C004]: no `x`\n"
                                                                   " ┌─ lab/demo/app.dever:2:11\n"
                                                                   " │\n"
                                                                   "2│   total = missing(1)\n"
                                                                   " │           ^^^^^^^\n"
                                                                   " │\n"
                                                                   "\n");
}

static void render_when_there_are_notes_and_help_shows_them_in_one_gutter(void **state) {
    SourceFile *file = fixture_file(*state, ROLE_APP, "a\nb\nc\nd\ne\nf\ng\nh\ni\njj\n");
    Diagnostic *diagnostic = add(*state, file, 18, 20);
    Fixture *fixture = *state;
    diagnostic_note(&fixture->diagnostics, diagnostic, (Span){file, 2, 3}, "first declared here");
    diagnostic_help(&fixture->diagnostics, diagnostic, "rename %s", "it");
    assert_string_equal(render(*state, DIAGNOSTIC_UNICODE, false),
                        "error[C004]: no `x`\n"
                        "  ┌─ lab/demo/app.dever:10:1\n"
                        "  │\n"
                        "10│ jj\n"
                        "  │ ^^\n"
                        "  │\n"
                        "  ┌─ lab/demo/app.dever:2:1: first declared here\n"
                        "  │\n"
                        " 2│ b\n"
                        "  │ ^\n"
                        "  │\n"
                        "  = help: rename it\n"
                        "\n");
}

static void render_when_ascii_holds_nothing_else(void **state) {
    SourceFile *file = fixture_file(*state, ROLE_APP, "é = x");
    add(*state, file, 5, 6);
    const char *text = render(*state, DIAGNOSTIC_ASCII, false);
    assert_string_equal(text, "error[C004]: no `x`\n"
                              " --> lab/demo/app.dever:1:5\n"
                              " |\n"
                              "1| ? = x\n"
                              " |     ^\n"
                              " |\n"
                              "\n");
}

static void render_when_span_covers_lines_marks_the_first(void **state) {
    SourceFile *file = fixture_file(*state, ROLE_APP, "\tab {\n}\n");
    add(*state, file, 1, 7);
    assert_non_null(strstr(render(*state, DIAGNOSTIC_UNICODE, false), "1│ \tab {\n │ \t^^^^\n"));
}

static void render_when_line_is_long_cuts_it_around_the_span(void **state) {
    char text[1001];
    memset(text, 'a', 1000);
    text[1000] = 0;
    text[500] = 'X';
    SourceFile *file = fixture_file(*state, ROLE_APP, text);
    add(*state, file, 500, 501);
    const char *shown = render(*state, DIAGNOSTIC_UNICODE, false);
    const char *line = strstr(shown, "1│ …");
    assert_non_null(line);
    assert_true(strchr(line, '\n') - line < 140);
    const char *caret_line = strstr(shown, " │  ");
    assert_non_null(caret_line);
    /* "1│ …" is two bytes longer than " │  ". */
    assert_int_equal(strchr(line, 'X') - line - 2, strchr(caret_line, '^') - caret_line);
}

static void render_when_source_holds_control_characters_hides_them(void **state) {
    SourceFile *file = fixture_file(*state, ROLE_APP, "# \033[31m\xE2\x80\xAE x");
    add(*state, file, 0, 1);
    assert_non_null(strstr(render(*state, DIAGNOSTIC_UNICODE, false), "1│ # ?[31m? x\n"));
}

static void render_when_colour_is_off_has_no_escape(void **state) {
    add(*state, fixture_file(*state, ROLE_APP, "x"), 0, 1);
    assert_null(strchr(render(*state, DIAGNOSTIC_UNICODE, false), '\033'));
    assert_non_null(
        strstr(render(*state, DIAGNOSTIC_UNICODE, true), "\033[1;31merror[C004]\033[0m"));
}

static void render_when_there_is_no_place_shows_the_message_alone(void **state) {
    Fixture *fixture = *state;
    diagnostic_add(&fixture->diagnostics, CODE_S001, (Span){0}, "no settings");
    assert_string_equal(render(*state, DIAGNOSTIC_UNICODE, false), "error[S001]: no settings\n\n");
}

static void render_when_json_gives_one_object_a_line(void **state) {
    SourceFile *file = fixture_file(*state, ROLE_APP, "one\ntwo \"x\"");
    Diagnostic *diagnostic = add(*state, file, 8, 11);
    Fixture *fixture = *state;
    diagnostic_note(&fixture->diagnostics, diagnostic, (Span){file, 0, 3}, "say \"why\"");
    assert_string_equal(
        render(*state, DIAGNOSTIC_JSON, true),
        "{\"code\":\"C004\",\"severity\":\"error\",\"file\":\"lab/demo/app.dever\",\"line\":2,"
        "\"column\":5,\"end_line\":2,\"end_column\":8,\"message\":\"no `x`\",\"help\":null,"
        "\"notes\":[{\"file\":\"lab/demo/app.dever\",\"line\":1,\"column\":1,\"end_line\":1,"
        "\"end_column\":4,\"message\":\"say \\\"why\\\"\"}]}\n");
}

static void sort_when_messages_are_equal_keeps_one(void **state) {
    Fixture *fixture = *state;
    SourceFile *file = fixture_file(fixture, ROLE_APP, "abc");
    diagnostic_add(&fixture->diagnostics, CODE_W001, (Span){file, 2, 3}, "later");
    add(fixture, file, 0, 1);
    add(fixture, file, 0, 1);
    diagnostics_sort(&fixture->diagnostics);
    assert_int_equal(fixture->diagnostics.items.count, 2);
    assert_int_equal(fixture->diagnostics.errors, 1);
    assert_int_equal(fixture->diagnostics.warnings, 1);
    assert_int_equal(fixture->diagnostics.items.items[1]->code, CODE_W001);
}

static void code_when_looked_up_by_name_is_found(void **state) {
    (void)state;
    for (int code = 0; code < CODE_COUNT; code++) {
        Code found;
        assert_true(code_find(code_name((Code)code), &found));
        assert_int_equal(found, code);
        assert_true(code_title((Code)code).len > 0);
        bool warning = code_name((Code)code).ptr[0] == 'W';
        assert_int_equal(code_severity((Code)code), warning ? SEVERITY_WARNING : SEVERITY_ERROR);
    }
    Code none;
    assert_false(code_find(STR("X999"), &none));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(render_when_plain_shows_place_line_and_caret),
        TEST(render_when_there_are_notes_and_help_shows_them_in_one_gutter),
        TEST(render_when_ascii_holds_nothing_else),
        TEST(render_when_span_covers_lines_marks_the_first),
        TEST(render_when_line_is_long_cuts_it_around_the_span),
        TEST(render_when_source_holds_control_characters_hides_them),
        TEST(render_when_colour_is_off_has_no_escape),
        TEST(render_when_there_is_no_place_shows_the_message_alone),
        TEST(render_when_json_gives_one_object_a_line),
        TEST(sort_when_messages_are_equal_keeps_one),
        TEST(code_when_looked_up_by_name_is_found),
    };
    return cmocka_run_group_tests_name("diagnostic", tests, NULL, NULL);
}
