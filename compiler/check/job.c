/* compiler/check/job.c: jobs, schedules and enqueueing: the rules J1 to J3 of durable jobs. */
#include "compiler/check/check_internal.h"

#include <inttypes.h>
#include <string.h>

#include "base/datetime.h"
#include "base/clock.h"
#include "contract/cron.h"
#include "contract/job_limits.h"
#include "contract/schema.h"

/* ---- schema text and fingerprint ---- */

static const WireType *wire_type(Checker *c, const Type *type) {
    WireType *wire = arena_make(c->arena, WireType);
    switch (type->kind) {
    case TYPE_NULLABLE:
    case TYPE_LIST:
        wire->kind = type->kind == TYPE_LIST ? WIRE_LIST : WIRE_NULLABLE;
        wire->item = wire_type(c, type->item);
        break;
    case TYPE_MODEL_ID:
        wire->kind = WIRE_MODEL_ID;
        wire->name = type->model->package;
        break;
    case TYPE_RECORD: {
        size_t count = type->record->fields.count;
        WireField *fields = arena_make_n(c->arena, WireField, count);
        for (size_t i = 0; i < count; i++) {
            fields[i] = (WireField){type->record->fields.items[i].name,
                                    wire_type(c, type->record->fields.items[i].type)};
        }
        wire->kind = WIRE_RECORD;
        wire->fields = fields;
        wire->field_count = count;
        break;
    }
    default:
        wire->kind = WIRE_SCALAR;
        wire->name = type->name;
        break;
    }
    return wire;
}

static void make_schema(Checker *c, Job *job) {
    Buf text = {0};
    char fingerprint[SCHEMA_FINGERPRINT_SIZE];
    schema_text(job->input == NULL ? NULL : wire_type(c, job->input->type), &text);
    job->schema = str_dup(c->arena, buf_str(&text));
    buf_done(&text);
    schema_fingerprint(job->schema, fingerprint);
    job->fingerprint = str_dup(c->arena, str_from(fingerprint));
}

/* ---- declarations ---- */

/* J1.4: a record of the same domain's App that has a wire form; the error type after a message. */
static Type *resolve_input(Checker *c, Job *job, const InputNode *input) {
    if (input->kind != PATTERN_TYPE || input->bounds.count > 0) {
        diagnostic_add(c->diagnostics, CODE_C005, input->pattern,
                       "a job's input is a plain type: it has one clause");
        return c->error_type;
    }
    Type *type = resolve_type(c, job->file, input->type);
    if (type_is_error(type)) {
        return type;
    }
    if (type->kind != TYPE_RECORD || type->record->origin != RECORD_DECLARED ||
        type->record->file->role != ROLE_APP || !same_domain(type->record->file, job->file)) {
        Diagnostic *message = diagnostic_add(
            c->diagnostics, CODE_C005, input->pattern,
            "a job's input is a record declared in the App of its own domain, found " STR_FMT,
            STR_ARG(type->name));
        diagnostic_help(c->diagnostics, message,
                        "declare a type in app.dever and write `app.<Type>`");
        return c->error_type;
    }
    WireProblem problem;
    if (type_wire_problem(c, type, WIRE_TASK, &problem)) {
        Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C005, input->pattern,
                                             "`" STR_FMT "` cannot be stored as a task's input: %s",
                                             STR_ARG(type->record->name), problem.text);
        diagnostic_note(c->diagnostics, message, problem.span, "declared here");
        return c->error_type;
    }
    job->input = type->record;
    return type;
}

static void check_inputs(Checker *c, Job *job, const FunctionNode *node, Function *body) {
    if (node->inputs.count > 1) {
        diagnostic_add(c->diagnostics, CODE_C005, node->inputs.items[1]->span,
                       "a job has no input, or one record of its domain's App");
    }
    for (size_t i = 0; i < node->inputs.count; i++) {
        const InputNode *input = node->inputs.items[i];
        Type *type = i == 0 ? resolve_input(c, job, input) : c->error_type;
        Input added = {.name = input->name.text, .type = type, .span = input->span};
        vec_push(c->arena, &body->inputs, added);
        check_snake_case(c, &input->name, "inputs");
        Local *local = arena_make(c->arena, Local);
        *local = (Local){.kind = LOCAL_INPUT,
                         .name = input->name.text,
                         .type = type,
                         .input = i,
                         .span = input->name.span};
        vec_push(c->arena, &body->clauses.items[0]->inputs, local);
    }
}

static void refuse_forms(Checker *c, const FunctionNode *node) {
    if (node->outputs.count > 0) {
        diagnostic_add(c->diagnostics, CODE_C005, node->outputs.items[0]->span,
                       "a job has no outputs");
    }
    if (node->is_pure || node->has_recover) {
        diagnostic_add(c->diagnostics, CODE_C005,
                       node->is_pure ? node->pure_span : node->recover_span,
                       "a job is neither `pure` nor `recover`");
    }
    if (!node->has_body) {
        diagnostic_add(c->diagnostics, CODE_C005, node->signature, "a job needs a body");
    }
}

static void declare_job(Checker *c, const SourceFile *file, const FunctionNode *node,
                        Str database) {
    const Name *name = &node->name.parts[0];
    check_snake_case(c, name, "jobs");
    Str target = str_format(c->arena, STR_FMT "." STR_FMT ".job." STR_FMT, STR_ARG(file->component),
                            STR_ARG(file->domain), STR_ARG(name->text));
    Job *known = map_find(&c->jobs, target);
    if (known != NULL) {
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_C002, name->span,
                           "the job `" STR_FMT "` is declared twice", STR_ARG(name->text));
        diagnostic_note(c->diagnostics, message, known->span, "first declared here");
        diagnostic_help(c->diagnostics, message,
                        "a job has one clause; names are unique in a domain");
        return;
    }
    refuse_forms(c, node);
    Job *job = arena_make(c->arena, Job);
    job->name = name->text;
    job->target = target;
    job->database = database;
    job->file = file;
    job->retry = node->retry;
    job->timeout_ms = node->timeout_ms;
    job->span = name->span;
    Str package = str_format(c->arena, STR_FMT "." STR_FMT ".job", STR_ARG(file->component),
                             STR_ARG(file->domain));
    job->body = function_new(c, file, node, package);
    job->body->qualified = target;
    Clause *clause = arena_make(c->arena, Clause);
    clause->function = job->body;
    clause->node = node;
    clause->span = node->signature;
    vec_push(c->arena, &job->body->clauses, clause);
    check_inputs(c, job, node, job->body);
    map_put(c->arena, &c->jobs, target, job);
    vec_push(c->arena, &c->program->jobs, job);
}

/* J1.2: one `database` line, first of all. */
static Str file_database(Checker *c, const FileTree *tree) {
    Str database = STR("");
    const Decl *first = NULL;
    for (size_t i = 0; i < tree->decls.count; i++) {
        const Decl *decl = tree->decls.items[i];
        if (decl->kind != DECL_DATABASE) {
            continue;
        }
        if (first != NULL) {
            Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C002, decl->span,
                                                 "a Job file names its database once");
            diagnostic_note(c->diagnostics, message, first->span, "first here");
            continue;
        }
        first = decl;
        database = decl->name.text;
        if (i != 0) {
            diagnostic_add(c->diagnostics, CODE_C014, decl->span,
                           "`database` is the first line of a Job file");
        }
        if (!str_equal(database, STR("default"))) {
            not_supported(c, decl->name.span, "a connection beside `default` is");
        }
    }
    if (first == NULL && !tree->failed) {
        Span span = tree->decls.count > 0 ? tree->decls.items[0]->span : (Span){tree->file, 0, 0};
        if (tree->decls.count > 0 && tree->decls.items[0]->kind == DECL_FUNCTION) {
            span = tree->decls.items[0]->function->signature;
        }
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_C014, span, "a Job file starts with its database");
        diagnostic_help(c->diagnostics, message, "add `database default` as the first line");
    }
    return database;
}

void declare_jobs(Checker *c) {
    for (size_t i = 0; i < c->tree_count; i++) {
        const FileTree *tree = c->trees[i];
        if (tree->file->role != ROLE_JOB) {
            continue;
        }
        Str database = file_database(c, tree);
        for (size_t j = 0; j < tree->decls.count; j++) {
            const Decl *decl = tree->decls.items[j];
            if (decl->kind == DECL_FUNCTION && decl->function->kind == FUNCTION_JOB) {
                declare_job(c, tree->file, decl->function, database);
            }
        }
    }
    for (size_t i = 0; i < c->program->jobs.count; i++) {
        make_schema(c, c->program->jobs.items[i]);
    }
}

/* ---- schedules ---- */

static void warn_cron(Checker *c, const Decl *decl, const Cron *cron) {
    char warnings[CRON_WARNINGS_MOST][CRON_WARNING_SIZE];
    size_t count = cron_warnings(cron, warnings);
    for (size_t i = 0; i < count; i++) {
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_W008, decl->schedule.cron_span, "%s", warnings[i]);
        Buf times = {0};
        int64_t at = clock_wall_ms();
        for (int j = 0; j < 3 && (at = cron_next(cron, at)) != INT64_MAX; j++) {
            buf_add(&times, j == 0 ? STR("") : STR(", "));
            datetime_format(at, &times);
        }
        diagnostic_help(c->diagnostics, message, "the next times are %s", times.data);
        buf_done(&times);
    }
}

static void check_schedule(Checker *c, const FileTree *tree, const Decl *decl) {
    Str target =
        str_format(c->arena, STR_FMT "." STR_FMT ".job." STR_FMT, STR_ARG(tree->file->component),
                   STR_ARG(tree->file->domain), STR_ARG(decl->name.text));
    Job *job = map_find(&c->jobs, target);
    if (job == NULL || job->file != tree->file) {
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_C004, decl->name.span,
                           "this file has no job `" STR_FMT "`", STR_ARG(decl->name.text));
        Nearest nearest = nearest_begin(decl->name.text);
        for (size_t i = 0; i < c->program->jobs.count; i++) {
            if (c->program->jobs.items[i]->file == tree->file) {
                nearest_offer(&nearest, c->program->jobs.items[i]->name);
            }
        }
        nearest_help(c, message, &nearest);
    } else if (job->body->clauses.items[0]->node->inputs.count > 0) {
        Diagnostic *message = diagnostic_add(
            c->diagnostics, CODE_C005, decl->name.span,
            "a scheduled job has no input, and `" STR_FMT "` has one", STR_ARG(job->name));
        diagnostic_note(c->diagnostics, message, job->span, "declared here");
    }
    for (size_t i = 0; job != NULL && i < c->program->schedules.count; i++) {
        if (c->program->schedules.items[i].job == job) {
            Diagnostic *message =
                diagnostic_add(c->diagnostics, CODE_C002, decl->name.span,
                               "`" STR_FMT "` is scheduled twice", STR_ARG(job->name));
            diagnostic_note(c->diagnostics, message, c->program->schedules.items[i].span,
                            "first here");
            diagnostic_help(c->diagnostics, message,
                            "join the times with commas in one expression");
        }
    }
    if (decl->schedule.missed != MISSED_ABSENT) {
        not_supported(c, decl->schedule.missed_span, "`missed` is");
    }
    Cron cron;
    CronError error;
    if (!cron_parse(decl->schedule.cron, &cron, &error)) {
        Span span = decl->schedule.cron_span;
        /* The text as written is the decoded one between quotes, unless it holds escapes. */
        if (span.to - span.from == decl->schedule.cron.len + 2 && error.len > 0) {
            span.from += 1 + (uint32_t)error.at;
            span.to = span.from + (uint32_t)error.len;
        }
        Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C005, span, "%s", error.message);
        diagnostic_help(
            c->diagnostics, message,
            "write five fields such as \"30 4 * * *\"; `dever cron` shows when it fires");
        return;
    }
    warn_cron(c, decl, &cron);
    if (job != NULL) {
        Schedule schedule = {job, decl->schedule.cron, decl->name.span};
        vec_push(c->arena, &c->program->schedules, schedule);
    }
}

void check_schedules(Checker *c) {
    for (size_t i = 0; i < c->tree_count; i++) {
        for (size_t j = 0; j < c->trees[i]->decls.count; j++) {
            if (c->trees[i]->file->role == ROLE_JOB &&
                c->trees[i]->decls.items[j]->kind == DECL_SCHEDULE) {
                check_schedule(c, c->trees[i], c->trees[i]->decls.items[j]);
            }
        }
    }
}

/* ---- enqueue ---- */

static XExpr *refuse_enqueue(Body *b, const Expr *e, Code code, Span span, const char *text,
                             const char *help) {
    Diagnostic *message = diagnostic_add(b->c->diagnostics, code, span, "%s", text);
    diagnostic_help(b->c->diagnostics, message, "%s", help);
    body_touch(b, e);
    return xexpr_error(b->c, e->span);
}

/* As it should be written, for the help line. */
static const char *enqueue_form(Body *b, Str job, bool has_input, bool with_time) {
    return str_format(b->c->arena, "write `dever.job.enqueue%s(job." STR_FMT "%s, key%s)`",
                      with_time ? "_at" : "", STR_ARG(job), has_input ? ", input" : "",
                      with_time ? ", run_at" : "")
        .ptr;
}

static Job *enqueue_target(Body *b, const Expr *e) {
    const Expr *target = without_parens(e->call.arguments.items[0]);
    static const char help[] = "write the target itself: `dever.job.enqueue(job.<name>, …)`";
    if (target->kind != EXPR_PATH ||
        (target->path.count == 1 && body_local(b, target->path.parts[0].text) != NULL)) {
        refuse_enqueue(b, e, CODE_C005, target->span, "the target of an enqueue is written out",
                       help);
        return NULL;
    }
    Job *job = find_job(b->c, b->file, &target->path);
    if (job == NULL) {
        Str text = path_text(b->c, &target->path);
        Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C004, target->span,
                                             "there is no job `" STR_FMT "`", STR_ARG(text));
        Nearest nearest = nearest_begin(text);
        for (size_t i = 0; i < b->c->program->jobs.count; i++) {
            const Job *candidate = b->c->program->jobs.items[i];
            if (same_domain(candidate->file, b->file)) {
                nearest_offer(&nearest,
                              str_format(b->c->arena, "job." STR_FMT, STR_ARG(candidate->name)));
            }
        }
        nearest_help(b->c, message, &nearest);
        body_touch(b, e);
        return NULL;
    }
    if (!same_domain(job->file, b->file)) {
        refuse_enqueue(b, e, CODE_C006, target->span, "only the job's own domain may enqueue it",
                       "call an App function of that domain");
        return NULL;
    }
    return job;
}

static void check_key(Body *b, const Expr *e, const XExpr *key) {
    if (key->kind != X_TEXT) {
        return;
    }
    const char *problem = job_key_problem(key->text);
    if (problem != NULL) {
        Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, e->span, "%s", problem);
        diagnostic_help(b->c->diagnostics, message,
                        "a key names the business fact, in 1 to 1024 bytes: \"order:\" + …");
    }
}

XExpr *check_enqueue(Body *b, const Expr *e, bool with_time) {
    size_t count = e->call.arguments.count;
    if (b->file->role != ROLE_APP) {
        return refuse_enqueue(b, e, CODE_C006, e->span, "only App functions may enqueue",
                              "call an App function that does it");
    }
    if (count == 0) {
        return refuse_enqueue(b, e, CODE_C005, e->span, "an enqueue needs its target and a key",
                              enqueue_form(b, STR("<name>"), true, with_time));
    }
    Job *job = enqueue_target(b, e);
    if (job == NULL) {
        return xexpr_error(b->c, e->span);
    }
    bool has_input = job->body->clauses.items[0]->node->inputs.count > 0;
    size_t wanted = 2u + (has_input ? 1u : 0u) + (with_time ? 1u : 0u);
    if (count != wanted) {
        Str text = str_format(b->c->arena,
                              "`job." STR_FMT "` has %s input: expected %zu arguments, found %zu",
                              STR_ARG(job->name), has_input ? "an" : "no", wanted, count);
        return refuse_enqueue(b, e, CODE_C005, e->span, text.ptr,
                              enqueue_form(b, job->name, has_input, with_time));
    }
    XExpr *x = xexpr_new(b->c, X_ENQUEUE, type_builtin(b->c, TYPE_ID), e->span);
    x->enqueue.job = job;
    size_t at = 1;
    bool good = true;
    if (has_input) {
        x->enqueue.input = job->input == NULL
                               ? xexpr_error(b->c, e->span)
                               : check_value(b, e->call.arguments.items[at], job->input->type);
        good = !xexpr_is_error(x->enqueue.input);
        at++;
    }
    x->enqueue.key = check_value(b, e->call.arguments.items[at], type_builtin(b->c, TYPE_TEXT));
    check_key(b, e->call.arguments.items[at], x->enqueue.key);
    good = good && !xexpr_is_error(x->enqueue.key);
    if (with_time) {
        x->enqueue.run_at =
            check_value(b, e->call.arguments.items[at + 1], type_builtin(b->c, TYPE_DATETIME));
        good = good && !xexpr_is_error(x->enqueue.run_at);
    }
    EffectSource effect = {EFFECT_DATABASE | EFFECT_WRITE | EFFECT_ENQUEUE,
                           STR("dever.job.enqueue"), e->span};
    vec_push(b->c->arena, &b->info->effects, effect);
    b->info->database_errors = true;
    b->info->job = b->info->job == NULL ? job : b->info->job;
    if (job->database.len > 0) {
        use_database(b->c, b->info, job->database, e->span);
    }
    return good ? x : xexpr_error(b->c, e->span);
}
