/* compiler/syntax/parse_function.c: functions, from their prefix to the end of their body. */
#include "compiler/syntax/parser_internal.h"

/* ---- inputs ------------------------------------------------------------------------------- */

static bool binding(Parser *parser, void *into) {
    InputNode *input = into;
    Name name;
    if (!parser_expect_name(parser, "a name for the payload", "`_` leaves a part out", &name)) {
        return false;
    }
    vec_push(parser->arena, &input->bindings, name);
    return true;
}

/* A type with bounds, or a variant with bindings. */
static bool type_pattern(Parser *parser, InputNode *input) {
    input->kind = PATTERN_TYPE;
    input->type = parser_type(parser);
    if (input->type == NULL) {
        return false;
    }
    if (parser_kind(parser) != TOKEN_OPEN_PAREN) {
        return parser_bounds(parser, &input->bounds);
    }
    input->kind = PATTERN_VARIANT;
    bool nullable = input->type->nullable;
    Span question = nullable ? input->type->span : parser_span(parser);
    if (!nullable) {
        parser_advance(parser);
        if (!parser_list(parser, TOKEN_CLOSE_PAREN, "another name", binding, input)) {
            return false;
        }
        nullable = parser_kind(parser) == TOKEN_QUESTION;
        question = parser_span(parser);
    }
    if (nullable) {
        parser_error(parser, question, "remove the `?`; `null` has a clause of its own",
                     "a variant with a payload cannot be nullable");
    }
    return !nullable;
}

static bool handler_pattern(Parser *parser, InputNode *input) {
    input->kind = PATTERN_HANDLER;
    parser_advance(parser);
    if (!parser_fields(parser, &input->handler_inputs)) {
        return false;
    }
    if (parser_kind(parser) != TOKEN_OPEN_PAREN) {
        parser_expect(parser, TOKEN_OPEN_PAREN,
                      "a handler has inputs and outputs: `handler(a: Type) (b: Type)`");
        return false;
    }
    return parser_fields(parser, &input->handler_outputs);
}

static bool pattern(Parser *parser, InputNode *input) {
    switch (parser_kind(parser)) {
    case TOKEN_OTHER:
        input->kind = PATTERN_OTHER;
        break;
    case TOKEN_TRUE:
        input->kind = PATTERN_TRUE;
        break;
    case TOKEN_FALSE:
        input->kind = PATTERN_FALSE;
        break;
    case TOKEN_NULL:
        input->kind = PATTERN_NULL;
        break;
    case TOKEN_TEXT:
        input->kind = PATTERN_TEXT;
        input->text = lexer_decode_text(parser->arena, parser_token_text(parser));
        break;
    case TOKEN_MINUS:
        input->negative = true;
        parser_advance(parser);
        if (parser_kind(parser) != TOKEN_NUMBER) {
            parser_expected(parser, "a number", NULL);
            return false;
        }
        input->kind = PATTERN_NUMBER;
        input->number = parser_token_text(parser);
        break;
    case TOKEN_NUMBER:
        input->kind = PATTERN_NUMBER;
        input->number = parser_token_text(parser);
        break;
    case TOKEN_NAME:
        if (parser_at_word(parser, STR("handler")) &&
            parser_next_kind(parser) == TOKEN_OPEN_PAREN) {
            return handler_pattern(parser, input);
        }
        return type_pattern(parser, input);
    default:
        parser_expected(parser, "a type or a pattern", NULL);
        return false;
    }
    parser_advance(parser);
    return true;
}

static bool input_of_list(Parser *parser, void *into) {
    FunctionNode *function = into;
    size_t first = parser->at;
    InputNode *input = arena_make(parser->arena, InputNode);
    if (!parser_expect_name(parser, "the name of an input", NULL, &input->name) ||
        !parser_expect(parser, TOKEN_COLON, "an input is written `name: Type`")) {
        return false;
    }
    size_t second = parser->at;
    if (!pattern(parser, input)) {
        return false;
    }
    input->span = parser_span_from(parser, first);
    input->pattern = parser_span_from(parser, second);
    vec_push(parser->arena, &function->inputs, input);
    return true;
}

/* ---- modifiers ---------------------------------------------------------------------------- */

enum { RETRY_MOST = 100, TIMEOUT_MOST = 3600000 };

/* "(" INT ")" with its range. */
static bool policy_value(Parser *parser, const char *name, int64_t most, int64_t *out) {
    if (!parser_expect(parser, TOKEN_OPEN_PAREN, NULL)) {
        return false;
    }
    Str digits = parser_token_text(parser);
    bool plain = parser_kind(parser) == TOKEN_NUMBER && !str_find_char(digits, '.', NULL) &&
                 !str_find_char(digits, 'e', NULL) && !str_find_char(digits, 'E', NULL);
    int64_t value = 0;
    for (size_t i = 0; plain && i < digits.len && value <= most; i++) {
        value = value * 10 + (digits.ptr[i] - '0');
    }
    if (!plain || value < 1 || value > most) {
        parser_error(parser, parser_span(parser),
                     most == RETRY_MOST ? "`retry(3)` allows three attempts, the first included"
                                        : "`timeout(30000)` allows each attempt 30 seconds",
                     "`%s` takes a whole number from 1 to %lld", name, (long long)most);
        return false;
    }
    *out = value;
    parser_advance(parser);
    return parser_expect(parser, TOKEN_CLOSE_PAREN, NULL);
}

static const char policies_help[] = "a job says both: `job name(…) () retry(3) timeout(30000) {`";

/* retry and timeout in either order, on the line of the outputs. */
static bool policies(Parser *parser, FunctionNode *function) {
    while (!function->has_retry || !function->has_timeout) {
        size_t first = parser->at;
        if (!function->has_retry && parser_at_word(parser, STR("retry"))) {
            parser_advance(parser);
            if (!policy_value(parser, "retry", RETRY_MOST, &function->retry)) {
                return false;
            }
            function->has_retry = true;
            function->retry_span = parser_span_from(parser, first);
        } else if (!function->has_timeout && parser_at_word(parser, STR("timeout"))) {
            parser_advance(parser);
            if (!policy_value(parser, "timeout", TIMEOUT_MOST, &function->timeout_ms)) {
                return false;
            }
            function->has_timeout = true;
            function->timeout_span = parser_span_from(parser, first);
        } else {
            parser_expected(parser, function->has_retry ? "`timeout(…)`" : "`retry(…)`",
                            policies_help);
            return false;
        }
    }
    return true;
}

static bool refuse_twice(Parser *parser) {
    parser_error(parser, parser_span(parser), "write it once",
                 "`" STR_FMT "` stands twice on this function", STR_ARG(parser_token_text(parser)));
    return false;
}

static bool pure_modifier(Parser *parser, FunctionNode *function) {
    if (function->is_pure) {
        return refuse_twice(parser);
    }
    function->is_pure = true;
    function->pure_span = parser_span(parser);
    parser_advance(parser);
    return true;
}

static bool recover_modifier(Parser *parser, FunctionNode *function) {
    static const char help[] = "say who deals with the failure: `recover(\"shown to the user\")`";
    if (function->has_recover) {
        return refuse_twice(parser);
    }
    size_t first = parser->at;
    parser_advance(parser);
    parser_skip_lines(parser);
    if (!parser_expect(parser, TOKEN_OPEN_PAREN, help)) {
        return false;
    }
    parser_skip_lines(parser);
    Span span;
    if (!parser_expect_text(parser, "a reason in quotes", help, &function->recover, &span)) {
        return false;
    }
    if (str_trim(function->recover).len == 0) {
        parser_error(parser, span, help, "the reason of `recover` is blank");
        return false;
    }
    parser_skip_lines(parser);
    if (!parser_expect(parser, TOKEN_CLOSE_PAREN, NULL)) {
        return false;
    }
    function->has_recover = true;
    function->recover_span = parser_span_from(parser, first);
    return true;
}

static bool fails_modifier(Parser *parser, FunctionNode *function) {
    if (function->fails != NULL) {
        return refuse_twice(parser);
    }
    parser_advance(parser);
    function->fails = parser_type(parser);
    return function->fails != NULL;
}

static bool effect_name(Parser *parser, void *into) {
    FunctionNode *function = into;
    Name name;
    if (!parser_expect_name(parser, "the name of an effect", NULL, &name)) {
        return false;
    }
    vec_push(parser->arena, &function->effects, name);
    return true;
}

static bool effect_modifier(Parser *parser, FunctionNode *function) {
    if (function->effects.count > 0) {
        return refuse_twice(parser);
    }
    parser_advance(parser);
    if (!parser_expect(parser, TOKEN_OPEN_PAREN, NULL)) {
        return false;
    }
    parser_skip_lines(parser);
    if (parser_kind(parser) == TOKEN_CLOSE_PAREN) {
        parser_expected(parser, "the name of an effect", NULL);
        return false;
    }
    return parser_list(parser, TOKEN_CLOSE_PAREN, "the name of an effect", effect_name, function);
}

/* ---- bodies ------------------------------------------------------------------------------- */

static bool begins_with_operator(TokenKind kind) {
    return (kind >= TOKEN_ASSIGN && kind <= TOKEN_GREATER_EQUAL && kind != TOKEN_MINUS) ||
           kind == TOKEN_AND || kind == TOKEN_OR || kind == TOKEN_DOT;
}

static void refuse_statement(Parser *parser, Span span, const char *help, const char *text) {
    Diagnostic *diagnostic = diagnostic_add(parser->diagnostics, CODE_P002, span, "%s", text);
    diagnostic_help(parser->diagnostics, diagnostic, "%s", help);
}

static void refuse_bare_value(Parser *parser, const Expr *value, const StatementNode *before) {
    const char *help = "assign it: `name = …`";
    bool brace_below_name = value->kind == EXPR_BLOCK && before != NULL &&
                            before->kind == STATEMENT_ASSIGN && before->value->kind == EXPR_PATH;
    if (brace_below_name) {
        help = "the `{` of a record stands on the line of its type: `name = Type {`";
    } else if (value->kind == EXPR_BINARY && value->binary.op == BINARY_EQUAL) {
        help = "`==` compares; `=` assigns";
    }
    refuse_statement(parser, value->span, help, "a value alone is not a statement");
}

static bool statement(Parser *parser, void *into) {
    StatementList *body = into;
    size_t first = parser->at;
    if (begins_with_operator(parser_kind(parser))) {
        parser_expected(parser, "a statement",
                        "a line may go on with `and` or `or`; for other operators put the "
                        "expression in parentheses");
        return false;
    }
    Expr *value = parser_expr(parser);
    if (value == NULL) {
        return false;
    }
    StatementNode *node = arena_make(parser->arena, StatementNode);
    node->kind = STATEMENT_CALL;
    node->value = value;
    bool good = true;
    if (parser_kind(parser) == TOKEN_ASSIGN) {
        if (value->kind != EXPR_PATH) {
            refuse_statement(parser, value->span, "write `name = …` or `name.field = …`",
                             "only a name, or a field of a name, can be assigned");
            return false;
        }
        parser_advance(parser);
        node->kind = STATEMENT_ASSIGN;
        node->target = value->path;
        node->value = parser_expr(parser);
        if (node->value == NULL) {
            /* The target stays known as assigned. */
            node->value = parser_error_expr(parser, parser_span(parser));
            good = false;
        }
    } else if (value->kind != EXPR_CALL && value->kind != EXPR_CHANNEL) {
        refuse_bare_value(parser, value, body->count > 0 ? body->items[body->count - 1] : NULL);
        return false;
    }
    node->span = parser_span_from(parser, first);
    vec_push(parser->arena, body, node);
    return good;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static bool may_have_dotted_name(Role role) {
    return role == ROLE_ADAPTER || role == ROLE_TEST;
}

static bool prefix(Parser *parser, FunctionNode *function) {
    static const struct {
        Str word;
        FunctionKind kind;
    } prefixes[] = {{STR_INIT("transaction"), FUNCTION_TRANSACTION},
                    {STR_INIT("job"), FUNCTION_JOB}};
    for (size_t i = 0; i < COUNT_OF(prefixes); i++) {
        if (!parser_at_word(parser, prefixes[i].word)) {
            continue;
        }
        function->kind = prefixes[i].kind;
        parser_advance(parser);
        if (parser_kind(parser) == TOKEN_OPEN_PAREN) {
            parser_expected(parser, "the name of the function",
                            "`job` and `transaction` are prefixes and cannot be function names");
            return false;
        }
    }
    return true;
}

static bool signature(Parser *parser, FunctionNode *function) {
    const char *role_help = parser_role_help(parser);
    if (!prefix(parser, function)) {
        return false;
    }
    size_t first = parser->at;
    if (!parser_path(parser, "the name of a function", NULL, &function->name)) {
        return false;
    }
    if (function->name.count > 1 && !may_have_dotted_name(parser->file->role)) {
        parser_error(parser, function->name.span,
                     "declare it by its own name; its path comes from the file",
                     "only adapters and tests declare functions with dotted names");
        return false;
    }
    if (!parser_expect(parser, TOKEN_OPEN_PAREN,
                       role_help != NULL
                           ? role_help
                           : "a function is written `name(input: Type) (output: Type) { … }`")) {
        return false;
    }
    if (!parser_list(parser, TOKEN_CLOSE_PAREN, "another input", input_of_list, function)) {
        return false;
    }
    if (parser_kind(parser) != TOKEN_OPEN_PAREN) {
        parser_expect(parser, TOKEN_OPEN_PAREN,
                      "outputs stand on the line that closes the inputs; none are written `()`");
        return false;
    }
    if (!parser_fields(parser, &function->outputs)) {
        return false;
    }
    function->signature = parser_span_from(parser, first);
    return true;
}

/* Reads the modifiers. Leaves the parser before line ends that lead to none. */
static bool modifiers(Parser *parser, FunctionNode *function) {
    bool is_library = parser->file->role == ROLE_LIBRARY;
    for (;;) {
        size_t fresh = parser->fresh;
        /* Bodyless library functions end with their line. */
        if (!is_library) {
            parser_skip_lines(parser);
        }
        bool good;
        if (parser_at_word(parser, STR("pure"))) {
            good = pure_modifier(parser, function);
        } else if (parser_at_word(parser, STR("recover"))) {
            good = recover_modifier(parser, function);
        } else if (parser_at_word(parser, STR("fails"))) {
            good = fails_modifier(parser, function);
            if (good && !is_library) {
                return true; /* the contract is the last one; a body begins on its line */
            }
        } else if (is_library && parser_at_word(parser, STR("effect"))) {
            good = effect_modifier(parser, function);
        } else {
            parser->fresh = fresh;
            return true;
        }
        if (!good) {
            return false;
        }
    }
}

static bool rest(Parser *parser, FunctionNode *function) {
    if (function->kind == FUNCTION_JOB && !policies(parser, function)) {
        return false;
    }
    if (!modifiers(parser, function)) {
        return false;
    }
    bool may_be_bodyless = function->fails != NULL || parser->file->role == ROLE_LIBRARY;
    if (!may_be_bodyless) {
        parser_skip_lines(parser);
    }
    if (parser_kind(parser) == TOKEN_OPEN_BRACE) {
        /* Statements that failed are left out; the function itself stays known. */
        function->has_body = true;
        parser_block(parser, statement, &function->body);
        return true;
    }
    if (may_be_bodyless) {
        return true;
    }
    const char *help = NULL;
    if (parser->file->role == ROLE_PORT) {
        help = "an operation of a port says how it fails: `name(…) (…) fails Choice`";
    } else if (parser_at_word(parser, STR("retry")) || parser_at_word(parser, STR("timeout"))) {
        help = function->kind == FUNCTION_JOB ? "write it once"
                                              : "only jobs have `retry` and `timeout`";
    } else if (parser_kind(parser) == TOKEN_COLON) {
        help = "outputs stand in parentheses of their own: `name(input: Type) (output: Type)`";
    }
    parser_expected(parser, parser->file->role == ROLE_PORT ? "`fails`" : "`{` and the body", help);
    return false;
}

FunctionNode *parser_function(Parser *parser) {
    size_t first = parser->at;
    FunctionNode *function = arena_make(parser->arena, FunctionNode);
    if (!signature(parser, function) || !rest(parser, function)) {
        return NULL;
    }
    function->span = parser_span_from(parser, first);
    return function;
}
