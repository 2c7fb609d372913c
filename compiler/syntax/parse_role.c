/* compiler/syntax/parse_role.c: declarations that belong to one role: models, jobs, api lines,
 * adapters. A table says which word begins what, in which files, and what must follow the word;
 * elsewhere the word is an ordinary name. */
#include "compiler/syntax/parser_internal.h"

/* ---- models ------------------------------------------------------------------------------- */

static Decl *parse_database(Parser *parser) {
    Decl *decl = parser_decl_new(parser, DECL_DATABASE);
    parser_advance(parser);
    return parser_expect_name(parser, "the name of a connection", NULL, &decl->name) ? decl : NULL;
}

static bool index_field(Parser *parser, void *into) {
    Decl *decl = into;
    Name name;
    if (!parser_expect_name(parser, "the name of a field", NULL, &name)) {
        return false;
    }
    vec_push(parser->arena, &decl->index.fields, name);
    return true;
}

static Decl *parse_index(Parser *parser) {
    Decl *decl = parser_decl_new(parser, DECL_INDEX);
    decl->index.is_unique = parser_at_word(parser, STR("unique"));
    parser_advance(parser);
    parser_advance(parser);
    parser_skip_lines(parser);
    if (parser_kind(parser) == TOKEN_CLOSE_PAREN) {
        parser_expected(parser, "the name of a field", "an index has at least one field");
        return NULL;
    }
    return parser_list(parser, TOKEN_CLOSE_PAREN, "another field", index_field, decl) ? decl : NULL;
}

static Decl *parse_relation(Parser *parser) {
    static const char help[] = "a relation is written `relation many = other.model.field_id`";
    Decl *decl = parser_decl_new(parser, DECL_RELATION);
    parser_advance(parser);
    bool good = parser_expect_name(parser, "the name of the relation", help, &decl->name) &&
                parser_expect(parser, TOKEN_ASSIGN, help) &&
                parser_path(parser, "the field that refers here", help, &decl->target);
    return good ? decl : NULL;
}

static bool seed_row(Parser *parser, void *into) {
    Decl *decl = into;
    if (parser_kind(parser) != TOKEN_OPEN_BRACE) {
        parser_expected(parser, "a row", "a row is written `{ field = value }`, one value a line");
        return false;
    }
    Expr *row = parser_named_block(parser);
    if (row == NULL) {
        return false;
    }
    vec_push(parser->arena, &decl->seed_rows, row);
    return true;
}

static Decl *parse_seed(Parser *parser) {
    Decl *decl = parser_decl_new(parser, DECL_SEED);
    parser_advance(parser);
    parser_block(parser, seed_row, decl);
    return decl;
}

/* The two dialects and, in a migration, the parameters; each once. */
typedef struct SqlEntries {
    SqlTexts texts;
    bool has_sqlite, has_postgres, has_parameters;
    bool wants_parameters;
    ExprList parameters;
} SqlEntries;

static bool sql_once(Parser *parser, bool *seen) {
    if (*seen) {
        parser_error(parser, parser_span(parser), "write it once", "`" STR_FMT "` stands twice",
                     STR_ARG(parser_token_text(parser)));
        return false;
    }
    *seen = true;
    parser_advance(parser);
    return parser_expect(parser, TOKEN_ASSIGN, NULL);
}

static bool sql_entry(Parser *parser, void *into) {
    SqlEntries *entries = into;
    SqlTexts *texts = &entries->texts;
    if (parser_at_word(parser, STR("sqlite"))) {
        return sql_once(parser, &entries->has_sqlite) &&
               parser_expect_text(parser, "the statement in quotes", NULL, &texts->sqlite,
                                  &texts->sqlite_span);
    }
    if (parser_at_word(parser, STR("postgres"))) {
        return sql_once(parser, &entries->has_postgres) &&
               parser_expect_text(parser, "the statement in quotes", NULL, &texts->postgres,
                                  &texts->postgres_span);
    }
    if (entries->wants_parameters && parser_at_word(parser, STR("parameters"))) {
        return sql_once(parser, &entries->has_parameters) &&
               parser_expect(parser, TOKEN_OPEN_BRACKET, NULL) &&
               parser_exprs(parser, TOKEN_CLOSE_BRACKET, &entries->parameters);
    }
    parser_expected(parser,
                    entries->wants_parameters ? "`parameters`, `sqlite` or `postgres`"
                                              : "`sqlite` or `postgres`",
                    NULL);
    return false;
}

static bool sql_entries(Parser *parser, SqlEntries *entries) {
    if (!parser_block(parser, sql_entry, entries)) {
        return false;
    }
    const char *missing = !entries->has_sqlite                                    ? "sqlite"
                          : !entries->has_postgres                                ? "postgres"
                          : entries->wants_parameters && !entries->has_parameters ? "parameters"
                                                                                  : NULL;
    if (missing == NULL) {
        return true;
    }
    const Token *brace = &parser->tokens[parser->at - 1];
    parser_error(parser, (Span){parser->file, brace->from, brace->to},
                 entries->wants_parameters
                     ? "write `parameters`, `sqlite` and `postgres`, each once"
                     : "write `sqlite` and `postgres`, each once",
                 "`%s` is missing in this block", missing);
    return false;
}

static bool migrate_step(Parser *parser, void *into) {
    Decl *decl = into;
    size_t first = parser->at;
    MigrateStep step = {.kind = MIGRATE_DROP};
    if (parser_at_word(parser, STR("drop"))) {
        parser_advance(parser);
        if (!parser_expect_name(parser, "the name of a field", NULL, &step.name)) {
            return false;
        }
    } else if (parser_at_word(parser, STR("before")) || parser_at_word(parser, STR("after"))) {
        step.kind = parser_at_word(parser, STR("before")) ? MIGRATE_BEFORE : MIGRATE_AFTER;
        parser_advance(parser);
        SqlEntries entries = {.wants_parameters = true};
        if (!sql_entries(parser, &entries)) {
            return false;
        }
        step.sql = entries.texts;
        step.parameters = entries.parameters;
    } else {
        parser_expected(parser, "`drop`, `before` or `after`", NULL);
        return false;
    }
    step.span = parser_span_from(parser, first);
    vec_push(parser->arena, &decl->steps, step);
    return true;
}

static Decl *parse_migrate(Parser *parser) {
    Decl *decl = parser_decl_new(parser, DECL_MIGRATE);
    parser_advance(parser);
    if (!parser_expect_name(parser, "the name of the migration", NULL, &decl->name)) {
        return NULL;
    }
    parser_block(parser, migrate_step, decl);
    return decl;
}

static Decl *parse_sql(Parser *parser) {
    Decl *decl = parser_decl_new(parser, DECL_SQL);
    parser_advance(parser);
    if (!parser_expect_name(parser, "the name of the operation", NULL, &decl->name) ||
        !parser_fields(parser, &decl->sql.inputs) || !parser_fields(parser, &decl->sql.outputs)) {
        return NULL;
    }
    SqlEntries entries = {0};
    if (!sql_entries(parser, &entries)) {
        return NULL;
    }
    decl->sql.sql = entries.texts;
    return decl;
}

/* ---- jobs --------------------------------------------------------------------------------- */

static bool missed_policy(Parser *parser, Decl *decl) {
    static const struct {
        Str word;
        MissedPolicy policy;
    } policies[] = {
        {STR_INIT("all"), MISSED_ALL},
        {STR_INIT("latest"), MISSED_LATEST},
        {STR_INIT("none"), MISSED_NONE},
    };
    size_t first = parser->at;
    parser_advance(parser);
    if (!parser_expect(parser, TOKEN_OPEN_PAREN, NULL)) {
        return false;
    }
    for (size_t i = 0; i < COUNT_OF(policies); i++) {
        if (parser_at_word(parser, policies[i].word)) {
            decl->schedule.missed = policies[i].policy;
        }
    }
    if (decl->schedule.missed == MISSED_ABSENT) {
        parser_expected(parser, "`all`, `latest` or `none`", NULL);
        return false;
    }
    parser_advance(parser);
    if (!parser_expect(parser, TOKEN_CLOSE_PAREN, NULL)) {
        return false;
    }
    decl->schedule.missed_span = parser_span_from(parser, first);
    return true;
}

static Decl *parse_schedule(Parser *parser) {
    static const char help[] = "a schedule is written `schedule job_name = \"0 3 * * *\"`";
    Decl *decl = parser_decl_new(parser, DECL_SCHEDULE);
    parser_advance(parser);
    bool good = parser_expect_name(parser, "the name of a job", help, &decl->name) &&
                parser_expect(parser, TOKEN_ASSIGN, help) &&
                parser_expect_text(parser, "the times in quotes", help, &decl->schedule.cron,
                                   &decl->schedule.cron_span);
    if (good && parser_at_word(parser, STR("missed"))) {
        good = missed_policy(parser, decl);
    }
    return good ? decl : NULL;
}

/* ---- api ---------------------------------------------------------------------------------- */

static bool line_end(Parser *parser) {
    TokenKind kind = parser_kind(parser);
    if (kind == TOKEN_NEWLINE || kind == TOKEN_END) {
        return true;
    }
    parser_expected(parser, "the end of the line", NULL);
    return false;
}

static Decl *parse_bound(Parser *parser, Decl *decl) {
    static const char help[] = "an entry is written `cmd name = app.function`";
    parser_advance(parser);
    bool good = parser_expect_name(parser, "the name of the entry", help, &decl->name) &&
                parser_expect(parser, TOKEN_ASSIGN, help) &&
                parser_path(parser, "a function of the app", help, &decl->target) &&
                line_end(parser);
    return good ? decl : NULL;
}

static Decl *parse_command(Parser *parser) {
    return parse_bound(parser, parser_decl_new(parser, DECL_COMMAND));
}

static bool route_method(const Parser *parser, RouteMethod *method) {
    static const Str words[] = {
        [ROUTE_GET] = STR_INIT("get"),
        [ROUTE_POST] = STR_INIT("post"),
        [ROUTE_PUT] = STR_INIT("put"),
        [ROUTE_DELETE] = STR_INIT("delete"),
    };
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (parser_at_word(parser, words[i])) {
            *method = (RouteMethod)i;
            return true;
        }
    }
    return false;
}

static Decl *parse_route(Parser *parser) {
    Decl *decl = parser_decl_new(parser, DECL_ROUTE);
    route_method(parser, &decl->method);
    return parse_bound(parser, decl);
}

static Decl *parse_public(Parser *parser) {
    RouteMethod method;
    size_t public_at = parser->at;
    parser_advance(parser);
    if (parser->file->role == ROLE_API && route_method(parser, &method)) {
        Decl *decl = parse_route(parser);
        if (decl != NULL) {
            decl->is_public = true;
        }
        return decl;
    }
    const Token *token = &parser->tokens[public_at];
    parser_error(parser, (Span){parser->file, token->from, token->to},
                 "remove it; what an app declares is public, all else belongs to its domain",
                 "`public` stands only before `get`, `post`, `put` and `delete` of api files");
    return NULL;
}

static Decl *parse_rest(Parser *parser) {
    Decl *decl = parser_decl_new(parser, DECL_REST);
    parser_advance(parser);
    if (parser_kind(parser) == TOKEN_NAME && !parser_path(parser, "a model", NULL, &decl->target)) {
        return NULL;
    }
    return line_end(parser) ? decl : NULL;
}

/* ---- adapters and settings ---------------------------------------------------------------- */

static bool external_entry(Parser *parser, void *into) {
    Decl *decl = into;
    if (parser_at_word(parser, STR("lib"))) {
        Name lib;
        parser_advance(parser);
        if (!parser_expect_text(parser, "a library in quotes", NULL, &lib.text, &lib.span)) {
            return false;
        }
        vec_push(parser->arena, &decl->external.libs, lib);
        return true;
    }
    if (parser_at_word(parser, STR("allow"))) {
        Name allow;
        parser_advance(parser);
        if (!parser_expect_name(parser, "a capability", NULL, &allow)) {
            return false;
        }
        vec_push(parser->arena, &decl->external.allows, allow);
        return true;
    }
    parser_expected(parser, "`lib` or `allow`", NULL);
    return false;
}

static Decl *parse_external(Parser *parser) {
    static const Str ecosystems[] = {STR_INIT("exec"), STR_INIT("command"), STR_INIT("pip"),
                                     STR_INIT("npm"), STR_INIT("go")};
    Decl *decl = parser_decl_new(parser, DECL_EXTERNAL);
    parser_advance(parser);
    bool known = false;
    for (size_t i = 0; i < COUNT_OF(ecosystems); i++) {
        known = known || parser_at_word(parser, ecosystems[i]);
    }
    if (!known) {
        parser_expected(parser, "`command`, `exec`, `pip`, `npm` or `go`", NULL);
        return NULL;
    }
    parser_expect_name(parser, "a kind", NULL, &decl->external.ecosystem);
    if (!parser_expect_text(parser, "the program in quotes", NULL, &decl->external.entry,
                            &decl->external.entry_span)) {
        return NULL;
    }
    parser_block(parser, external_entry, decl);
    return decl;
}

static bool setting_member(Parser *parser, void *into) {
    Decl *decl = into;
    FieldNode *field = parser_field(parser);
    if (field == NULL) {
        return false;
    }
    vec_push(parser->arena, &decl->fields, field);
    return true;
}

static Decl *parse_setting(Parser *parser) {
    Decl *decl = parser_decl_new(parser, DECL_SETTING);
    parser_advance(parser);
    parser_block(parser, setting_member, decl);
    return decl;
}

/* ---- the table ---------------------------------------------------------------------------- */

#define IN(role) (1u << (role))
#define EVERYWHERE (~0u)

enum { AFTER_NOTHING = TOKEN_COUNT }; /* whatever follows, but for the `(` of a function */

static const struct {
    Str word;
    unsigned roles;
    int next; /* the kind of the token behind the word */
    Decl *(*parse)(Parser *parser);
    const char *elsewhere; /* help where the word does not mean this */
} role_words[] = {
    {STR_INIT("database"), IN(ROLE_MODEL) | IN(ROLE_JOB), TOKEN_NAME, parse_database,
     "`database name` belongs to model and job files"},
    {STR_INIT("index"), IN(ROLE_MODEL), TOKEN_OPEN_PAREN, parse_index, NULL},
    {STR_INIT("unique"), IN(ROLE_MODEL), TOKEN_OPEN_PAREN, parse_index, NULL},
    {STR_INIT("relation"), IN(ROLE_MODEL), TOKEN_NAME, parse_relation,
     "`relation name = path` belongs to model files"},
    {STR_INIT("seed"), IN(ROLE_MODEL), TOKEN_OPEN_BRACE, parse_seed,
     "`seed { … }` belongs to model files"},
    {STR_INIT("migrate"), IN(ROLE_MODEL), TOKEN_NAME, parse_migrate,
     "`migrate name { … }` belongs to model files"},
    {STR_INIT("sql"), IN(ROLE_MODEL), TOKEN_NAME, parse_sql,
     "`sql name(…) (…) { … }` belongs to model files"},
    {STR_INIT("schedule"), IN(ROLE_JOB), TOKEN_NAME, parse_schedule,
     "`schedule name = \"…\"` belongs to job files"},
    {STR_INIT("get"), IN(ROLE_API), TOKEN_NAME, parse_route, "routes belong to api files"},
    {STR_INIT("post"), IN(ROLE_API), TOKEN_NAME, parse_route, "routes belong to api files"},
    {STR_INIT("put"), IN(ROLE_API), TOKEN_NAME, parse_route, "routes belong to api files"},
    {STR_INIT("delete"), IN(ROLE_API), TOKEN_NAME, parse_route, "routes belong to api files"},
    {STR_INIT("cmd"), IN(ROLE_API), TOKEN_NAME, parse_command, "commands belong to api files"},
    {STR_INIT("rest"), IN(ROLE_API), AFTER_NOTHING, parse_rest, "`rest` belongs to api files"},
    {STR_INIT("external"), IN(ROLE_ADAPTER), TOKEN_NAME, parse_external,
     "`external command \"…\" { … }` belongs to adapter files"},
    {STR_INIT("setting"), EVERYWHERE, TOKEN_OPEN_BRACE, parse_setting, NULL},
};

bool parser_role_decl(Parser *parser, Decl **out) {
    if (parser_kind(parser) == TOKEN_PUBLIC) {
        *out = parse_public(parser);
        return true;
    }
    TokenKind next = parser_next_kind(parser);
    for (size_t i = 0; i < COUNT_OF(role_words); i++) {
        if (!parser_at_word(parser, role_words[i].word) ||
            (role_words[i].roles & IN(parser->file->role)) == 0) {
            continue;
        }
        bool fits = role_words[i].next == AFTER_NOTHING ? next != TOKEN_OPEN_PAREN
                                                        : (int)next == role_words[i].next;
        if (fits) {
            *out = role_words[i].parse(parser);
            return true;
        }
    }
    return false;
}

const char *parser_role_help(const Parser *parser) {
    if (parser_next_kind(parser) == TOKEN_OPEN_PAREN) {
        return NULL;
    }
    for (size_t i = 0; i < COUNT_OF(role_words); i++) {
        if (parser_at_word(parser, role_words[i].word) &&
            (role_words[i].roles & IN(parser->file->role)) == 0) {
            return role_words[i].elsewhere;
        }
    }
    return NULL;
}
