/* compiler/check/dependency.c: files of different domains must not depend on each other in a circle.
 *
 * A file depends on another when it calls its functions or names its types. Files of one domain belong
 * together and may do so freely. */
#include "compiler/check/check_internal.h"

typedef struct Dependency {
    const SourceFile *to;
    Span span; /* what needs it, first of all */
} Dependency;

typedef struct Node {
    const SourceFile *file;
    VEC(Dependency) needs;
    int visit; /* 0 new, 1 open, 2 done */
} Node;

typedef struct Graph {
    Checker *c;
    Node *nodes; /* by SourceFile.index */
    VEC(Span) path;
} Graph;

static void depend(Graph *g, const SourceFile *from, const SourceFile *to, Span span) {
    if (from == NULL || to == NULL || from == to || from->component.len == 0 ||
        to->component.len == 0 || same_domain(from, to)) {
        return;
    }
    Node *node = &g->nodes[from->index];
    for (size_t i = 0; i < node->needs.count; i++) {
        if (node->needs.items[i].to == to) {
            return;
        }
    }
    Dependency dependency = {to, span};
    vec_push(g->c->arena, &node->needs, dependency);
}

static void depend_on_type(Graph *g, const SourceFile *from, const Type *type, Span span) {
    while (type->kind == TYPE_NULLABLE || type->kind == TYPE_LIST) {
        type = type->item;
    }
    switch (type->kind) {
    case TYPE_RECORD:
        depend(g, from, type->record->file, span);
        break;
    case TYPE_CHOICE:
        depend(g, from, type->choice->file, span);
        break;
    case TYPE_MODEL_ID:
        depend(g, from, type->model->file, span);
        break;
    default:
        break;
    }
}

static void collect_function(Graph *g, const Function *function) {
    const FunctionInfo *info = (const FunctionInfo *)(const void *)function;
    for (size_t i = 0; i < function->inputs.count; i++) {
        depend_on_type(g, function->file, function->inputs.items[i].type,
                       function->inputs.items[i].span);
    }
    for (size_t i = 0; i < function->outputs.count; i++) {
        depend_on_type(g, function->file, function->outputs.items[i].type,
                       function->outputs.items[i].span);
    }
    for (size_t i = 0; i < info->calls.count; i++) {
        depend(g, function->file, info->calls.items[i].callee->file, info->calls.items[i].span);
    }
}

static void collect(Graph *g) {
    const Program *program = g->c->program;
    for (size_t i = 0; i < program->functions.count; i++) {
        collect_function(g, program->functions.items[i]);
    }
    for (size_t i = 0; i < program->records.count; i++) {
        const Record *record = program->records.items[i];
        for (size_t j = 0; record->origin != RECORD_PAGE && j < record->fields.count; j++) {
            depend_on_type(g, record->file, record->fields.items[j].type,
                           record->fields.items[j].span);
        }
    }
    for (size_t i = 0; i < program->choices.count; i++) {
        const Choice *choice = program->choices.items[i];
        for (size_t j = 0; j < choice->variants.count; j++) {
            const Variant *variant = choice->variants.items[j];
            for (size_t k = 0; k < variant->fields.count; k++) {
                depend_on_type(g, choice->file, variant->fields.items[k].type,
                               variant->fields.items[k].span);
            }
        }
    }
}

static void visit(Graph *g, Node *node) {
    node->visit = 1;
    for (size_t i = 0; i < node->needs.count; i++) {
        Node *next = &g->nodes[node->needs.items[i].to->index];
        vec_push(g->c->arena, &g->path, node->needs.items[i].span);
        if (next->visit == 1) {
            Diagnostic *message =
                diagnostic_add(g->c->diagnostics, CODE_C007, node->needs.items[i].span,
                               "this closes a circle: " STR_FMT " already depends on " STR_FMT,
                               STR_ARG(next->file->path), STR_ARG(node->file->path));
            for (size_t j = 0; j + 1 < g->path.count; j++) {
                if (g->path.items[j].file == next->file || j > 0) {
                    diagnostic_note(g->c->diagnostics, message, g->path.items[j], "through this");
                }
            }
            diagnostic_help(g->c->diagnostics, message,
                            "let one domain know the other, and pass plain values the other way");
        } else if (next->visit == 0) {
            visit(g, next);
        }
        g->path.count--;
    }
    node->visit = 2;
}

void check_dependencies(Checker *c) {
    size_t count = c->project->files.count;
    Graph g = {.c = c, .nodes = arena_make_n(c->arena, Node, count)};
    for (size_t i = 0; i < count; i++) {
        g.nodes[i].file = c->project->files.items[i];
    }
    collect(&g);
    for (size_t i = 0; i < count; i++) {
        if (g.nodes[i].visit == 0) {
            visit(&g, &g.nodes[i]);
        }
    }
}
