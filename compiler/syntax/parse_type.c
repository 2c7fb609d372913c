/* compiler/syntax/parse_type.c: types, bounds, fields, and the declaration of records and choices. */
#include "compiler/syntax/parser_internal.h"

/* ---- types -------------------------------------------------------------------------------- */

/* `<` opens arguments behind these names only; behind any other it begins a bound. */
static bool takes_arguments(const Path *path) {
    static const Str generic[] = {STR_INIT("List"),   STR_INIT("Map"),         STR_INIT("MapEntry"),
                                  STR_INIT("Stream"), STR_INIT("AsyncStream"), STR_INIT("Channel"),
                                  STR_INIT("Related")};
    Str first = path->parts[0].text;
    if (path->count == 2) {
        Str second = path->parts[1].text;
        return str_equal(first, STR("Related")) &&
               (str_equal(second, STR("Loaded")) || str_equal(second, STR("Unloaded")));
    }
    for (size_t i = 0; path->count == 1 && i < COUNT_OF(generic); i++) {
        if (str_equal(first, generic[i])) {
            return true;
        }
    }
    return false;
}

static bool type_argument(Parser *parser, void *into) {
    TypeNode *node = into;
    TypeNode *argument = parser_type(parser);
    if (argument == NULL) {
        return false;
    }
    vec_push(parser->arena, &node->arguments, argument);
    return true;
}

static bool type_parameter(Parser *parser, void *into) {
    TypeNode *node = into;
    if (parser_kind(parser) != TOKEN_NUMBER) {
        parser_expected(parser, "a number", NULL);
        return false;
    }
    Name number = {parser_token_text(parser), parser_span(parser)};
    vec_push(parser->arena, &node->parameters, number);
    parser_advance(parser);
    return true;
}

/* Storage parameters: `(` on this line with a number behind it, on this line or the next. */
static bool at_parameters(const Parser *parser) {
    return parser_kind(parser) == TOKEN_OPEN_PAREN &&
           parser->tokens[parser->at + 1].kind == TOKEN_NUMBER;
}

static bool type_inner(Parser *parser, TypeNode *node) {
    if (!parser_path(parser, "a type", NULL, &node->path)) {
        return false;
    }
    if (parser_kind(parser) == TOKEN_LESS && takes_arguments(&node->path)) {
        parser_advance(parser);
        parser_skip_lines(parser);
        if (parser_kind(parser) == TOKEN_GREATER) {
            parser_expected(parser, "a type", NULL);
            return false;
        }
        if (!parser_list(parser, TOKEN_GREATER, "a type", type_argument, node)) {
            return false;
        }
    } else if (parser_kind(parser) == TOKEN_LESS && parser_next_kind(parser) == TOKEN_NAME) {
        parser_error(parser, parser_span(parser),
                     "types of your own have no arguments; List, Map and their kin have",
                     "`" STR_FMT "` takes no type arguments", STR_ARG(span_text(node->path.span)));
        return false;
    }
    if (at_parameters(parser)) {
        parser_advance(parser);
        if (!parser_list(parser, TOKEN_CLOSE_PAREN, "a number", type_parameter, node)) {
            return false;
        }
    }
    node->nullable = parser_accept(parser, TOKEN_QUESTION);
    if (parser_kind(parser) == TOKEN_QUESTION) {
        parser_error(parser, parser_span(parser), "remove one `?`", "a type has at most one `?`");
        return false;
    }
    return true;
}

TypeNode *parser_type(Parser *parser) {
    size_t first = parser->at;
    TypeNode *node = arena_make(parser->arena, TypeNode);
    bool good = parser_enter(parser) && type_inner(parser, node);
    parser_leave(parser);
    node->span = parser_span_from(parser, first);
    return good ? node : NULL;
}

/* ---- bounds ------------------------------------------------------------------------------- */

static bool bound_op(TokenKind kind, BoundOp *op) {
    switch (kind) {
    case TOKEN_LESS:
        *op = BOUND_LESS;
        return true;
    case TOKEN_LESS_EQUAL:
        *op = BOUND_LESS_EQUAL;
        return true;
    case TOKEN_GREATER:
        *op = BOUND_GREATER;
        return true;
    case TOKEN_GREATER_EQUAL:
        *op = BOUND_GREATER_EQUAL;
        return true;
    default:
        return false;
    }
}

static bool bound(Parser *parser, BoundList *out) {
    size_t first = parser->at;
    Bound bound = {0};
    if (!bound_op(parser_kind(parser), &bound.op)) {
        parser_expected(parser, "`<`, `<=`, `>` or `>=`",
                        "a bound is written as in `Int >= 1 and <= 9`");
        return false;
    }
    parser_advance(parser);
    bound.negative = parser_accept(parser, TOKEN_MINUS);
    if (parser_kind(parser) != TOKEN_NUMBER) {
        parser_expected(parser, "a number", "a bound is a literal number, as in `Int >= 1`");
        return false;
    }
    bound.number = parser_token_text(parser);
    parser_advance(parser);
    bound.span = parser_span_from(parser, first);
    vec_push(parser->arena, out, bound);
    return true;
}

bool parser_bounds(Parser *parser, BoundList *out) {
    BoundOp op;
    if (!bound_op(parser_kind(parser), &op)) {
        return true;
    }
    if (!bound(parser, out)) {
        return false;
    }
    if (!parser_accept(parser, TOKEN_AND)) {
        return true;
    }
    if (!bound(parser, out)) {
        return false;
    }
    if (parser_kind(parser) == TOKEN_AND) {
        parser_error(parser, parser_span(parser), "keep one lower and one upper bound",
                     "a range has at most two bounds");
        return false;
    }
    return true;
}

/* ---- fields ------------------------------------------------------------------------------- */

typedef enum ModifierForm { FORM_WORD, FORM_VALUE, FORM_NAME, FORM_ASSIGN } ModifierForm;

static const struct {
    Str word;
    ModifierKind kind;
    ModifierForm form;
} modifier_words[] = {
    {STR_INIT("generated"), MODIFIER_GENERATED, FORM_WORD},
    {STR_INIT("default"), MODIFIER_DEFAULT, FORM_VALUE},
    {STR_INIT("index"), MODIFIER_INDEX, FORM_WORD},
    {STR_INIT("unique"), MODIFIER_UNIQUE, FORM_WORD},
    {STR_INIT("from"), MODIFIER_FROM, FORM_NAME},
    {STR_INIT("create"), MODIFIER_CREATE, FORM_ASSIGN},
    {STR_INIT("replace"), MODIFIER_REPLACE, FORM_ASSIGN},
    {STR_INIT("search"), MODIFIER_SEARCH, FORM_ASSIGN},
};

static bool modifier(Parser *parser, FieldNode *field, size_t word) {
    size_t first = parser->at;
    Modifier modifier = {.kind = modifier_words[word].kind};
    for (size_t i = 0; i < field->modifiers.count; i++) {
        if (field->modifiers.items[i].kind == modifier.kind) {
            parser_error(parser, parser_span(parser), "write it once",
                         "`" STR_FMT "` stands twice on this field",
                         STR_ARG(modifier_words[word].word));
            return false;
        }
    }
    parser_advance(parser);
    switch (modifier_words[word].form) {
    case FORM_WORD:
        break;
    case FORM_NAME:
        if (!parser_expect_name(parser, "the old name of the field", NULL, &modifier.name)) {
            return false;
        }
        break;
    case FORM_ASSIGN:
        if (!parser_expect(parser, TOKEN_ASSIGN, NULL)) {
            return false;
        }
        modifier.value = parser_expr(parser);
        break;
    case FORM_VALUE:
        modifier.value = parser_expr(parser);
        break;
    }
    bool wants_value =
        modifier_words[word].form == FORM_VALUE || modifier_words[word].form == FORM_ASSIGN;
    if (wants_value && modifier.value == NULL) {
        return false;
    }
    modifier.span = parser_span_from(parser, first);
    vec_push(parser->arena, &field->modifiers, modifier);
    return true;
}

static bool modifiers(Parser *parser, FieldNode *field) {
    while (parser_kind(parser) == TOKEN_NAME) {
        size_t word = 0;
        while (word < COUNT_OF(modifier_words) &&
               !parser_at_word(parser, modifier_words[word].word)) {
            word++;
        }
        if (word == COUNT_OF(modifier_words)) {
            break;
        }
        if (!modifier(parser, field, word)) {
            return false;
        }
    }
    return true;
}

/* `private` and `owner` are marks only when another name follows. */
static bool accept_mark(Parser *parser, Str word) {
    if (!parser_at_word(parser, word) || parser_next_kind(parser) != TOKEN_NAME) {
        return false;
    }
    parser_advance(parser);
    return true;
}

static bool field_inner(Parser *parser, FieldNode *field) {
    if (!parser_expect_name(parser, "a name", NULL, &field->name)) {
        return false;
    }
    if (!parser_expect(parser, TOKEN_COLON, "a field is written `name: Type`")) {
        return false;
    }
    field->type = parser_type(parser);
    return field->type != NULL && parser_bounds(parser, &field->bounds) && modifiers(parser, field);
}

FieldNode *parser_field(Parser *parser) {
    size_t first = parser->at;
    FieldNode *field = arena_make(parser->arena, FieldNode);
    if (!field_inner(parser, field)) {
        return NULL;
    }
    field->span = parser_span_from(parser, first);
    return field;
}

static bool field_of_list(Parser *parser, void *into) {
    FieldList *fields = into;
    FieldNode *field = parser_field(parser);
    if (field == NULL) {
        return false;
    }
    vec_push(parser->arena, fields, field);
    return true;
}

bool parser_fields(Parser *parser, FieldList *out) {
    return parser_expect(parser, TOKEN_OPEN_PAREN, NULL) &&
           parser_list(parser, TOKEN_CLOSE_PAREN, "another field", field_of_list, out);
}

/* ---- records and choices ------------------------------------------------------------------ */

static bool record_member(Parser *parser, void *into) {
    FieldList *fields = into;
    size_t first = parser->at;
    FieldNode *field = arena_make(parser->arena, FieldNode);
    field->is_private = accept_mark(parser, STR("private"));
    field->is_owner = accept_mark(parser, STR("owner"));
    if (!field_inner(parser, field)) {
        return false;
    }
    if (field->is_owner) {
        if (!parser_expect(parser, TOKEN_ASSIGN,
                           "an owner field says whose it is: `owner name: Type = value`")) {
            return false;
        }
        field->owner_value = parser_expr(parser);
        if (field->owner_value == NULL) {
            return false;
        }
    }
    field->span = parser_span_from(parser, first);
    vec_push(parser->arena, fields, field);
    if (parser_kind(parser) == TOKEN_ASSIGN) {
        parser_expected(parser, "the end of the line",
                        "fields have no values here; a stored one may have `default value`");
        return false;
    }
    return true;
}

typedef VEC(VariantNode *) VariantList;

static bool choice_member(Parser *parser, void *into) {
    VariantList *variants = into;
    size_t first = parser->at;
    VariantNode *variant = arena_make(parser->arena, VariantNode);
    if (parser_next_kind(parser) == TOKEN_NAME &&
        (parser_at_word(parser, STR("private")) || parser_at_word(parser, STR("owner")))) {
        parser_error(parser, parser_span(parser), "remove the word",
                     "a variant of a choice cannot be `" STR_FMT "`",
                     STR_ARG(parser_token_text(parser)));
        return false;
    }
    variant->is_error = accept_mark(parser, STR("error"));
    if (!parser_expect_name(parser, "a variant", NULL, &variant->name)) {
        return false;
    }
    if (parser_kind(parser) == TOKEN_OPEN_PAREN) {
        variant->has_parentheses = true;
        if (!parser_fields(parser, &variant->fields)) {
            return false;
        }
    }
    if (parser_accept(parser, TOKEN_ASSIGN)) {
        Span span;
        variant->has_label = true;
        if (!parser_expect_text(parser, "a label in quotes", NULL, &variant->label, &span)) {
            return false;
        }
    }
    variant->span = parser_span_from(parser, first);
    vec_push(parser->arena, variants, variant);
    if (parser_kind(parser) == TOKEN_COLON) {
        parser_expected(parser, "the end of the line",
                        "a type is a record of `name: Type` or a choice of variants, not both");
        return false;
    }
    return true;
}

/* The first member decides: a record's has a `:` behind its name. Two names beside each other, the
 * first in small letters, are a field whose `:` was forgotten. Looks from the `{` on. */
static bool begins_record(const Parser *parser) {
    const Token *token = &parser->tokens[parser->at + 1];
    while (token->kind == TOKEN_NAME && token[1].kind == TOKEN_NAME && !token[1].line_start) {
        Str word = str_slice(parser->file->text, token->from, token->to);
        bool marked = str_equal(word, STR("error")) || str_equal(word, STR("private")) ||
                      str_equal(word, STR("owner"));
        if (!marked) {
            return word.ptr[0] >= 'a' && word.ptr[0] <= 'z';
        }
        token++;
    }
    bool is_empty = token->kind == TOKEN_CLOSE_BRACE;
    return is_empty || (token->kind == TOKEN_NAME && token[1].kind == TOKEN_COLON);
}

Decl *parser_type_decl(Parser *parser) {
    Decl *decl = parser_decl_new(parser, DECL_RECORD);
    if (parser_at_word(parser, STR("global"))) {
        decl->is_global = true;
        parser_advance(parser);
    }
    parser_advance(parser);
    if (!parser_expect_name(parser, "the name of the type", NULL, &decl->name)) {
        return NULL;
    }
    if (parser_kind(parser) != TOKEN_OPEN_BRACE) {
        parser_expect(parser, TOKEN_OPEN_BRACE,
                      "`{` stands on the line of the name: `type Name {`");
        return NULL;
    }
    /* Members that failed are left out; the type itself stays known. */
    if (begins_record(parser)) {
        parser_block(parser, record_member, &decl->fields);
    } else {
        decl->kind = DECL_CHOICE;
        parser_block(parser, choice_member, &decl->variants);
    }
    return decl;
}
