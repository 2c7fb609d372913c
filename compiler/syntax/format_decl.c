/* compiler/syntax/format_decl.c: layout of declarations. Some parts have an order of their own
 * (policies and modifiers of a function, dialects, entries of an external block); the cursor then
 * moves to where each part stands in the source. */
#include "compiler/syntax/format_internal.h"

/* ---- functions ---------------------------------------------------------------------------- */

static void format_input(Formatter *formatter, const InputNode *input) {
    format_token(formatter, TOKEN_NAME);
    format_token(formatter, TOKEN_COLON);
    format_space(formatter);
    switch (input->kind) {
    case PATTERN_HANDLER:
        format_token(formatter, TOKEN_NAME);
        format_fields(formatter, &input->handler_inputs);
        format_space(formatter);
        format_fields(formatter, &input->handler_outputs);
        break;
    case PATTERN_TYPE:
        format_type(formatter, input->type);
        format_bounds(formatter, &input->bounds);
        break;
    case PATTERN_VARIANT:
        format_type(formatter, input->type);
        format_open_list(formatter, TOKEN_OPEN_PAREN);
        for (size_t i = 0; i < input->bindings.count; i++) {
            format_next(formatter, i == 0);
            format_token(formatter, TOKEN_NAME);
        }
        format_close_list(formatter, TOKEN_CLOSE_PAREN);
        break;
    case PATTERN_NUMBER:
        if (input->negative) {
            format_token(formatter, TOKEN_MINUS);
        }
        format_token(formatter, TOKEN_NUMBER);
        break;
    case PATTERN_OTHER:
    case PATTERN_TRUE:
    case PATTERN_FALSE:
    case PATTERN_NULL:
    case PATTERN_TEXT:
        format_token(formatter, format_kind(formatter));
        break;
    }
}

static void format_statement(Formatter *formatter, const StatementNode *statement) {
    if (statement->kind == STATEMENT_ASSIGN) {
        format_path(formatter, &statement->target);
        format_space(formatter);
        format_token(formatter, TOKEN_ASSIGN);
        format_space(formatter);
    }
    format_expr(formatter, statement->value);
}

/* The last token of a span. */
static size_t last_token(const Formatter *formatter, Span span) {
    return format_find(formatter, span.to) - 1;
}

/* word "(" token ")" */
static void format_policy(Formatter *formatter, Span span, TokenKind inside) {
    format_go(formatter, span.from);
    format_space(formatter);
    format_token(formatter, TOKEN_NAME);
    format_token(formatter, TOKEN_OPEN_PAREN);
    format_token(formatter, inside);
    format_token(formatter, TOKEN_CLOSE_PAREN);
}

static size_t latest(size_t a, size_t b) {
    return a > b ? a : b;
}

static void format_policies(Formatter *formatter, const FunctionNode *function) {
    size_t last = latest(last_token(formatter, function->retry_span),
                         last_token(formatter, function->timeout_span));
    format_hold(formatter, last);
    format_policy(formatter, function->retry_span, TOKEN_NUMBER);
    format_policy(formatter, function->timeout_span, TOKEN_NUMBER);
    format_release(formatter);
    formatter->at = last + 1;
}

static void format_effects(Formatter *formatter, const FunctionNode *function) {
    format_space(formatter);
    format_token(formatter, TOKEN_NAME);
    format_open_list(formatter, TOKEN_OPEN_PAREN);
    for (size_t i = 0; i < function->effects.count; i++) {
        format_next(formatter, i == 0);
        format_token(formatter, TOKEN_NAME);
    }
    format_close_list(formatter, TOKEN_CLOSE_PAREN);
}

/* The last token of all modifiers in the source; the token before the cursor when there is none. */
static size_t last_modifier(const Formatter *formatter, const FunctionNode *function) {
    size_t last = formatter->at - 1;
    if (function->is_pure) {
        last = latest(last, last_token(formatter, function->pure_span));
    }
    if (function->has_recover) {
        last = latest(last, last_token(formatter, function->recover_span));
    }
    if (function->fails != NULL) {
        last = latest(last, last_token(formatter, function->fails->span));
    }
    if (function->effects.count > 0) {
        Span name = function->effects.items[function->effects.count - 1].span;
        last = latest(last, last_token(formatter, name) + 1);
    }
    return last;
}

/* What stands between outputs and body, in the canonical order. */
static void format_modifiers(Formatter *formatter, const FunctionNode *function) {
    size_t last = last_modifier(formatter, function);
    if (last < formatter->at) {
        return;
    }
    format_hold(formatter, last);
    if (function->is_pure) {
        format_go(formatter, function->pure_span.from);
        format_space(formatter);
        format_token(formatter, TOKEN_NAME);
    }
    if (function->has_recover) {
        format_policy(formatter, function->recover_span, TOKEN_TEXT);
    }
    if (function->fails != NULL) {
        formatter->at = format_find(formatter, function->fails->span.from) - 1;
        format_space(formatter);
        format_token(formatter, TOKEN_NAME);
        format_space(formatter);
        format_type(formatter, function->fails);
    }
    if (function->effects.count > 0) {
        formatter->at = format_find(formatter, function->effects.items[0].span.from) - 2;
        format_effects(formatter, function);
    }
    format_release(formatter);
    formatter->at = last + 1;
}

void format_function(Formatter *formatter, const FunctionNode *function) {
    if (function->kind != FUNCTION_PLAIN) {
        format_token(formatter, TOKEN_NAME);
        format_space(formatter);
    }
    format_path(formatter, &function->name);
    format_open_list(formatter, TOKEN_OPEN_PAREN);
    for (size_t i = 0; i < function->inputs.count; i++) {
        format_next(formatter, i == 0);
        format_input(formatter, function->inputs.items[i]);
    }
    format_close_list(formatter, TOKEN_CLOSE_PAREN);
    format_space(formatter);
    format_fields(formatter, &function->outputs);
    if (function->kind == FUNCTION_JOB) {
        format_policies(formatter, function);
    }
    format_modifiers(formatter, function);
    if (function->has_body) {
        format_space(formatter);
        format_open_block(formatter, function->body.count > 0);
        for (size_t i = 0; i < function->body.count; i++) {
            format_member(formatter, i == 0);
            format_statement(formatter, function->body.items[i]);
        }
        format_close_block(formatter);
    }
}

/* ---- types and settings ------------------------------------------------------------------- */

static void format_field_block(Formatter *formatter, const FieldList *fields) {
    format_open_block(formatter, fields->count > 0);
    for (size_t i = 0; i < fields->count; i++) {
        format_member(formatter, i == 0);
        format_field(formatter, fields->items[i]);
    }
    format_close_block(formatter);
}

static void format_variant(Formatter *formatter, const VariantNode *variant) {
    if (variant->is_error) {
        format_token(formatter, TOKEN_NAME);
        format_space(formatter);
    }
    format_token(formatter, TOKEN_NAME);
    if (variant->has_parentheses) {
        format_fields(formatter, &variant->fields);
    }
    if (variant->has_label) {
        format_space(formatter);
        format_token(formatter, TOKEN_ASSIGN);
        format_space(formatter);
        format_token(formatter, TOKEN_TEXT);
    }
}

static void format_type_decl(Formatter *formatter, const Decl *decl) {
    if (decl->is_global) {
        format_token(formatter, TOKEN_NAME);
        format_space(formatter);
    }
    format_token(formatter, TOKEN_TYPE);
    format_space(formatter);
    format_token(formatter, TOKEN_NAME);
    format_space(formatter);
    if (decl->kind == DECL_RECORD) {
        format_field_block(formatter, &decl->fields);
        return;
    }
    format_open_block(formatter, decl->variants.count > 0);
    for (size_t i = 0; i < decl->variants.count; i++) {
        format_member(formatter, i == 0);
        format_variant(formatter, decl->variants.items[i]);
    }
    format_close_block(formatter);
}

/* ---- models ------------------------------------------------------------------------------- */

/* Words of a declaration with one space between them: `database main`. */
static void format_words(Formatter *formatter, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            format_space(formatter);
        }
        format_token(formatter, TOKEN_NAME);
    }
}

/* word NAME "=" path */
static void format_bound(Formatter *formatter, const Path *target) {
    format_words(formatter, 2);
    format_space(formatter);
    format_token(formatter, TOKEN_ASSIGN);
    format_space(formatter);
    format_path(formatter, target);
}

static void format_index(Formatter *formatter, const Decl *decl) {
    format_token(formatter, TOKEN_NAME);
    format_open_list(formatter, TOKEN_OPEN_PAREN);
    for (size_t i = 0; i < decl->index.fields.count; i++) {
        format_next(formatter, i == 0);
        format_token(formatter, TOKEN_NAME);
    }
    format_close_list(formatter, TOKEN_CLOSE_PAREN);
}

static void format_seed(Formatter *formatter, const Decl *decl) {
    format_token(formatter, TOKEN_NAME);
    format_space(formatter);
    format_open_block(formatter, decl->seed_rows.count > 0);
    for (size_t i = 0; i < decl->seed_rows.count; i++) {
        format_member(formatter, i == 0);
        format_expr(formatter, decl->seed_rows.items[i]);
    }
    format_close_block(formatter);
}

/* The entry `word = …` of the block whose first member begins at token `from`. */
static bool find_entry(const Formatter *formatter, size_t from, Str word, size_t *out) {
    int depth = 0;
    for (size_t at = from; depth >= 0 && formatter->tokens[at].kind != TOKEN_END; at++) {
        const Token *token = &formatter->tokens[at];
        TokenKind kind = (TokenKind)token->kind;
        Str text = str_slice(formatter->tree->file->text, token->from, token->to);
        if (depth == 0 && kind == TOKEN_NAME && token[1].kind == TOKEN_ASSIGN &&
            str_equal(text, word)) {
            *out = at;
            return true;
        }
        depth += kind == TOKEN_OPEN_BRACKET || kind == TOKEN_OPEN_BRACE || kind == TOKEN_OPEN_PAREN;
        depth -=
            kind == TOKEN_CLOSE_BRACKET || kind == TOKEN_CLOSE_BRACE || kind == TOKEN_CLOSE_PAREN;
    }
    return false;
}

static void format_sql_block(Formatter *formatter, const ExprList *parameters) {
    static const Str words[] = {STR_INIT("parameters"), STR_INIT("sqlite"), STR_INIT("postgres")};
    format_open_block(formatter, true);
    size_t first = formatter->at;
    size_t end = first;
    for (size_t i = parameters == NULL ? 1 : 0; i < COUNT_OF(words); i++) {
        if (!find_entry(formatter, first, words[i], &formatter->at)) {
            formatter->failed = true;
            return;
        }
        format_member(formatter, end == first);
        format_token(formatter, TOKEN_NAME);
        format_space(formatter);
        format_token(formatter, TOKEN_ASSIGN);
        format_space(formatter);
        if (i == 0) {
            format_exprs(formatter, parameters, TOKEN_OPEN_BRACKET, TOKEN_CLOSE_BRACKET);
        } else {
            format_token(formatter, TOKEN_TEXT);
        }
        end = formatter->at > end ? formatter->at : end;
    }
    formatter->at = end;
    format_close_block(formatter);
}

static void format_migrate(Formatter *formatter, const Decl *decl) {
    format_words(formatter, 2);
    format_space(formatter);
    format_open_block(formatter, decl->steps.count > 0);
    for (size_t i = 0; i < decl->steps.count; i++) {
        const MigrateStep *step = &decl->steps.items[i];
        format_member(formatter, i == 0);
        if (step->kind == MIGRATE_DROP) {
            format_words(formatter, 2);
        } else {
            format_token(formatter, TOKEN_NAME);
            format_space(formatter);
            format_sql_block(formatter, &step->parameters);
        }
    }
    format_close_block(formatter);
}

static void format_sql(Formatter *formatter, const Decl *decl) {
    format_words(formatter, 2);
    format_fields(formatter, &decl->sql.inputs);
    format_space(formatter);
    format_fields(formatter, &decl->sql.outputs);
    format_space(formatter);
    format_sql_block(formatter, NULL);
}

/* ---- jobs, api, adapters ------------------------------------------------------------------ */

static void format_schedule(Formatter *formatter, const Decl *decl) {
    format_words(formatter, 2);
    format_space(formatter);
    format_token(formatter, TOKEN_ASSIGN);
    format_space(formatter);
    format_token(formatter, TOKEN_TEXT);
    if (decl->schedule.missed != MISSED_ABSENT) {
        format_space(formatter);
        format_token(formatter, TOKEN_NAME);
        format_token(formatter, TOKEN_OPEN_PAREN);
        format_token(formatter, TOKEN_NAME);
        format_token(formatter, TOKEN_CLOSE_PAREN);
    }
}

static void format_rest(Formatter *formatter, const Decl *decl) {
    format_token(formatter, TOKEN_NAME);
    if (decl->target.count > 0) {
        format_space(formatter);
        format_path(formatter, &decl->target);
    }
}

static void format_external(Formatter *formatter, const Decl *decl) {
    format_words(formatter, 2);
    format_space(formatter);
    format_token(formatter, TOKEN_TEXT);
    format_space(formatter);
    size_t libs = decl->external.libs.count;
    size_t entries = libs + decl->external.allows.count;
    format_open_block(formatter, entries > 0);
    size_t end = formatter->at;
    for (size_t i = 0; i < entries; i++) {
        const Name *entry =
            i < libs ? &decl->external.libs.items[i] : &decl->external.allows.items[i - libs];
        formatter->at = format_find(formatter, entry->span.from) - 1;
        format_member(formatter, i == 0);
        format_token(formatter, TOKEN_NAME);
        format_space(formatter);
        format_token(formatter, i < libs ? TOKEN_TEXT : TOKEN_NAME);
        end = formatter->at > end ? formatter->at : end;
    }
    formatter->at = end;
    format_close_block(formatter);
}

void format_decl(Formatter *formatter, const Decl *decl) {
    if (decl->is_public) {
        format_token(formatter, TOKEN_PUBLIC);
        format_space(formatter);
    }
    switch (decl->kind) {
    case DECL_RECORD:
    case DECL_CHOICE:
        format_type_decl(formatter, decl);
        break;
    case DECL_FUNCTION:
        format_function(formatter, decl->function);
        break;
    case DECL_SETTING:
        format_token(formatter, TOKEN_NAME);
        format_space(formatter);
        format_field_block(formatter, &decl->fields);
        break;
    case DECL_DATABASE:
        format_words(formatter, 2);
        break;
    case DECL_INDEX:
        format_index(formatter, decl);
        break;
    case DECL_RELATION:
    case DECL_ROUTE:
    case DECL_COMMAND:
        format_bound(formatter, &decl->target);
        break;
    case DECL_SEED:
        format_seed(formatter, decl);
        break;
    case DECL_MIGRATE:
        format_migrate(formatter, decl);
        break;
    case DECL_SQL:
        format_sql(formatter, decl);
        break;
    case DECL_SCHEDULE:
        format_schedule(formatter, decl);
        break;
    case DECL_REST:
        format_rest(formatter, decl);
        break;
    case DECL_EXTERNAL:
        format_external(formatter, decl);
        break;
    }
}
