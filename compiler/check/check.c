/* compiler/check/check.c: the passes, in order. Each reads what the ones before it have made. */
#include "compiler/check/check.h"

#include "compiler/check/check_internal.h"

static void find_database_error(Checker *c) {
    TypeDecl *decl = map_find(&c->type_decls, STR("dever.database.Error"));
    c->database_error = decl != NULL && decl->type->kind == TYPE_CHOICE ? decl->type->choice : NULL;
}

static void check_packages(Checker *c) {
    Map known = {0};
    for (size_t i = 0; i < c->tree_count; i++) {
        const FileTree *tree = c->trees[i];
        const SourceFile *first = map_find(&known, tree->file->package);
        if (first != NULL && tree->file->package.len > 0) {
            diagnostic_add(c->diagnostics, CODE_C002, (Span){tree->file, 0, 0},
                           "the package `" STR_FMT "` is defined twice",
                           STR_ARG(tree->file->package));
        }
        map_put(c->arena, &known, tree->file->package, (void *)(uintptr_t)tree->file);
    }
}

Program *check_program(Diagnostics *diagnostics, const Project *project, FileTree *const *trees,
                       size_t tree_count, FileTree *const *library, size_t library_count) {
    Arena *arena = diagnostics->arena;
    Checker c = {.diagnostics = diagnostics,
                 .arena = arena,
                 .project = project,
                 .program = arena_make(arena, Program),
                 .trees = trees,
                 .tree_count = tree_count,
                 .library = library,
                 .library_count = library_count,
                 .error_type = arena_make(arena, Type)};
    c.error_type->kind = TYPE_ERROR;
    c.error_type->name = STR("an unknown type");
    c.program->arena = arena;
    c.program->project = project;
    check_packages(&c);
    declare_types(&c);
    find_database_error(&c);
    declare_models(&c);
    resolve_types(&c);
    declare_functions(&c);
    declare_jobs(&c);
    check_schedules(&c);
    check_api(&c);
    check_bodies(&c);
    check_effects(&c);
    check_reach(&c);
    check_dependencies(&c);
    return diagnostics->errors == 0 ? c.program : NULL;
}
