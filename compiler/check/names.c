/* compiler/check/names.c: what a name means in a file, and who may use what.
 *
 * A name is tried in five ways (own package, own domain by `app.` or by a role, in full, within the own
 * component); the first that exists is meant, and only then is asked whether the file may use it. The
 * answers to that stand in two tables, one for calls and one for types. */
#include "compiler/check/check_internal.h"

/* ---- who may use what ---- */

typedef enum Reach { NEVER, OWN_FILE, OWN_DOMAIN, ANYWHERE } Reach;

/* calls[caller][callee] */
static const uint8_t calls[ROLE_COUNT][ROLE_COUNT] = {
    [ROLE_APP] = {[ROLE_APP] = ANYWHERE,
                  [ROLE_DOMAIN] = OWN_DOMAIN,
                  [ROLE_PORT] = OWN_DOMAIN,
                  [ROLE_LIBRARY] = ANYWHERE},
    [ROLE_DOMAIN] = {[ROLE_DOMAIN] = OWN_DOMAIN, [ROLE_LIBRARY] = ANYWHERE},
    [ROLE_ADAPTER] = {[ROLE_ADAPTER] = OWN_FILE, [ROLE_LIBRARY] = ANYWHERE},
    [ROLE_API] = {[ROLE_APP] = OWN_DOMAIN},
    [ROLE_JOB] = {[ROLE_APP] = OWN_DOMAIN},
    [ROLE_TEST] = {[ROLE_APP] = ANYWHERE,
                   [ROLE_DOMAIN] = OWN_DOMAIN,
                   [ROLE_TEST] = OWN_FILE,
                   [ROLE_LIBRARY] = ANYWHERE},
    [ROLE_MAIN] = {[ROLE_APP] = ANYWHERE, [ROLE_LIBRARY] = ANYWHERE},
};

/* types[user][owner] */
static const uint8_t types[ROLE_COUNT][ROLE_COUNT] = {
    [ROLE_APP] = {[ROLE_APP] = ANYWHERE,
                  [ROLE_MODEL] = ANYWHERE,
                  [ROLE_DOMAIN] = OWN_DOMAIN,
                  [ROLE_PORT] = OWN_DOMAIN,
                  [ROLE_LIBRARY] = ANYWHERE},
    [ROLE_DOMAIN] = {[ROLE_APP] = ANYWHERE, [ROLE_DOMAIN] = OWN_DOMAIN, [ROLE_LIBRARY] = ANYWHERE},
    [ROLE_MODEL] = {[ROLE_APP] = ANYWHERE, [ROLE_MODEL] = ANYWHERE, [ROLE_LIBRARY] = ANYWHERE},
    [ROLE_PORT] = {[ROLE_APP] = OWN_DOMAIN, [ROLE_PORT] = OWN_FILE, [ROLE_LIBRARY] = ANYWHERE},
    [ROLE_ADAPTER] = {[ROLE_APP] = OWN_DOMAIN,
                      [ROLE_PORT] = OWN_DOMAIN,
                      [ROLE_ADAPTER] = OWN_FILE,
                      [ROLE_LIBRARY] = ANYWHERE},
    [ROLE_API] = {[ROLE_APP] = ANYWHERE, [ROLE_MODEL] = ANYWHERE, [ROLE_LIBRARY] = ANYWHERE},
    [ROLE_JOB] = {[ROLE_APP] = ANYWHERE, [ROLE_MODEL] = ANYWHERE, [ROLE_LIBRARY] = ANYWHERE},
    [ROLE_TEST] = {[ROLE_APP] = ANYWHERE,
                   [ROLE_MODEL] = ANYWHERE,
                   [ROLE_DOMAIN] = OWN_DOMAIN,
                   [ROLE_TEST] = OWN_FILE,
                   [ROLE_LIBRARY] = ANYWHERE},
    [ROLE_MAIN] = {[ROLE_APP] = ANYWHERE, [ROLE_MODEL] = ANYWHERE, [ROLE_LIBRARY] = ANYWHERE},
    [ROLE_LIBRARY] = {[ROLE_LIBRARY] = ANYWHERE},
};

bool same_domain(const SourceFile *a, const SourceFile *b) {
    return str_equal(a->component, b->component) && str_equal(a->domain, b->domain);
}

static bool reaches(Reach reach, const SourceFile *user, const SourceFile *owner) {
    switch (reach) {
    case NEVER:
        return false;
    case OWN_FILE:
        return user == owner;
    case OWN_DOMAIN:
        return same_domain(user, owner);
    case ANYWHERE:
        return true;
    }
    return false;
}

static const char *role_title(Role role) {
    switch (role) {
    case ROLE_APP:
        return "App";
    case ROLE_DOMAIN:
        return "Domain";
    case ROLE_MODEL:
        return "Model";
    case ROLE_PORT:
        return "Port";
    case ROLE_ADAPTER:
        return "Adapter";
    case ROLE_API:
        return "Api";
    case ROLE_JOB:
        return "Job";
    case ROLE_TEST:
        return "Test";
    case ROLE_MAIN:
        return "main.dever";
    default:
        return "standard package";
    }
}

/* "a Domain file may not call App functions" and, where reach is the reason, "of another domain". */
bool check_call_visible(Checker *c, const SourceFile *file, const Function *function, Span span) {
    Reach reach = (Reach)calls[file->role][function->role];
    if (reaches(reach, file, function->file)) {
        return true;
    }
    Diagnostic *message = diagnostic_add(
        c->diagnostics, CODE_C006, span, "%s may not call `" STR_FMT "`, a function of %s%s",
        role_title(file->role), STR_ARG(function->qualified), role_title(function->role),
        reach == NEVER      ? ""
        : reach == OWN_FILE ? " in another file"
                            : " in another domain");
    if (function->role == ROLE_DOMAIN && reach == OWN_DOMAIN) {
        diagnostic_help(
            c->diagnostics, message,
            "Domain functions are private to their domain: offer it as an App function there");
    } else if (file->role == ROLE_JOB) {
        diagnostic_help(
            c->diagnostics, message,
            "a job's body only calls App functions of its own domain: move the work there");
    } else if (file->role == ROLE_DOMAIN) {
        diagnostic_help(c->diagnostics, message,
                        "call it from App and pass the result to this function");
    }
    if (function->role != ROLE_LIBRARY) {
        diagnostic_note(c->diagnostics, message, function->span, "declared here");
    }
    return false;
}

bool check_type_visible(Checker *c, const SourceFile *file, const TypeDecl *decl, Span span) {
    Reach reach = (Reach)types[file->role][decl->file->role];
    if (file == decl->file || reaches(reach, file, decl->file)) {
        return true;
    }
    Diagnostic *message = diagnostic_add(
        c->diagnostics, CODE_C006, span, "%s may not use `" STR_FMT "`, a type of %s%s",
        role_title(file->role), STR_ARG(decl->type->name), role_title(decl->file->role),
        reach == NEVER      ? ""
        : reach == OWN_FILE ? " in another file"
                            : " in another domain");
    if (file->role == ROLE_DOMAIN && decl->file->role == ROLE_MODEL) {
        diagnostic_help(c->diagnostics, message,
                        "pass the fields that the rule needs, or a type of this Domain");
    }
    return false;
}

/* ---- keys ---- */

Str name_key(Checker *c, const SourceFile *file, Str name) {
    if (file->role == ROLE_APP) {
        return str_format(c->arena, STR_FMT "." STR_FMT "." STR_FMT, STR_ARG(file->component),
                          STR_ARG(file->domain), STR_ARG(name));
    }
    return str_format(c->arena, STR_FMT "." STR_FMT, STR_ARG(file->package), STR_ARG(name));
}

Str name_package(Checker *c, const SourceFile *file) {
    if (file->role == ROLE_APP) {
        return str_format(c->arena, STR_FMT "." STR_FMT ".app", STR_ARG(file->component),
                          STR_ARG(file->domain));
    }
    return file->package;
}

Str path_text(Checker *c, const Path *path) {
    Str text = path->count == 0 ? STR("") : path->parts[0].text;
    for (size_t i = 1; i < path->count; i++) {
        text =
            str_format(c->arena, STR_FMT "." STR_FMT, STR_ARG(text), STR_ARG(path->parts[i].text));
    }
    return text;
}

Path path_head(const Path *path, size_t count) {
    Path head = {path->parts, count, path->span};
    if (count > 0) {
        head.span = span_join(path->parts[0].span, path->parts[count - 1].span);
    }
    return head;
}

enum { CANDIDATES_MOST = 3 };

static bool is_role_word(Str word) {
    static const Role roles[] = {ROLE_DOMAIN,  ROLE_MODEL, ROLE_PORT,
                                 ROLE_ADAPTER, ROLE_API,   ROLE_JOB};
    for (size_t i = 0; i < COUNT_OF(roles); i++) {
        if (str_equal(word, role_name(roles[i]))) {
            return true;
        }
    }
    return false;
}

/* The keys that a path may mean, in the order of the rule. */
static size_t candidates(Checker *c, const SourceFile *file, const Path *path,
                         Str out[CANDIDATES_MOST]) {
    size_t count = 0;
    if (path->count == 1) {
        out[count++] = name_key(c, file, path->parts[0].text);
        return count;
    }
    Str text = path_text(c, path);
    bool in_domain = file->component.len > 0;
    if (in_domain && str_equal(path->parts[0].text, STR("app"))) {
        Str rest = str_slice(text, 4, text.len);
        out[count++] = str_format(c->arena, STR_FMT "." STR_FMT "." STR_FMT,
                                  STR_ARG(file->component), STR_ARG(file->domain), STR_ARG(rest));
    } else if (in_domain && is_role_word(path->parts[0].text)) {
        out[count++] = str_format(c->arena, STR_FMT "." STR_FMT "." STR_FMT,
                                  STR_ARG(file->component), STR_ARG(file->domain), STR_ARG(text));
    }
    out[count++] = text;
    if (in_domain) {
        out[count++] =
            str_format(c->arena, STR_FMT "." STR_FMT, STR_ARG(file->component), STR_ARG(text));
    }
    return count;
}

static void *find_in(Checker *c, const Map *map, const SourceFile *file, const Path *path) {
    Str keys[CANDIDATES_MOST];
    size_t count = candidates(c, file, path, keys);
    for (size_t i = 0; i < count; i++) {
        void *found = map_find(map, keys[i]);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

TypeDecl *find_type(Checker *c, const SourceFile *file, const Path *path) {
    return find_in(c, &c->type_decls, file, path);
}

Model *find_model(Checker *c, const SourceFile *file, const Path *path) {
    if (path->count == 0) {
        return NULL;
    }
    if (path->count == 1) { /* `model` alone */
        Str key = str_format(c->arena, STR_FMT "." STR_FMT "." STR_FMT, STR_ARG(file->component),
                             STR_ARG(file->domain), STR_ARG(path->parts[0].text));
        return is_role_word(path->parts[0].text) ? map_find(&c->models, key) : NULL;
    }
    return find_in(c, &c->models, file, path);
}

Job *find_job(Checker *c, const SourceFile *file, const Path *path) {
    return path->count < 2 ? NULL : find_in(c, &c->jobs, file, path);
}

const Variant *find_variant(Checker *c, const SourceFile *file, const Path *path,
                            Choice **out_choice) {
    *out_choice = NULL;
    if (path->count < 2) {
        return NULL;
    }
    Path head = path_head(path, path->count - 1);
    TypeDecl *decl = find_type(c, file, &head);
    if (decl == NULL || decl->type->kind != TYPE_CHOICE) {
        return NULL;
    }
    *out_choice = decl->type->choice;
    for (size_t i = 0; i < (*out_choice)->variants.count; i++) {
        const Variant *variant = (*out_choice)->variants.items[i];
        if (str_equal(variant->name, path->parts[path->count - 1].text)) {
            return variant;
        }
    }
    return NULL;
}

Function *find_function(Checker *c, const SourceFile *file, const Path *path, size_t arity,
                        Function **out_other) {
    Str keys[CANDIDATES_MOST];
    size_t count = candidates(c, file, path, keys);
    *out_other = NULL;
    for (size_t i = 0; i < count; i++) {
        Str with_arity = str_format(c->arena, STR_FMT "/%zu", STR_ARG(keys[i]), arity);
        Function *found = map_find(&c->functions, with_arity);
        if (found != NULL) {
            return found;
        }
        if (*out_other == NULL) {
            *out_other = map_find(&c->function_names, keys[i]);
        }
    }
    return NULL;
}

/* ---- types as written ---- */

void not_supported(Checker *c, Span span, const char *what) {
    diagnostic_add(c->diagnostics, CODE_C020, span, "%s not supported yet", what);
}

Str type_spelling(Checker *c, const SourceFile *file, Str name) {
    for (size_t i = 0; i < c->type_decls.entries.count; i++) {
        const TypeDecl *decl = c->type_decls.entries.items[i].value;
        Str key = c->type_decls.entries.items[i].key;
        size_t dot = 0;
        if (!same_domain(decl->file, file) || !str_find_last_char(key, '.', &dot) ||
            !str_equal(str_slice(key, dot + 1, key.len), name)) {
            continue;
        }
        if (decl->file->role == ROLE_APP) {
            return str_format(c->arena, "app." STR_FMT, STR_ARG(name));
        }
        return str_slice(key, file->component.len + file->domain.len + 2, key.len);
    }
    return STR("");
}

static void unknown_type(Checker *c, const SourceFile *file, const TypeNode *node) {
    Str text = path_text(c, &node->path);
    Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C004, node->path.span,
                                         "there is no type `" STR_FMT "`", STR_ARG(text));
    Str spelling = node->path.count == 1 ? type_spelling(c, file, text) : STR("");
    if (spelling.len > 0) {
        diagnostic_help(c->diagnostics, message, "write `" STR_FMT "`", STR_ARG(spelling));
        return;
    }
    static const char *const builtin[] = {"Bool", "Int",   "Decimal",  "Float", "Text",
                                          "Id",   "Bytes", "Secret",   "Uuid",  "DateTime",
                                          "Date", "Time",  "Duration", "Json",  "List"};
    Nearest nearest = nearest_begin(node->path.parts[node->path.count - 1].text);
    for (size_t i = 0; node->path.count == 1 && i < COUNT_OF(builtin); i++) {
        nearest_offer(&nearest, str_from(builtin[i]));
    }
    for (size_t i = 0; i < c->type_decls.entries.count; i++) {
        const TypeDecl *decl = c->type_decls.entries.items[i].value;
        if (decl->file == file || (same_domain(decl->file, file) && node->path.count > 1)) {
            Str key = c->type_decls.entries.items[i].key;
            size_t dot = 0;
            str_find_last_char(key, '.', &dot);
            nearest_offer(&nearest, str_slice(key, dot + 1, key.len));
        }
    }
    nearest_help(c, message, &nearest);
}

static Type *resolve_list(Checker *c, const SourceFile *file, const TypeNode *node) {
    if (node->arguments.count != 1) {
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_C005, node->span, "List takes one type, found %zu",
                           node->arguments.count);
        diagnostic_help(c->diagnostics, message, "write the type of the items: `List<Int>`");
        return c->error_type;
    }
    return type_list(c, resolve_type(c, file, node->arguments.items[0]));
}

/* Built-in types by one name; NULL: not one of them. */
static Type *resolve_builtin(Checker *c, const SourceFile *file, const TypeNode *node) {
    Str name = node->path.parts[0].text;
    if (node->path.count != 1) {
        return NULL;
    }
    if (str_equal(name, STR("List"))) {
        return resolve_list(c, file, node);
    }
    Type *scalar = type_builtin_named(c, name);
    if (scalar != NULL) {
        return scalar;
    }
    if (type_name_is_builtin(name) || str_equal(name, STR("Related"))) {
        Str what = str_format(c->arena, "the type `" STR_FMT "` is", STR_ARG(name));
        not_supported(c, node->span, what.ptr);
        return c->error_type;
    }
    return NULL;
}

Type *resolve_type(Checker *c, const SourceFile *file, const TypeNode *node) {
    Type *type = resolve_builtin(c, file, node);
    if (type == NULL) {
        TypeDecl *decl = find_type(c, file, &node->path);
        if (decl == NULL) {
            unknown_type(c, file, node);
            return c->error_type;
        }
        if (!check_type_visible(c, file, decl, node->path.span)) {
            return c->error_type;
        }
        type = decl->type;
    }
    return node->nullable ? type_nullable(c, type) : type;
}

/* ---- casing ---- */

/* Words that no name can be, so that no suggestion may be one. */
static bool is_keyword(Str word) {
    static const Str keywords[] = {STR_INIT("package"), STR_INIT("exposes"), STR_INIT("public"),
                                   STR_INIT("type"),    STR_INIT("true"),    STR_INIT("false"),
                                   STR_INIT("null"),    STR_INIT("other"),   STR_INIT("and"),
                                   STR_INIT("or"),      STR_INIT("not")};
    for (size_t i = 0; i < COUNT_OF(keywords); i++) {
        if (str_equal(word, keywords[i])) {
            return true;
        }
    }
    return false;
}

void check_snake_case(Checker *c, const Name *name, const char *what) {
    bool good = name->text.len > 0;
    bool part = false; /* a part of the name has begun */
    for (size_t i = 0; good && i < name->text.len; i++) {
        char ch = name->text.ptr[i];
        bool digit = ch >= '0' && ch <= '9';
        good = ch == '_' ? part : (ch >= 'a' && ch <= 'z') || (digit && i > 0);
        part = ch != '_';
    }
    if (!good || !part) {
        Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C010, name->span,
                                             "%s are written in lower_snake_case", what);
        Buf suggestion = {0};
        for (size_t i = 0; i < name->text.len; i++) {
            char ch = name->text.ptr[i];
            bool upper = ch >= 'A' && ch <= 'Z';
            char before = i == 0 ? '_' : name->text.ptr[i - 1];
            bool starts_word = upper && before != '_' && !(before >= 'A' && before <= 'Z');
            if (starts_word && suggestion.len > 0) {
                buf_add_char(&suggestion, '_');
            }
            if (ch != '_' || (suggestion.len > 0 && suggestion.data[suggestion.len - 1] != '_')) {
                buf_add_char(&suggestion, upper ? (char)(ch - 'A' + 'a') : ch);
            }
        }
        Str text = buf_str(&suggestion);
        while (text.len > 0 && text.ptr[text.len - 1] == '_') {
            text.len--;
        }
        if (text.len > 0 && !is_keyword(text)) {
            diagnostic_help(c->diagnostics, message, "write `" STR_FMT "`", STR_ARG(text));
        }
        buf_done(&suggestion);
    }
}

void check_camel_case(Checker *c, const Name *name, const char *what) {
    bool good = name->text.len > 0 && name->text.ptr[0] >= 'A' && name->text.ptr[0] <= 'Z' &&
                !str_find_char(name->text, '_', NULL);
    if (!good) {
        Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C010, name->span,
                                             "%s are written in UpperCamelCase", what);
        Buf suggestion = {0};
        bool up = true;
        for (size_t i = 0; i < name->text.len; i++) {
            char ch = name->text.ptr[i];
            if (ch != '_') {
                buf_add_char(&suggestion,
                             up && ch >= 'a' && ch <= 'z' ? (char)(ch - 'a' + 'A') : ch);
            }
            up = ch == '_';
        }
        Str text = buf_str(&suggestion);
        if (text.len > 0) {
            diagnostic_help(c->diagnostics, message, "write `" STR_FMT "`", STR_ARG(text));
        }
        buf_done(&suggestion);
    }
}

/* ---- did you mean ---- */

enum { NEAREST_NAME_MOST = 64 };

Nearest nearest_begin(Str wanted) {
    return (Nearest){.wanted = wanted, .distance = (wanted.len + 2) / 3};
}

/* Edits between two names: insert, delete, replace, or swap two neighbours (Damerau). */
static size_t edits(Str a, Str b) {
    size_t rows[3][NEAREST_NAME_MOST + 1];
    for (size_t j = 0; j <= b.len; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= a.len; i++) {
        size_t *row = rows[i % 3];
        const size_t *last = rows[(i + 2) % 3];
        const size_t *before = rows[(i + 1) % 3]; /* two rows up */
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t best = last[j - 1] + (a.ptr[i - 1] == b.ptr[j - 1] ? 0 : 1);
            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] && a.ptr[i - 2] == b.ptr[j - 1]) {
                best = before[j - 2] + 1 < best ? before[j - 2] + 1 : best;
            }
            row[j] = best;
        }
    }
    return rows[a.len % 3][b.len];
}

void nearest_offer(Nearest *nearest, Str candidate) {
    if (candidate.len > NEAREST_NAME_MOST || nearest->wanted.len > NEAREST_NAME_MOST) {
        return;
    }
    size_t distance = edits(nearest->wanted, candidate);
    if (distance == 0) {
        return; /* the same name in a place where it does not count */
    }
    if (distance < nearest->distance || (distance == nearest->distance && nearest->best.len == 0)) {
        nearest->distance = distance;
        nearest->best = candidate;
    }
}

void nearest_help(Checker *c, Diagnostic *diagnostic, const Nearest *nearest) {
    if (nearest->best.len > 0) {
        diagnostic_help(c->diagnostics, diagnostic, "did you mean `" STR_FMT "`?",
                        STR_ARG(nearest->best));
    }
}
