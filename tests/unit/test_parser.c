/* tests/unit/test_parser.c: trees of what is right, places of what is wrong. */
#include <string.h>

#include "tests/unit/test_syntax_fixture.h"

/* An expression with all its brackets, so that precedence shows. */
static Str show(Arena *arena, const Expr *expr) {
    switch (expr->kind) {
    case EXPR_UNARY:
        return str_format(arena, "(%s " STR_FMT ")", expr->unary.op == UNARY_NOT ? "not" : "-",
                          STR_ARG(show(arena, expr->unary.operand)));
    case EXPR_BINARY:
        return str_format(
            arena, "(" STR_FMT " " STR_FMT " " STR_FMT ")", STR_ARG(show(arena, expr->binary.left)),
            STR_ARG(binary_op_text(expr->binary.op)), STR_ARG(show(arena, expr->binary.right)));
    case EXPR_CALL: {
        Str text = str_format(arena, STR_FMT "(", STR_ARG(show(arena, expr->call.callee)));
        for (size_t i = 0; i < expr->call.arguments.count; i++) {
            text = str_format(arena, STR_FMT "%s" STR_FMT, STR_ARG(text), i == 0 ? "" : ", ",
                              STR_ARG(show(arena, expr->call.arguments.items[i])));
        }
        return str_format(arena, STR_FMT ")", STR_ARG(text));
    }
    case EXPR_FIELD:
        return str_format(arena, STR_FMT "->" STR_FMT, STR_ARG(show(arena, expr->field.host)),
                          STR_ARG(expr->field.name.text));
    case EXPR_PAREN:
        return str_format(arena, "[" STR_FMT "]", STR_ARG(show(arena, expr->inner)));
    default:
        return span_text(expr->span);
    }
}

static const char *value_of(Fixture *fixture, const char *value) {
    Str text = str_format(fixture->arena, "f() (x: Int) { x = %s }", value);
    FileTree *tree = fixture_parse(fixture, ROLE_APP, str_cstr(fixture->arena, text));
    assert_string_equal(fixture_messages(fixture), "");
    const FunctionNode *function = tree->decls.items[0]->function;
    return str_cstr(fixture->arena, show(fixture->arena, function->body.items[0]->value));
}

static void assert_refused(Fixture *fixture, Role role, const char *text, const char *expected) {
    fixture->diagnostics.items.count = 0;
    fixture->diagnostics.errors = 0;
    assert_true(fixture_parse(fixture, role, text)->failed);
    const char *messages = fixture_messages(fixture);
    if (strcmp(messages, expected) != 0) {
        fail_msg("%s\nexpected %s, found %s", text, expected, messages);
    }
}

static FileTree *accept(Fixture *fixture, Role role, const char *text) {
    FileTree *tree = fixture_parse(fixture, role, text);
    assert_string_equal(fixture_messages(fixture), "");
    assert_false(tree->failed);
    return tree;
}

static void operators_when_mixed_bind_by_level(void **state) {
    assert_string_equal(value_of(*state, "a + b * c - d"), "((a + (b * c)) - d)");
    assert_string_equal(value_of(*state, "a or b and c or d"), "((a or (b and c)) or d)");
    assert_string_equal(value_of(*state, "not a == b"), "((not a) == b)");
    assert_string_equal(value_of(*state, "-a.b * - - 2"), "((- a.b) * (- (- 2)))");
    assert_string_equal(value_of(*state, "a < b + 1 and c // 2 % 3 >= d"),
                        "((a < (b + 1)) and (((c // 2) % 3) >= d))");
    assert_string_equal(value_of(*state, "a - (b - c)"), "(a - [(b - c)])");
}

static void postfix_when_chained_goes_left_to_right(void **state) {
    assert_string_equal(value_of(*state, "a.b(c, -d).e(f)"), "a.b(c, (- d))->e(f)");
    assert_string_equal(value_of(*state, "[a\n(b)]"), "[a\n(b)]");
    assert_string_equal(value_of(*state, "(a\n.b)"), "[a->b]");
}

static void expression_when_next_line_begins_with_and_goes_on(void **state) {
    assert_string_equal(value_of(*state, "a == b\n    and c\n\n  or d"), "(((a == b) and c) or d)");
    FileTree *tree =
        accept(*state, ROLE_APP,
               "f() () {\n  g({\n    where = a == b\n      and c\n    size = 1\n  })\n}\n");
    const Expr *block =
        tree->decls.items[0]->function->body.items[0]->value->call.arguments.items[0];
    assert_int_equal(block->block.members.count, 2);
}

static void function_when_complete_keeps_every_part(void **state) {
    FileTree *tree = accept(
        *state, ROLE_APP,
        "transaction move(a: -5, b: Shape.Round(r, _), c: Int >= 1 and <= 9, d: other, e: null,\n"
        "  f: \"x\\n\", g: handler(n: Int) (out: Int)) (x: Map<Text, List<Int>>?)\n"
        "recover(\"why\")\npure {\n}\n");
    const FunctionNode *function = tree->decls.items[0]->function;
    assert_int_equal(function->kind, FUNCTION_TRANSACTION);
    assert_str(span_text(function->name.span), "move");
    assert_true(function->is_pure && function->has_recover && function->has_body);
    assert_str(function->recover, "why");
    assert_int_equal(function->inputs.count, 7);
    InputNode *const *inputs = function->inputs.items;
    assert_int_equal(inputs[0]->kind, PATTERN_NUMBER);
    assert_true(inputs[0]->negative);
    assert_str(span_text(inputs[0]->pattern), "-5");
    assert_int_equal(inputs[1]->kind, PATTERN_VARIANT);
    assert_int_equal(inputs[1]->bindings.count, 2);
    assert_int_equal(inputs[2]->bounds.count, 2);
    assert_int_equal(inputs[3]->kind, PATTERN_OTHER);
    assert_int_equal(inputs[4]->kind, PATTERN_NULL);
    assert_str(inputs[5]->text, "x\n");
    assert_int_equal(inputs[6]->kind, PATTERN_HANDLER);
    const TypeNode *output = function->outputs.items[0]->type;
    assert_true(output->nullable);
    assert_int_equal(output->arguments.count, 2);
    assert_str(span_text(output->arguments.items[1]->span), "List<Int>");
}

static void type_when_record_or_choice_is_told_by_its_first_member(void **state) {
    FileTree *tree = accept(*state, ROLE_MODEL,
                            "type A { private x: Text(1, 9) unique\n owner y: Int = f()\n"
                            " error: Int default 0 index\n}\n"
                            "type B { error Bad(text: Text)\n Flat() = \"l\" }\ntype C {}\n");
    assert_int_equal(tree->decls.items[0]->kind, DECL_RECORD);
    FieldNode *const *fields = tree->decls.items[0]->fields.items;
    assert_int_equal(tree->decls.items[0]->fields.count, 3);
    assert_true(fields[0]->is_private);
    assert_int_equal(fields[0]->type->parameters.count, 2);
    assert_true(fields[1]->is_owner);
    assert_int_equal(fields[2]->modifiers.count, 2);
    assert_int_equal(tree->decls.items[1]->kind, DECL_CHOICE);
    assert_true(tree->decls.items[1]->variants.items[0]->is_error);
    assert_true(tree->decls.items[1]->variants.items[1]->has_parentheses);
    assert_str(tree->decls.items[1]->variants.items[1]->label, "l");
    assert_int_equal(tree->decls.items[2]->kind, DECL_RECORD);
}

static void model_file_when_complete_keeps_every_declaration(void **state) {
    FileTree *tree =
        accept(*state, ROLE_MODEL,
               "database main\nglobal type Demo { name: Text }\nunique(name, count)\n"
               "relation parts = lab.demo.model.part.demo_id\nseed {\n { name = \"a\" }\n { name = "
               "\"b\" }\n}\n"
               "migrate tidy { drop note\n before { parameters = [1]\n sqlite = \"a\"\n postgres = "
               "\"b\" } }\n"
               "sql totals(count: Int) (rows: List<Demo>) { postgres = \"p\"\n sqlite = \"s\" }\n");
    static const DeclKind kinds[] = {DECL_DATABASE, DECL_RECORD,  DECL_INDEX, DECL_RELATION,
                                     DECL_SEED,     DECL_MIGRATE, DECL_SQL};
    assert_int_equal(tree->decls.count, COUNT_OF(kinds));
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        assert_int_equal(tree->decls.items[i]->kind, kinds[i]);
    }
    assert_true(tree->decls.items[1]->is_global);
    assert_int_equal(tree->decls.items[4]->seed_rows.count, 2);
    assert_int_equal(tree->decls.items[5]->steps.count, 2);
    assert_str(tree->decls.items[6]->sql.sql.sqlite, "s");
}

static void job_file_when_policies_are_swapped_is_accepted(void **state) {
    FileTree *tree =
        accept(*state, ROLE_JOB,
               "database default\njob a(x: app.T) () timeout(3600000) retry(100) {}\n"
               "schedule a = \"* * * * *\" missed(latest)\nschedule b = \"1 * * * *\"\n");
    const FunctionNode *job = tree->decls.items[1]->function;
    assert_int_equal(job->retry, 100);
    assert_int_equal(job->timeout_ms, 3600000);
    assert_str(span_text(job->retry_span), "retry(100)");
    assert_int_equal(tree->decls.items[2]->schedule.missed, MISSED_LATEST);
    assert_int_equal(tree->decls.items[3]->schedule.missed, MISSED_ABSENT);
}

static void api_file_when_complete_keeps_every_line(void **state) {
    FileTree *tree = accept(*state, ROLE_API,
                            "get list = app.list\npublic delete x = app.y\ncmd z = app.z\nrest\n"
                            "rest model.part");
    assert_int_equal(tree->decls.items[0]->method, ROUTE_GET);
    assert_true(tree->decls.items[1]->is_public);
    assert_int_equal(tree->decls.items[2]->kind, DECL_COMMAND);
    assert_int_equal(tree->decls.items[3]->target.count, 0);
    assert_int_equal(tree->decls.items[4]->target.count, 2);
}

static void adapter_file_when_complete_keeps_every_declaration(void **state) {
    FileTree *tree = accept(*state, ROLE_ADAPTER,
                            "setting { url: Text }\nport.send(to: Text) (r: Text) { r = to }\n"
                            "external pip \"w.py\" { allow network\n lib \"r@2\" }\n");
    assert_int_equal(tree->decls.items[0]->kind, DECL_SETTING);
    assert_int_equal(tree->decls.items[1]->function->name.count, 2);
    assert_str(tree->decls.items[2]->external.libs.items[0].text, "r@2");
}

static void library_file_when_bodyless_keeps_effects(void **state) {
    FileTree *tree = accept(*state, ROLE_LIBRARY,
                            "type E { error Failed(message: Text) }\n"
                            "now() (moment: DateTime) effect(time)\n"
                            "put(a: Int) () fails E effect(time, database)\n"
                            "fails(x: Int) (y: Int) pure\npure(x: Int) (y: Int)\n");
    assert_int_equal(tree->decls.count, 5);
    assert_int_equal(tree->decls.items[2]->function->effects.count, 2);
    assert_non_null(tree->decls.items[2]->function->fails);
    assert_true(tree->decls.items[3]->function->is_pure);
    assert_false(tree->decls.items[4]->function->has_body);
}

static void port_operation_when_contract_is_on_next_line_is_accepted(void **state) {
    FileTree *tree =
        accept(*state, ROLE_PORT, "send(to: Text) (r: Text)\nfails app.R\nstop() () fails app.R\n");
    assert_int_equal(tree->decls.count, 2);
    assert_false(tree->decls.items[0]->function->has_body);
}

static void contextual_words_when_names_are_names(void **state) {
    accept(*state, ROLE_APP,
           "index(schedule: Int) (database: Int) pure { database = schedule }\n"
           "get(fail: Int) (result: Int) {\n  channel = fail\n  result = channel\n}\n"
           "retry() () {}\nsetting(a: Int) () {}\n");
}

static void syntax_when_wrong_is_reported_at_the_token(void **state) {
    static const struct {
        const char *text;
        const char *messages;
    } rows[] = {
        {"f(a: Int,) () {}", "P001 1:10"},
        {"f(a: Int)\n(b: Int) {}\ng(", "P001 1:10, P001 3:3"},
        {"f() () { 1 + 2 }", "P002 1:10"},
        {"f() () { g(a) = 2 }", "P002 1:10"},
        {"f() () { x = 1 y = 2 }", "P001 1:16"},
        {"f() () {\n  x = a +\n    b\n  y = )\n}", "P001 2:10, P001 4:7"},
        {"f() () {\n  x = a\n    + b\n}", "P001 3:5"},
        {"f() () {\n  x = B\n  { a = 1 }\n}", "P002 3:3"},
        {"f() () { x = B { a = 1, b = 2 } }", "P001 1:23"},
        {"f() () { x = result(a, 1) }", "P001 1:24"},
        {"f() () { fail() }", "P001 1:15"},
        {"f(x: Int?\?) () {}", "P001 1:10"},
        {"f(x: Box<Int>) () {}", "P001 1:9"},
        {"f(x: Int > 1 and < 3 and > 2) () {}", "P001 1:22"},
        {"f(other: Int) () {}", "P001 1:3"},
        {"job(a: Int) () {}", "P001 1:4"},
        {"package a.b\nf() () {}", "P001 1:1"},
        {"public f() () {}", "P001 1:1"},
        {"f() () pure pure {}", "P001 1:13"},
        {"f() () recover(\" \") {}", "P001 1:16"},
        {"type A\n{ x: Int }", "P001 1:7"},
        {"type A { x: Int index index }", "P001 1:23"},
        {"type A {\n  X\n  private Y\n}", "P001 3:3"},
        {"a.b() () {}", "P001 1:1"},
        {"database default", "P001 1:10"},
        {"f() () { x = a. }", "P001 1:17"},
        {"f() () { x = .5 }", "P001 1:14"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_refused(*state, ROLE_APP, rows[i].text, rows[i].messages);
    }
}

static void role_syntax_when_wrong_is_reported_at_the_token(void **state) {
    static const struct {
        Role role;
        const char *text;
        const char *messages;
    } rows[] = {
        {ROLE_JOB, "job a() () retry(2) {}", "P001 1:21"},
        {ROLE_JOB, "job a() () {}", "P001 1:12"},
        {ROLE_JOB, "job a() () retry(101) timeout(1) {}", "P001 1:18"},
        {ROLE_JOB, "job a() () retry(1.0) timeout(1) {}", "P001 1:18"},
        {ROLE_JOB, "job a() () timeout(0) retry(1) {}", "P001 1:20"},
        {ROLE_JOB, "job a() () retry(99999999999999999999) timeout(1) {}", "P001 1:18"},
        {ROLE_JOB, "schedule a = hourly", "P001 1:14"},
        {ROLE_JOB, "schedule a = \"x\" missed(some)", "P001 1:25"},
        {ROLE_API, "public cmd a = app.a", "P001 1:1"},
        {ROLE_API, "cmd a = app.a cmd b = app.b", "P001 1:15"},
        {ROLE_MODEL, "index()", "P001 1:7"},
        {ROLE_MODEL, "sql a() (r: Int) { sqlite = \"a\" }", "P001 1:33"},
        {ROLE_MODEL, "sql a() (r: Int) {\n sqlite = \"a\"\n sqlite = \"a\"\n}", "P001 3:2"},
        {ROLE_MODEL, "migrate a { rename b }", "P001 1:13"},
        {ROLE_PORT, "send() ()", "P001 1:10"},
        {ROLE_ADAPTER, "external cargo \"x\" {}", "P001 1:10"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_refused(*state, rows[i].role, rows[i].text, rows[i].messages);
    }
}

static void recovery_when_mistakes_are_independent_reports_each_once(void **state) {
    assert_refused(*state, ROLE_APP,
                   "type A {\n  x Int\n  y: Int?\? \n  z: Int\n}\n"
                   "f(a Int) (b: Int) {\n  b = a\n  c = \n}\n"
                   "g(a: Int) (b: Int) {\n  b = h(a, (1\n  c = [1,]\n  d = 1 2\n  b = a\n}\n"
                   "i() () {\n  x = 1\n\nj() () {\n  k(\n}\n",
                   "P001 2:5, P001 3:10, P001 6:5, P001 12:3, P001 12:10, P001 13:9, "
                   "P001 19:1, P001 21:1");
}

static void recovery_when_statement_fails_keeps_the_rest(void **state) {
    FileTree *tree = fixture_parse(*state, ROLE_APP,
                                   "f() (x: Int) {\n  a = 1\n  b = +\n  c = 3\n}\ng() () {}\n");
    assert_int_equal(tree->decls.count, 2);
    const StatementList *body = &tree->decls.items[0]->function->body;
    assert_int_equal(body->count, 3);
    assert_int_equal(body->items[1]->value->kind, EXPR_ERROR);
    assert_str(body->items[2]->target.parts[0].text, "c");
}

/* `open` repeated around a value. */
static const char *nested(Fixture *fixture, const char *open, const char *close, int levels) {
    Buf text = {0};
    buf_add(&text, STR("f() () { x = "));
    for (int i = 0; i < levels; i++) {
        buf_add(&text, str_from(open));
    }
    buf_add(&text, STR("1"));
    for (int i = 0; i < levels; i++) {
        buf_add(&text, str_from(close));
    }
    buf_add(&text, STR(" }"));
    const char *copy = str_cstr(fixture->arena, buf_str(&text));
    buf_done(&text);
    return copy;
}

static void nesting_when_beyond_128_levels_is_refused(void **state) {
    static const struct {
        const char *open;
        const char *close;
    } forms[] = {{"(", ")"}, {"[", "]"}, {"-", ""}, {"not ", ""}, {"f(", ")"}, {"", " + 1"}};
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        Fixture *fixture = *state;
        fixture->diagnostics.items.count = 0;
        fixture->diagnostics.errors = 0;
        accept(fixture, ROLE_APP, nested(fixture, forms[i].open, forms[i].close, 127));
        FileTree *tree =
            fixture_parse(fixture, ROLE_APP, nested(fixture, forms[i].open, forms[i].close, 128));
        assert_true(tree->failed);
        assert_int_equal(fixture->diagnostics.items.count, 1);
        assert_int_equal(fixture->diagnostics.items.items[0]->code, CODE_P009);
    }
}

static void file_when_lexical_errors_exist_is_not_parsed(void **state) {
    FileTree *tree = fixture_parse(*state, ROLE_APP, "f( ; ) {");
    assert_true(tree->failed);
    assert_string_equal(fixture_messages(*state), "L001 1:4");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(operators_when_mixed_bind_by_level),
        TEST(postfix_when_chained_goes_left_to_right),
        TEST(expression_when_next_line_begins_with_and_goes_on),
        TEST(function_when_complete_keeps_every_part),
        TEST(type_when_record_or_choice_is_told_by_its_first_member),
        TEST(model_file_when_complete_keeps_every_declaration),
        TEST(job_file_when_policies_are_swapped_is_accepted),
        TEST(api_file_when_complete_keeps_every_line),
        TEST(adapter_file_when_complete_keeps_every_declaration),
        TEST(library_file_when_bodyless_keeps_effects),
        TEST(port_operation_when_contract_is_on_next_line_is_accepted),
        TEST(contextual_words_when_names_are_names),
        TEST(syntax_when_wrong_is_reported_at_the_token),
        TEST(role_syntax_when_wrong_is_reported_at_the_token),
        TEST(recovery_when_mistakes_are_independent_reports_each_once),
        TEST(recovery_when_statement_fails_keeps_the_rest),
        TEST(nesting_when_beyond_128_levels_is_refused),
        TEST(file_when_lexical_errors_exist_is_not_parsed),
    };
    return cmocka_run_group_tests_name("parser", tests, NULL, NULL);
}
