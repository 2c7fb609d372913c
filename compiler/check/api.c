/* compiler/check/api.c: Api files: commands; HTTP routes are not supported yet. */
#include "compiler/check/check_internal.h"

static const Function *find_target(Checker *c, const SourceFile *file, const Decl *decl) {
    const Path *path = &decl->target;
    if (path->count != 2 || !str_equal(path->parts[0].text, STR("app"))) {
        Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C006, path->span,
                                             "an Api line is bound to a function of its own App");
        diagnostic_help(c->diagnostics, message, "write `app.<function>`");
        return NULL;
    }
    Str key = str_format(c->arena, STR_FMT "." STR_FMT "." STR_FMT, STR_ARG(file->component),
                         STR_ARG(file->domain), STR_ARG(path->parts[1].text));
    const Function *found = NULL;
    size_t count = 0;
    for (size_t i = 0; i < c->program->functions.count; i++) {
        const Function *function = c->program->functions.items[i];
        if (function->role == ROLE_APP && str_equal(function->qualified, key)) {
            found = function;
            count++;
        }
    }
    if (count == 1) {
        return found;
    }
    Diagnostic *message = diagnostic_add(c->diagnostics, CODE_C004, path->parts[1].span,
                                         count == 0 ? "App has no function `" STR_FMT "`"
                                                    : "App has several functions `" STR_FMT
                                                      "`: a line is bound to one",
                                         STR_ARG(path->parts[1].text));
    if (count == 0) {
        Nearest nearest = nearest_begin(path->parts[1].text);
        for (size_t i = 0; i < c->program->functions.count; i++) {
            const Function *function = c->program->functions.items[i];
            if (function->role == ROLE_APP && same_domain(function->file, file)) {
                nearest_offer(&nearest, function->name);
            }
        }
        nearest_help(c, message, &nearest);
    }
    return NULL;
}

static bool check_wire(Checker *c, const Type *type, WireUse use, Span at, Span declared) {
    WireProblem problem;
    if (type_is_error(type) || !type_wire_problem(c, type, use, &problem)) {
        return !type_is_error(type);
    }
    Diagnostic *message =
        diagnostic_add(c->diagnostics, CODE_C005, at, "the %s " STR_FMT " has no JSON form: %s",
                       use == WIRE_INPUT ? "input" : "output", STR_ARG(type->name), problem.text);
    diagnostic_note(c->diagnostics, message, problem.span.file != NULL ? problem.span : declared,
                    "declared here");
    return false;
}

static bool check_target(Checker *c, const Function *function, Span at) {
    bool good = true;
    if (function->outputs.count != 1) {
        Diagnostic *message =
            diagnostic_add(c->diagnostics, CODE_C005, at,
                           "a command has exactly one output, and `" STR_FMT "` has %zu",
                           STR_ARG(function->name), function->outputs.count);
        diagnostic_note(c->diagnostics, message, function->span, "declared here");
        diagnostic_help(c->diagnostics, message, "put several values into a record");
        return false;
    }
    for (size_t i = 1; i < function->clauses.count; i++) {
        for (size_t j = 0; j < function->inputs.count; j++) {
            const InputNode *node = function->clauses.items[i]->node->inputs.items[j];
            if (!str_equal(node->name.text, function->inputs.items[j].name)) {
                Diagnostic *message =
                    diagnostic_add(c->diagnostics, CODE_C005, at,
                                   "the clauses of `" STR_FMT "` name their inputs differently",
                                   STR_ARG(function->name));
                diagnostic_note(c->diagnostics, message, node->name.span, "here");
                return false;
            }
        }
    }
    for (size_t i = 0; i < function->inputs.count; i++) {
        const Input *input = &function->inputs.items[i];
        good = check_wire(c, input->type, WIRE_INPUT, at, input->span) && good;
    }
    const Output *output = &function->outputs.items[0];
    return check_wire(c, output->type, WIRE_OUTPUT, at, output->span) && good;
}

static void check_command(Checker *c, const SourceFile *file, const Decl *decl) {
    check_snake_case(c, &decl->name, "commands");
    Str name = str_format(c->arena, STR_FMT "." STR_FMT "." STR_FMT, STR_ARG(file->component),
                          STR_ARG(file->domain), STR_ARG(decl->name.text));
    for (size_t i = 0; i < c->program->commands.count; i++) {
        if (str_equal(c->program->commands.items[i].name, name)) {
            Diagnostic *message =
                diagnostic_add(c->diagnostics, CODE_C002, decl->name.span,
                               "the command `" STR_FMT "` is declared twice", STR_ARG(name));
            diagnostic_note(c->diagnostics, message, c->program->commands.items[i].span,
                            "first here");
            return;
        }
    }
    const Function *function = find_target(c, file, decl);
    if (function != NULL && check_target(c, function, decl->target.span)) {
        Command command = {name, (Function *)(uintptr_t)function, decl->name.span};
        vec_push(c->arena, &c->program->commands, command);
    }
}

void check_api(Checker *c) {
    for (size_t i = 0; i < c->tree_count; i++) {
        const FileTree *tree = c->trees[i];
        for (size_t j = 0; tree->file->role == ROLE_API && j < tree->decls.count; j++) {
            const Decl *decl = tree->decls.items[j];
            if (decl->kind == DECL_COMMAND) {
                check_command(c, tree->file, decl);
            } else if (decl->kind == DECL_ROUTE || decl->kind == DECL_REST) {
                not_supported(c, decl->span,
                              decl->kind == DECL_REST ? "`rest` is" : "an HTTP route is");
            }
        }
    }
}
