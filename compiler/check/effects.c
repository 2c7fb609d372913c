/* compiler/check/effects.c: what needs the whole program: recursion, effects, failures, transactions.
 *
 * Bodies have recorded what each function reaches by itself. One walk over the calls, callee before
 * caller, joins that up; a call that leads back to an open function is recursion. */
#include "compiler/check/check_internal.h"

enum { NEW, OPEN, DONE };

static FunctionInfo *info_of(const Function *function) {
    return (FunctionInfo *)(uintptr_t)function;
}

/* ---- the walk ---- */

typedef struct Walk {
    Checker *c;
    VEC(CallEdge) path; /* of open calls */
} Walk;

static void report_recursion(Walk *walk, const Function *function, Span span) {
    Checker *c = walk->c;
    Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C007, span,
                                         "`" STR_FMT "` calls itself", STR_ARG(function->name));
    bool inside = false;
    for (size_t i = 0; i < walk->path.count; i++) {
        inside = inside || (i > 0 && walk->path.items[i - 1].callee == function) ||
                 (i == 0 && walk->path.items[i].callee == function);
        if (inside && walk->path.items[i].callee != function) {
            diagnostic_note(c->diagnostics, message, walk->path.items[i].span, "through this call");
        }
    }
    diagnostic_help(c->diagnostics, message, "there is no recursion: use `reduce` over a list");
}

static void add_failure(Checker *c, Function *function, const Variant *variant) {
    for (size_t i = 0; i < function->failures.count; i++) {
        if (function->failures.items[i] == variant) {
            return;
        }
    }
    vec_push(c->arena, &function->failures, variant);
}

void use_database(Checker *c, FunctionInfo *info, Str name, Span span) {
    for (size_t i = 0; i < info->databases.count; i++) {
        if (str_equal(info->databases.items[i].name, name)) {
            return;
        }
    }
    DatabaseUse use = {name, span};
    vec_push(c->arena, &info->databases, use);
}

static void join_callee(Checker *c, FunctionInfo *info, const Function *callee) {
    const FunctionInfo *inner = info_of(callee);
    info->function.effects |= callee->effects;
    for (size_t i = 0; i < inner->databases.count; i++) {
        use_database(c, info, inner->databases.items[i].name, inner->databases.items[i].span);
    }
    info->model = info->model == NULL ? inner->model : info->model;
    info->job = info->job == NULL ? inner->job : info->job;
    for (size_t i = 0; i < callee->failures.count; i++) {
        add_failure(c, &info->function, callee->failures.items[i]);
    }
}

static void add_database_errors(Checker *c, Function *function) {
    for (size_t i = 0; c->database_error != NULL && i < c->database_error->variants.count; i++) {
        add_failure(c, function, c->database_error->variants.items[i]);
    }
}

static void visit(Walk *walk, FunctionInfo *info) {
    Checker *c = walk->c;
    Function *function = &info->function;
    info->visit = OPEN;
    for (size_t i = 0; i < info->effects.count; i++) {
        function->effects |= info->effects.items[i].effect;
    }
    for (size_t i = 0; i < info->fails.count; i++) {
        add_failure(c, function, info->fails.items[i].variant);
    }
    for (size_t i = 0; i < info->calls.count; i++) {
        const CallEdge *edge = &info->calls.items[i];
        FunctionInfo *callee = info_of(edge->callee);
        if (callee->visit == OPEN) {
            report_recursion(walk, edge->callee, edge->span);
            continue;
        }
        if (callee->visit == NEW) {
            vec_push(c->arena, &walk->path, *edge);
            visit(walk, callee);
            walk->path.count--;
        }
        join_callee(c, info, edge->callee);
    }
    if (info->database_errors || function->kind == FUNCTION_TRANSACTION) {
        add_database_errors(c, function);
    }
    info->visit = DONE;
}

/* ---- chains ---- */

enum { CHAIN_MOST = 64 };

static void note_call(Checker *c, Diagnostic *message, const Function *caller,
                      const CallEdge *edge) {
    const Function *callee = edge->callee;
    Str name = callee->file == caller->file ? callee->name : callee->qualified;
    diagnostic_note(c->diagnostics, message, edge->span, "`" STR_FMT "` calls `" STR_FMT "`",
                    STR_ARG(caller->name), STR_ARG(name));
}

/* Adds notes along the calls that bring an effect; returns what brings it in the end. */
static Str note_effect(Checker *c, Diagnostic *message, const Function *function,
                       uint32_t effects) {
    for (size_t depth = 0; depth < CHAIN_MOST; depth++) {
        const FunctionInfo *info = info_of(function);
        const CallEdge *next = NULL;
        for (size_t i = 0; i < info->effects.count; i++) {
            if ((info->effects.items[i].effect & effects) != 0) {
                diagnostic_note(c->diagnostics, message, info->effects.items[i].span,
                                "reached here");
                return info->effects.items[i].what;
            }
        }
        for (size_t i = 0; next == NULL && i < info->calls.count; i++) {
            next = (info->calls.items[i].callee->effects & effects) != 0 ? &info->calls.items[i]
                                                                         : NULL;
        }
        if (next == NULL) {
            break;
        }
        note_call(c, message, function, next);
        function = next->callee;
    }
    return function->qualified;
}

static bool has_failure(const Function *function, const Variant *variant) {
    for (size_t i = 0; i < function->failures.count; i++) {
        if (function->failures.items[i] == variant) {
            return true;
        }
    }
    return false;
}

/* Adds notes along the calls that bring a failure. */
static void note_failure(Checker *c, Diagnostic *message, const Function *function,
                         const Variant *variant) {
    for (size_t depth = 0; depth < CHAIN_MOST; depth++) {
        const FunctionInfo *info = info_of(function);
        const CallEdge *next = NULL;
        for (size_t i = 0; i < info->fails.count; i++) {
            if (info->fails.items[i].variant == variant) {
                diagnostic_note(c->diagnostics, message, info->fails.items[i].span,
                                "it fails here");
                return;
            }
        }
        for (size_t i = 0; next == NULL && i < info->calls.count; i++) {
            next = has_failure(info->calls.items[i].callee, variant) ? &info->calls.items[i] : NULL;
        }
        if (next == NULL) {
            return;
        }
        note_call(c, message, function, next);
        function = next->callee;
    }
}

/* ---- rules ---- */

static const struct {
    uint32_t effect;
    const char *name;
} effect_names[] = {{EFFECT_DATABASE, "database"},
                    {EFFECT_TIME, "time"},
                    {EFFECT_RANDOM, "random"},
                    {EFFECT_STDOUT, "stdout"},
                    {EFFECT_LOG, "log"},
                    {EFFECT_SUSPENDS, "waiting"},
                    {EFFECT_CONCURRENCY, "concurrency"},
                    {EFFECT_NETWORK, "network"},
                    {EFFECT_PROCESS, "process"},
                    {EFFECT_SERVE, "serving"}};

static void check_pure(Checker *c, const Function *function) {
    if (!function->is_pure || function->effects == 0) {
        return;
    }
    Buf names = {0};
    for (size_t i = 0; i < COUNT_OF(effect_names); i++) {
        if ((function->effects & effect_names[i].effect) != 0) {
            buf_format(&names, "%s%s", names.len > 0 ? ", " : "", effect_names[i].name);
        }
    }
    Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C013, function->span,
                                         "`" STR_FMT "` is `pure` but has an effect: " STR_FMT,
                                         STR_ARG(function->name), STR_ARG(buf_str(&names)));
    buf_done(&names);
    Str cause = note_effect(c, message, function, function->effects);
    diagnostic_help(c->diagnostics, message, "remove `pure`, or pass in what `" STR_FMT "` gives",
                    STR_ARG(cause));
}

/* What a transaction reaches is known to the end only when its calls could be resolved. */
static void check_transaction(Checker *c, Function *function, bool is_complete) {
    FunctionInfo *info = info_of(function);
    if (function->kind != FUNCTION_TRANSACTION) {
        return;
    }
    function->transaction_model = info->model;
    function->transaction_job = info->job;
    if (is_complete && (function->effects & EFFECT_DATABASE) == 0) {
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_C014, function->span,
                           "the transaction `" STR_FMT "` reaches no Model and no enqueue",
                           STR_ARG(function->name));
        diagnostic_help(c->diagnostics, message, "remove `transaction`");
    }
    uint32_t forbidden = EFFECT_SUSPENDS | EFFECT_CONCURRENCY | EFFECT_NETWORK;
    if ((function->effects & forbidden) != 0) {
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_C014, function->span,
                           "the transaction `" STR_FMT "` waits for something outside the database",
                           STR_ARG(function->name));
        note_effect(c, message, function, forbidden);
        diagnostic_help(c->diagnostics, message, "do the waiting before or after the transaction");
    }
    if (info->databases.count > 1) {
        const DatabaseUse *first = &info->databases.items[0];
        const DatabaseUse *second = &info->databases.items[1];
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_C014, function->span,
                           "the transaction `" STR_FMT "` reaches two connections, `" STR_FMT
                           "` and `" STR_FMT "`",
                           STR_ARG(function->name), STR_ARG(first->name), STR_ARG(second->name));
        diagnostic_note(c->diagnostics, message, first->span, "`" STR_FMT "` for this",
                        STR_ARG(first->name));
        diagnostic_note(c->diagnostics, message, second->span, "`" STR_FMT "` for this",
                        STR_ARG(second->name));
        diagnostic_help(c->diagnostics, message, "a transaction works on one connection: split it");
    }
}

/* A choice that only its own domain may name. */
static bool is_private_choice(const Choice *choice) {
    Role role = choice->file->role;
    return role == ROLE_DOMAIN || role == ROLE_PORT || role == ROLE_ADAPTER;
}

/* Whoever calls an App function must be able to name its failures. Told where a private one enters the
 * App, once for each choice. */
static void check_public_failures(Checker *c, const Function *function) {
    const FunctionInfo *info = info_of(function);
    for (size_t i = 0; function->role == ROLE_APP && i < function->failures.count; i++) {
        const Variant *variant = function->failures.items[i];
        const Choice *choice = variant->choice;
        bool is_told = !is_private_choice(choice);
        for (size_t j = 0; j < i; j++) {
            is_told = is_told || function->failures.items[j]->choice == choice;
        }
        for (size_t j = 0; j < info->calls.count; j++) {
            const Function *callee = info->calls.items[j].callee;
            is_told = is_told || (callee->role == ROLE_APP && has_failure(callee, variant));
        }
        if (is_told) {
            continue;
        }
        Diagnostic *message = diagnostic_add(
            c->diagnostics, CODE_C006, function->span,
            "`" STR_FMT "` fails with `" STR_FMT "." STR_FMT "`, which its callers cannot name",
            STR_ARG(function->name), STR_ARG(choice->name), STR_ARG(variant->name));
        note_failure(c, message, function, variant);
        diagnostic_help(c->diagnostics, message,
                        "declare `" STR_FMT "` in the App of the domain and fail with `app." STR_FMT
                        "." STR_FMT "`",
                        STR_ARG(choice->name), STR_ARG(choice->name), STR_ARG(variant->name));
    }
}

static void check_serve(Checker *c, const Function *function) {
    const FunctionInfo *info = info_of(function);
    for (size_t i = 0; function->role != ROLE_MAIN && i < info->calls.count; i++) {
        const Function *callee = info->calls.items[i].callee;
        if (callee->role == ROLE_LIBRARY && (callee->effects & EFFECT_SERVE) != 0) {
            diagnostic_add(c->diagnostics, CODE_C006, info->calls.items[i].span,
                           "only `main` in module/main.dever may start `" STR_FMT "`",
                           STR_ARG(callee->qualified));
        }
    }
}

static void check_main(Checker *c) {
    const Function *main = c->program->main;
    for (size_t i = 0; main == NULL && i < c->tree_count; i++) {
        if (c->trees[i]->file->role == ROLE_MAIN && !c->trees[i]->failed) {
            Diagnostic *message =
                diagnostic_add(c->diagnostics, CODE_C005, (Span){c->trees[i]->file, 0, 0},
                               "main.dever holds the function `main`, and there is none");
            diagnostic_help(c->diagnostics, message, "write `main() () { … }`");
        }
    }
    if (main != NULL &&
        (main->inputs.count > 0 || main->outputs.count > 0 || main->clauses.count > 1)) {
        Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C005, main->span,
                                             "`main` has no inputs, no outputs and one clause");
        diagnostic_help(c->diagnostics, message, "write `main() () { … }`");
    }
}

/* J7.3: the body is one call of a transaction on the job's connection, and nothing else. */
static void check_completion(Job *job) {
    const FunctionInfo *info = info_of(job->body);
    const Clause *clause = job->body->clauses.items[0];
    job->completes_in_transaction = clause->statements.count == 1 && info->calls.count == 1 &&
                                    info->calls.items[0].callee->kind == FUNCTION_TRANSACTION &&
                                    clause->statements.items[0]->value->kind == X_CALL;
}

/* J1.5: a job calls at least one App function. */
static void check_job_body(Checker *c, const Job *job, bool is_complete) {
    const FunctionInfo *info = info_of(job->body);
    const FunctionNode *node = job->body->clauses.items[0]->node;
    if (node->has_body && node->body.count == 0) {
        Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C006, job->span,
                                             "a job calls at least one App function of its domain");
        diagnostic_help(c->diagnostics, message, "write `app.<function>(…)` in its body");
    } else if (node->has_body && info->calls.count == 0 && is_complete) {
        diagnostic_add(c->diagnostics, CODE_C006, job->span,
                       "a job calls at least one App function of its domain");
    }
}

void check_effects(Checker *c) {
    Walk walk = {.c = c};
    bool is_complete = c->diagnostics->errors == 0;
    for (size_t i = 0; i < c->program->functions.count; i++) {
        FunctionInfo *info = info_of(c->program->functions.items[i]);
        if (info->visit == NEW) {
            visit(&walk, info);
        }
    }
    for (size_t i = 0; i < c->program->jobs.count; i++) {
        visit(&walk, info_of(c->program->jobs.items[i]->body));
        check_completion(c->program->jobs.items[i]);
        check_job_body(c, c->program->jobs.items[i], is_complete);
    }
    for (size_t i = 0; i < c->program->functions.count; i++) {
        Function *function = c->program->functions.items[i];
        check_pure(c, function);
        check_transaction(c, function, is_complete);
        check_public_failures(c, function);
        check_serve(c, function);
    }
    check_main(c);
}
