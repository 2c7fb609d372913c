/* compiler/check/call.c: what a call means; the first that fits: an enqueue, a variant, a Model
 * operation, a local (never callable), a function, a core operation. */
#include "compiler/check/check_internal.h"

/* The arguments of a call that means nothing: their own mistakes are told. */
static XExpr *check_all(Body *b, const Expr *e) {
    for (size_t i = 0; i < e->call.arguments.count; i++) {
        const Expr *argument = e->call.arguments.items[i];
        if (without_parens(argument)->kind != EXPR_BLOCK) {
            check_expr(b, argument, NULL);
        } else {
            body_touch(b, argument);
        }
    }
    return xexpr_error(b->c, e->span);
}

/* ---- unknown callees ---- */

/* `head.name`, offered when the head is nearly what was written. */
static void offer_dotted(Body *b, Nearest *nearest, Str head, Str name) {
    nearest_offer(nearest,
                  str_format(b->c->arena, STR_FMT "." STR_FMT, STR_ARG(head), STR_ARG(name)));
}

static void offer_functions(Body *b, Nearest *nearest, const Path *path) {
    Checker *c = b->c;
    Str last = path->parts[path->count - 1].text;
    for (size_t i = 0; i < c->function_names.entries.count; i++) {
        const Function *function = c->function_names.entries.items[i].value;
        bool domain = same_domain(function->file, b->file);
        if (path->count == 1) {
            if (domain && function->role == b->file->role) {
                nearest_offer(nearest, function->name);
            }
        } else if (function->role == ROLE_LIBRARY || function->role == ROLE_APP) {
            nearest_offer(nearest, function->qualified);
        }
        if (path->count == 2 && domain &&
            (function->role == ROLE_APP || function->role == ROLE_DOMAIN)) {
            offer_dotted(b, nearest, function->role == ROLE_APP ? STR("app") : STR("domain"),
                         function->name);
        }
    }
    if (path->count == 1) {
        return;
    }
    nearest_offer(nearest, STR("dever.job.enqueue"));
    nearest_offer(nearest, STR("dever.job.enqueue_at"));
    for (size_t i = 0; i < c->program->models.count; i++) {
        const Model *model = c->program->models.items[i];
        if (same_domain(model->file, b->file)) {
            Str head = model->file->topic.len == 0
                           ? STR("model")
                           : str_format(c->arena, "model." STR_FMT, STR_ARG(model->file->topic));
            offer_dotted(b, nearest, head, last);
        }
    }
}

static XExpr *unknown_function(Body *b, const Expr *e, const Path *path, const Function *other) {
    Str text = path_text(b->c, path);
    Diagnostic *message;
    if (other != NULL) {
        size_t inputs = other->inputs.count;
        message = diagnostic_add(b->c->diagnostics, CODE_C004, path->span,
                                 "`" STR_FMT "` has %zu input%s, found %zu", STR_ARG(text), inputs,
                                 inputs == 1 ? "" : "s", e->call.arguments.count);
        diagnostic_note(b->c->diagnostics, message, other->span, "declared here");
        return check_all(b, e);
    }
    message = diagnostic_add(b->c->diagnostics, CODE_C004, path->span,
                             "there is no function `" STR_FMT "`", STR_ARG(text));
    /* The whole path, but no more mistakes than in a name. */
    Nearest nearest = nearest_begin(path->parts[path->count - 1].text);
    nearest.wanted = text;
    offer_functions(b, &nearest, path);
    nearest_help(b->c, message, &nearest);
    return check_all(b, e);
}

/* A job of the same file by its bare name. */
static bool names_own_job(const Body *b, const Path *path) {
    bool found = false;
    for (size_t i = 0; b->file->role == ROLE_JOB && i < b->c->program->jobs.count; i++) {
        const Job *job = b->c->program->jobs.items[i];
        found = found || (path->count == 1 && job->file == b->file &&
                          str_equal(job->name, path->parts[0].text));
    }
    return found;
}

static XExpr *call_of_job(Body *b, const Expr *e) {
    Diagnostic *message =
        diagnostic_add(b->c->diagnostics, CODE_C005, e->span, "a job cannot be called");
    diagnostic_help(b->c->diagnostics, message,
                    "make a task of it: `dever.job.enqueue(job.<name>, input, key)`");
    return check_all(b, e);
}

/* Forms of the language that this compiler does not know yet. */
static bool is_concurrency(Str name) {
    static const Str forms[] = {
        STR_INIT("run"),          STR_INIT("wait"),   STR_INIT("stop"),     STR_INIT("group"),
        STR_INIT("timeout"),      STR_INIT("race"),   STR_INIT("send"),     STR_INIT("receive"),
        STR_INIT("close"),        STR_INIT("stream"), STR_INIT("parallel"), STR_INIT("blocking"),
        STR_INIT("parallel_each")};
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        if (str_equal(forms[i], name)) {
            return true;
        }
    }
    return false;
}

/* ---- functions ---- */

static XExpr *call_function(Body *b, const Expr *e, const Path *path, Function *function) {
    if (!check_call_visible(b->c, b->file, function, path->span)) {
        return xexpr_error(b->c, e->span);
    }
    XExpr *x = xexpr_new(b->c, X_CALL, NULL, e->span);
    x->call.function = function;
    bool good = true;
    for (size_t i = 0; i < e->call.arguments.count; i++) {
        XExpr *argument =
            check_value(b, e->call.arguments.items[i], function->inputs.items[i].type);
        good = good && !xexpr_is_error(argument);
        vec_push(b->c->arena, &x->call.arguments, argument);
    }
    CallEdge edge = {function, e->span};
    vec_push(b->c->arena, &b->info->calls, edge);
    if (function->outputs.count == 1) {
        x->type = function->outputs.items[0].type;
    } else if (function->outputs.count > 1) {
        x->type = function->outputs_type;
    }
    return good ? x : xexpr_error(b->c, e->span);
}

static bool is_full_name(const Path *path, const char *name, Checker *c) {
    return str_equal(path_text(c, path), str_from(name));
}

static XExpr *check_path_call(Body *b, const Expr *e, const Path *path, Type *hint) {
    Choice *choice;
    const Name *last = &path->parts[path->count - 1];
    if (is_full_name(path, "dever.job.enqueue", b->c) ||
        is_full_name(path, "dever.job.enqueue_at", b->c)) {
        return check_enqueue(b, e, str_equal(last->text, STR("enqueue_at")));
    }
    const Variant *variant = find_variant(b->c, b->file, path, &choice);
    if (variant != NULL) {
        Path head = path_head(path, path->count - 1);
        return check_type_visible(b->c, b->file, find_type(b->c, b->file, &head), head.span)
                   ? check_variant_call(b, variant, e, &e->call.arguments)
                   : xexpr_error(b->c, e->span);
    }
    Path head = path_head(path, path->count - 1);
    Model *model = find_model(b->c, b->file, &head);
    if (model != NULL) {
        return check_model_op(b, model, last, e);
    }
    if (find_job(b->c, b->file, path) != NULL || names_own_job(b, path)) {
        return call_of_job(b, e);
    }
    BodyLocal *local = path->count == 1 ? body_local(b, last->text) : NULL;
    if (local != NULL) {
        body_read(b, local);
        if (!type_is_error(local->local->type)) {
            diagnostic_add(b->c->diagnostics, CODE_C005, e->call.callee->span,
                           "`" STR_FMT "` is a value and cannot be called", STR_ARG(last->text));
        }
        return check_all(b, e);
    }
    Function *other;
    Function *function = find_function(b->c, b->file, path, e->call.arguments.count, &other);
    if (function != NULL) {
        return call_function(b, e, path, function);
    }
    if (path->count == 1) {
        if (str_equal(last->text, STR("result"))) {
            not_supported(b->c, e->span, "`result(…)` is");
            body_touch(b, e);
            return xexpr_error(b->c, e->span);
        }
        if (str_equal(last->text, STR("fail"))) {
            Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, e->span,
                                                 "`fail` is a statement and has no value");
            diagnostic_help(b->c->diagnostics, message, "make it the last statement of the clause");
            return xexpr_error(b->c, e->span);
        }
        XExpr *collection = check_collection(b, e, last->text, hint);
        if (collection != NULL) {
            return collection;
        }
        if (is_concurrency(last->text) && other == NULL) {
            Str what = str_format(b->c->arena, "`" STR_FMT "` is", STR_ARG(last->text));
            not_supported(b->c, e->span, what.ptr);
            body_touch(b, e);
            return xexpr_error(b->c, e->span);
        }
    }
    return unknown_function(b, e, path, other);
}

XExpr *check_call(Body *b, const Expr *e, Type *hint) {
    const Expr *callee = without_parens(e->call.callee);
    if (callee->kind == EXPR_PATH) {
        XExpr *x = check_path_call(b, e, &callee->path, hint);
        if (b->file->role == ROLE_JOB && x->kind != X_CALL && !xexpr_is_error(x) &&
            x->kind != X_CHOICE) {
            Str found = span_text(callee->span);
            diagnostic_add(
                b->c->diagnostics, CODE_C006, e->span,
                "a job's body only calls App functions of its own domain, found `" STR_FMT "`",
                STR_ARG(found));
            return xexpr_error(b->c, e->span);
        }
        return x;
    }
    Diagnostic *message = diagnostic_add(b->c->diagnostics, CODE_C005, e->call.callee->span,
                                         "only a function's name can be called");
    diagnostic_help(b->c->diagnostics, message, "assign the value first");
    return xexpr_error(b->c, e->span);
}
