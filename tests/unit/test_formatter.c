/* tests/unit/test_formatter.c: the canonical layout, construct by construct. That comments and tokens
 * survive and that formatting is stable is shown for every file and thousands of mutants in
 * tests/fuzz/replay.c. */
#include <string.h>

#include "base/file.h"
#include "compiler/syntax/formatter.h"
#include "tests/unit/test_syntax_fixture.h"

static void assert_formatted(Fixture *fixture, Role role, const char *before, const char *after) {
    Buf out = {0};
    bool formatted = formatter_format(fixture_parse(fixture, role, before), &out);
    assert_string_equal(fixture_messages(fixture), "");
    assert_true(formatted);
    assert_string_equal(out.data, after);
    Buf again = {0};
    assert_true(formatter_format(fixture_parse(fixture, role, out.data), &again));
    assert_string_equal(again.data, after);
    buf_done(&out);
    buf_done(&again);
}

static void format_when_spaces_are_free_sets_them(void **state) {
    assert_formatted(
        *state, ROLE_APP,
        "type  Point{x:Int\ny :Int}\n"
        "shift( p:Point,dx : Int )( out:Point ){\n      out=p\n  out.x = out.x+dx*2\n}\n"
        "origin()(out:Point){out=Point{x=0\ny=-  1}}\none()(){}two( )( ){ }",
        "type Point {\n  x: Int\n  y: Int\n}\n\n"
        "shift(p: Point, dx: Int) (out: Point) {\n  out = p\n  out.x = out.x + dx * 2\n}\n\n"
        "origin() (out: Point) {\n  out = Point {\n    x = 0\n    y = -1\n  }\n}\n\n"
        "one() () {}\n\ntwo() () {}\n");
}

static void format_when_lines_are_empty_keeps_one_in_bodies(void **state) {
    assert_formatted(
        *state, ROLE_APP,
        "\n\ntype P {\n\n  x: Int\n\n\n  y: Int\n\n}\n\n\n\n"
        "w() () {\n\n  a = 1\n\n\n\n  # note\n\n  b = {\n\n    c = 1\n\n    d = 2\n  }\n\n}\n",
        "type P {\n  x: Int\n\n  y: Int\n}\n\n"
        "w() () {\n  a = 1\n\n  # note\n\n  b = {\n    c = 1\n\n    d = 2\n  }\n}\n");
    assert_formatted(*state, ROLE_APP, "", "\n");
    assert_formatted(*state, ROLE_APP, "\n\n# only\r\n\n", "# only\n");
}

static void format_when_modifiers_are_mixed_orders_them(void **state) {
    assert_formatted(*state, ROLE_APP,
                     "word(on:true)(out:Text)\nrecover(\"shown\")\npure\n{out=\"on\"}",
                     "word(on: true) (out: Text) pure recover(\"shown\") {\n  out = \"on\"\n}\n");
    assert_formatted(*state, ROLE_JOB,
                     "job   a( )( )timeout( 1000 )retry( 03 ) # why\n{app.sweep( )}",
                     "job a() () retry(03) timeout(1000) # why\n{\n  app.sweep()\n}\n");
    assert_formatted(*state, ROLE_LIBRARY,
                     "now() (t: DateTime) effect( time ) fails E pure # all\nx() ()",
                     "now() (t: DateTime) pure fails E effect(time) # all\n\nx() ()\n");
}

static void format_when_signature_is_long_breaks_what_does_not_fit(void **state) {
    assert_formatted(
        *state, ROLE_APP,
        "reserve(customer: Text, seats: List<Text>, price: Decimal, note: Text?, section: Text)"
        " (ticket: Text) { ticket = section }",
        "reserve(customer: Text, seats: List<Text>, price: Decimal, note: Text?, section: Text) (\n"
        "  ticket: Text\n) {\n  ticket = section\n}\n");
    assert_formatted(
        *state, ROLE_APP,
        "reserve(customer: Text, seats: List<Text>, price: Decimal, note: Text?, section: Text,"
        " row: Text) (ticket: Text) { ticket = section }",
        "reserve(\n  customer: Text,\n  seats: List<Text>,\n  price: Decimal,\n  note: Text?,\n"
        "  section: Text,\n  row: Text\n) (ticket: Text) {\n  ticket = section\n}\n");
}

static void format_when_list_is_long_breaks_from_outside(void **state) {
    assert_formatted(*state, ROLE_APP,
                     "go() () {\na = [ 1,2,\n3 ]\nb = []\n"
                     "c = [\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\", \"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\","
                     " [\"cccccccccccccccccccccc\"]]\n}",
                     "go() () {\n  a = [1, 2, 3]\n  b = []\n  c = [\n"
                     "    \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\",\n"
                     "    \"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\",\n"
                     "    [\"cccccccccccccccccccccc\"]\n  ]\n}\n");
}

static void format_when_block_is_last_argument_hugs_its_call(void **state) {
    assert_formatted(*state, ROLE_APP,
                     "go() () {\nkeep(Box { width = 1 }, 2)\nnote(\"x\", {})\n"
                     "f(1,{ a = 1\nb = 2 })\nf({ a = 1\nb = 2 }, 1)\nf(g(B { a = 1\nb = 2 }))\n}",
                     "go() () {\n  keep(Box { width = 1 }, 2)\n  note(\"x\", {})\n"
                     "  f(1, {\n    a = 1\n    b = 2\n  })\n"
                     "  f(\n    {\n      a = 1\n      b = 2\n    },\n    1\n  )\n"
                     "  f(\n    g(B {\n      a = 1\n      b = 2\n    })\n  )\n}\n");
}

static void format_when_single_member_has_no_room_opens_its_block(void **state) {
    assert_formatted(
        *state, ROLE_APP,
        "go() () {\n  total = model.count({ where = status == model.ArticleStatus.Published and"
        " published_at >= moment })\n  x = B { a = 1 # why\n }\n}",
        "go() () {\n  total = model.count({\n"
        "    where = status == model.ArticleStatus.Published and published_at >= moment\n  })\n"
        "  x = B {\n    a = 1 # why\n  }\n}\n");
}

static void format_when_operators_do_not_fit_breaks_before_them(void **state) {
    assert_formatted(*state, ROLE_APP,
                     "go() () {\n"
                     "  out = first_operand_of_a_long_sum + second_operand_of_a_long_sum + "
                     "third_operand_of_a_sum\n"
                     "  out = (first_operand_of_a_long_sum + second_operand_of_a_long_sum + "
                     "third_operand_of_sum)\n"
                     "  out = first_operand_of_a_condition == a and second_operand_of_a_condition "
                     "or third == fourth\n"
                     "  out = (a\n + b)\n}",
                     "go() () {\n"
                     "  out = first_operand_of_a_long_sum + second_operand_of_a_long_sum + "
                     "third_operand_of_a_sum\n"
                     "  out = (\n    first_operand_of_a_long_sum + second_operand_of_a_long_sum + "
                     "third_operand_of_sum\n"
                     "  )\n"
                     "  out = first_operand_of_a_condition == a and second_operand_of_a_condition\n"
                     "    or third == fourth\n"
                     "  out = (a + b)\n}\n");
}

static void format_when_comments_stand_anywhere_keeps_them(void **state) {
    assert_formatted(*state, ROLE_APP,
                     "# head\n\n\n# second head\none() () {   # after the brace\n# before\n"
                     "  noop()   # after the call\n  # last in body\n}\n\n\n# end of file",
                     "# head\n# second head\none() () { # after the brace\n  # before\n"
                     "  noop() # after the call\n  # last in body\n}\n# end of file\n");
    assert_formatted(*state, ROLE_APP,
                     "go() () {\nkeep(1, # first\n2)\nkeep(1, 2) # behind\nkeep(a # x\n, b)\n}",
                     "go() () {\n  keep(\n    1, # first\n    2\n  )\n  keep(1, 2) # behind\n"
                     "  keep(\n    a, # x\n    b\n  )\n}\n");
    assert_formatted(*state, ROLE_APP, "f() () { # in\n}\ng() () {\n# own\n}",
                     "f() () { # in\n}\n\ng() () {\n  # own\n}\n");
}

static void format_when_literals_are_odd_spells_them_canonically(void **state) {
    assert_formatted(*state, ROLE_APP,
                     "go() () {\na = 007\nb = 1E+3\nc = - 5\nd = not   (ready)\n"
                     "e = \"tab\\u{9}bell\\u{07}é\\u{e9}\\\"\\\\\"\nf = ((a))\n}",
                     "go() () {\n  a = 007\n  b = 1E+3\n  c = -5\n  d = not (ready)\n"
                     "  e = \"tab\\tbell\\u{7}éé\\\"\\\\\"\n  f = ((a))\n}\n");
}

static void format_when_role_has_declarations_of_its_own_sets_them(void **state) {
    assert_formatted(
        *state, ROLE_MODEL,
        "database   main\nglobal type Demo{name:Text( 1,40 )unique\n"
        "owner user_id:Int=dever.auth.user_id()\ncount:Int default 0 index}\n"
        "type State{Open=\"open\"\nerror Bad( text:Text? )}\nunique( name ,count )\n"
        "relation parts=lab.demo.model.part.demo_id\nseed{{name=\"a\"\ncount=1}\n{a=1}}\n"
        "sql totals( count:Int )( rows:List<Demo> ){postgres=\"p\"\nsqlite=\"s\"}",
        "database main\n\nglobal type Demo {\n  name: Text(1, 40) unique\n"
        "  owner user_id: Int = dever.auth.user_id()\n  count: Int default 0 index\n}\n\n"
        "type State {\n  Open = \"open\"\n  error Bad(text: Text?)\n}\n\n"
        "unique(name, count)\n\nrelation parts = lab.demo.model.part.demo_id\n\n"
        "seed {\n  {\n    name = \"a\"\n    count = 1\n  }\n  { a = 1 }\n}\n\n"
        "sql totals(count: Int) (rows: List<Demo>) {\n  sqlite = \"s\"\n"
        "  postgres = \"p\"\n}\n");
    assert_formatted(*state, ROLE_API,
                     "get   list=app.list\npublic post login = app.login\n\n\n# note\nrest\n",
                     "get list = app.list\npublic post login = app.login\n\n# note\nrest\n");
    assert_formatted(
        *state, ROLE_ADAPTER,
        "setting{url:Text\n}\nexternal pip \"w.py\"{allow network\nlib \"r@2\"\nallow file}",
        "setting {\n  url: Text\n}\n\nexternal pip \"w.py\" {\n  lib \"r@2\"\n"
        "  allow network\n  allow file\n}\n");
    assert_formatted(*state, ROLE_JOB, "schedule nightly=\"0 2 * * *\" missed( all )",
                     "schedule nightly = \"0 2 * * *\" missed(all)\n");
}

static void format_when_text_has_errors_appends_nothing(void **state) {
    Buf out = {0};
    assert_false(formatter_format(fixture_parse(*state, ROLE_APP, "f() () {"), &out));
    assert_int_equal(out.len, 0);
    buf_done(&out);
}

/* The example application is written in the canonical layout. Tests run in the repository. */
static void format_when_canonical_changes_nothing(void **state) {
    static const struct {
        const char *path;
        Role role;
    } files[] = {
        {"examples/newsroom/module/main.dever", ROLE_MAIN},
        {"examples/newsroom/module/content/article/api.dever", ROLE_API},
        {"examples/newsroom/module/content/article/app.dever", ROLE_APP},
        {"examples/newsroom/module/content/article/domain.dever", ROLE_DOMAIN},
        {"examples/newsroom/module/content/article/job.dever", ROLE_JOB},
        {"examples/newsroom/module/content/article/model.dever", ROLE_MODEL},
        {"examples/newsroom/module/content/desk/api.dever", ROLE_API},
        {"examples/newsroom/module/content/desk/app.dever", ROLE_APP},
        {"examples/newsroom/module/content/desk/model.dever", ROLE_MODEL},
    };
    Fixture *fixture = *state;
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        Str text;
        assert_true(file_read(fixture->arena, files[i].path, 1 << 20, &text));
        const char *copy = str_cstr(fixture->arena, text);
        assert_formatted(fixture, files[i].role, copy, copy);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(format_when_spaces_are_free_sets_them),
        TEST(format_when_lines_are_empty_keeps_one_in_bodies),
        TEST(format_when_modifiers_are_mixed_orders_them),
        TEST(format_when_signature_is_long_breaks_what_does_not_fit),
        TEST(format_when_list_is_long_breaks_from_outside),
        TEST(format_when_block_is_last_argument_hugs_its_call),
        TEST(format_when_single_member_has_no_room_opens_its_block),
        TEST(format_when_operators_do_not_fit_breaks_before_them),
        TEST(format_when_comments_stand_anywhere_keeps_them),
        TEST(format_when_literals_are_odd_spells_them_canonically),
        TEST(format_when_role_has_declarations_of_its_own_sets_them),
        TEST(format_when_text_has_errors_appends_nothing),
        TEST(format_when_canonical_changes_nothing),
    };
    return cmocka_run_group_tests_name("formatter", tests, NULL, NULL);
}
