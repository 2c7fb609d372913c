/* tests/unit/test_syntax_fixture.h: a source text, its messages in one line, its tree. */
#ifndef TESTS_UNIT_TEST_SYNTAX_FIXTURE_H
#define TESTS_UNIT_TEST_SYNTAX_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/syntax/lexer.h"
#include "compiler/syntax/parser.h"

typedef struct Fixture {
    Arena *arena;
    Diagnostics diagnostics;
} Fixture;

static int fixture_setup(void **state) {
    Arena *arena = arena_new_unlimited();
    Fixture *fixture = arena_make(arena, Fixture);
    fixture->arena = arena;
    fixture->diagnostics.arena = arena;
    *state = fixture;
    return 0;
}

static int fixture_teardown(void **state) {
    Fixture *fixture = *state;
    arena_free(fixture->arena);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

static inline SourceFile *fixture_file(Fixture *fixture, Role role, const char *text) {
    SourceFile *file = source_file_new(fixture->arena, STR("lab/demo/app.dever"), str_from(text));
    file->role = role;
    return file;
}

static inline FileTree *fixture_parse(Fixture *fixture, Role role, const char *text) {
    return parser_parse(&fixture->diagnostics, fixture_file(fixture, role, text));
}

/* The messages so far as "P001 2:5, L003 4:1", in order of place. */
static inline const char *fixture_messages(Fixture *fixture) {
    Str all = STR("");
    diagnostics_sort(&fixture->diagnostics);
    for (size_t i = 0; i < fixture->diagnostics.items.count; i++) {
        const Diagnostic *diagnostic = fixture->diagnostics.items.items[i];
        Place place = source_place(diagnostic->span.file, diagnostic->span.from);
        all = str_format(fixture->arena, STR_FMT "%s" STR_FMT " %u:%u", STR_ARG(all),
                         i == 0 ? "" : ", ", STR_ARG(code_name(diagnostic->code)), place.line,
                         place.column);
    }
    return str_cstr(fixture->arena, all);
}

static inline void assert_str(Str actual, const char *expected) {
    Str wanted = str_from(expected);
    if (!str_equal(actual, wanted)) {
        fail_msg("expected \"%s\", found \"" STR_FMT "\"", expected, STR_ARG(actual));
    }
}

#endif
