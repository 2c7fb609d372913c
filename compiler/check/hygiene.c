/* compiler/check/hygiene.c: warnings about code that stands there for nothing: functions that no entry
 * reaches, private functions that merely forward. */
#include "compiler/check/check_internal.h"

static FunctionInfo *info_of(Function *function) {
    return (FunctionInfo *)(void *)function;
}

/* ---- reachability ---- */

static void mark_reached(Function *function) {
    const FunctionInfo *info = info_of(function);
    if (function->is_reached) {
        return;
    }
    function->is_reached = true;
    for (size_t i = 0; i < info->calls.count; i++) {
        mark_reached(info->calls.items[i].callee);
    }
}

static void mark_entries(Program *program) {
    if (program->main != NULL) {
        mark_reached(program->main);
    }
    for (size_t i = 0; i < program->commands.count; i++) {
        mark_reached(program->commands.items[i].function);
    }
    for (size_t i = 0; i < program->jobs.count; i++) {
        mark_reached(program->jobs.items[i]->body);
    }
}

/* The face of a domain is there for other domains, whether or not these are reached. */
static void mark_faces(const Program *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        const FunctionInfo *info = info_of(program->functions.items[i]);
        for (size_t j = 0; j < info->calls.count; j++) {
            FunctionInfo *callee = info_of(info->calls.items[j].callee);
            callee->is_face =
                callee->is_face || !same_domain(info->function.file, callee->function.file);
        }
    }
}

void check_hygiene(Diagnostics *diagnostics, const Program *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        Function *function = program->functions.items[i];
        if (function->role == ROLE_APP && !function->is_reached && !info_of(function)->is_face) {
            Diagnostic *message = diagnostic_add(diagnostics, CODE_W007, function->span,
                                                 "nothing reaches the App function `" STR_FMT "`",
                                                 STR_ARG(function->name));
            diagnostic_help(diagnostics, message,
                            "bind it by `cmd " STR_FMT " = app." STR_FMT
                            "` in api.dever, call it, or remove it",
                            STR_ARG(function->name), STR_ARG(function->name));
        }
    }
}

/* ---- forwarding ---- */

/* The call that is all a function does, with its inputs as they came; NULL when it does more. */
static const XExpr *forwarded_call(const Function *function) {
    const Clause *clause = function->clauses.count == 1 ? function->clauses.items[0] : NULL;
    if (clause == NULL || clause->statements.count != 1) {
        return NULL;
    }
    const XStatement *statement = clause->statements.items[0];
    const XExpr *call = statement->value;
    bool assigns = statement->kind == XSTATEMENT_ASSIGN && statement->local->kind == LOCAL_OUTPUT;
    if ((!assigns && statement->kind != XSTATEMENT_CALL) || call->kind != X_CALL ||
        call->call.arguments.count != function->inputs.count) {
        return NULL;
    }
    for (size_t i = 0; i < call->call.arguments.count; i++) {
        const XExpr *argument = call->call.arguments.items[i];
        if (argument->kind != X_LOCAL || argument->local != clause->inputs.items[i]) {
            return NULL;
        }
    }
    return call;
}

static void check_forwarding(Checker *c, const Function *function) {
    const XExpr *call = function->role == ROLE_DOMAIN ? forwarded_call(function) : NULL;
    if (call == NULL) {
        return;
    }
    const Function *callee = call->call.function;
    if (callee->file != function->file || callee->is_pure != function->is_pure ||
        callee->has_recover != function->has_recover) {
        return;
    }
    Diagnostic *message = diagnostic_add(c->diagnostics, CODE_W005, function->span,
                                         "`" STR_FMT "` only forwards its inputs to `" STR_FMT "`",
                                         STR_ARG(function->name), STR_ARG(callee->name));
    diagnostic_note(c->diagnostics, message, callee->span, "this one does the work");
    diagnostic_help(c->diagnostics, message, "call `" STR_FMT "` and remove `" STR_FMT "`",
                    STR_ARG(callee->name), STR_ARG(function->name));
}

void check_reach(Checker *c) {
    mark_entries(c->program);
    mark_faces(c->program);
    for (size_t i = 0; c->diagnostics->errors == 0 && i < c->program->functions.count; i++) {
        check_forwarding(c, c->program->functions.items[i]);
    }
}
