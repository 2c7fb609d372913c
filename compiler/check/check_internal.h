/* compiler/check/check_internal.h: what the files of the checker share.
 *
 * The passes stand in order in check.c: declare types, Models, functions and jobs; resolve their
 * parts; check coverage and bodies; then what needs the whole program (effects, failures, cycles).
 *
 * Whoever cannot resolve a thing reports it once and returns c->error_type, an X_ERROR expression or
 * NULL; whoever meets one of these says nothing. */
#ifndef COMPILER_CHECK_CHECK_INTERNAL_H
#define COMPILER_CHECK_CHECK_INTERNAL_H

#include "base/map.h"
#include "compiler/check/check.h"

/* A place in a function that reaches something. */
typedef struct CallEdge {
    Function *callee;
    Span span;
} CallEdge;

typedef struct EffectSource {
    uint32_t effect; /* one bit */
    Str what;        /* "model.create", "dever.task.sleep" */
    Span span;
} EffectSource;

typedef struct FailureSource {
    const Variant *variant;
    Span span;
} FailureSource;

/* A connection that a Model or Job file names, and what first needs it. */
typedef struct DatabaseUse {
    Str name;
    Span span;
} DatabaseUse;

/* What a function's bodies reach by themselves; effects.c draws the conclusions. */
typedef struct FunctionInfo {
    Function function; /* first: a Function * of this program is a FunctionInfo * */
    VEC(CallEdge) calls;
    VEC(EffectSource) effects;
    VEC(FailureSource) fails;
    VEC(DatabaseUse) databases; /* by name, without doubles */
    const Model *model;         /* a Model that it works on */
    const Job *job;             /* a job that it enqueues */
    bool database_errors; /* reaches a database operation: all variants of dever.database.Error */
    bool is_face;         /* another domain calls it */
    bool is_broken;       /* a clause could not join it: its coverage means nothing */
    int visit;            /* of the walks in effects.c */
} FunctionInfo;

/* A type that is declared somewhere. */
typedef struct TypeDecl {
    Type *type;
    const Decl *decl; /* NULL: made by the compiler (id, Page) */
    const SourceFile *file;
    int visit; /* of the search for cycles: 0 new, 1 open, 2 done */
} TypeDecl;

typedef struct Checker {
    Diagnostics *diagnostics;
    Arena *arena;
    const Project *project;
    Program *program;
    FileTree *const *trees;
    size_t tree_count;
    FileTree *const *library;
    size_t library_count;
    Type *error_type;
    Map types;              /* name for people -> Type *, interned */
    Map type_decls;         /* key -> TypeDecl * */
    Map functions;          /* key/arity -> Function * */
    Map function_names;     /* key -> Function * of some arity */
    Map models;             /* package -> Model * */
    Map jobs;               /* target -> Job * */
    Choice *database_error; /* dever.database.Error */
} Checker;

/* ---- types.c ---- */

Type *type_builtin(Checker *c, TypeKind kind);
Type *type_nullable(Checker *c, Type *item); /* the same type when it is nullable or an error */
Type *type_list(Checker *c, Type *item);
Type *type_of_record(Checker *c, Record *record);
Type *type_of_choice(Checker *c, Choice *choice);
Type *type_of_model_id(Checker *c, Model *model);
/* The built-in scalar type of that name, or NULL. */
Type *type_builtin_named(Checker *c, Str name);
/* A built-in name that a type cannot take: Int, List, Task, … */
bool type_name_is_builtin(Str name);
/* Without the `?`. */
Type *type_plain(Type *type);
bool type_is_error(const Type *type);
bool type_is_numeric(const Type *type);
bool type_is_comparable(const Type *type);
/* Does it hold a Secret, or a choice with error variants, somewhere inside? */
bool type_holds_secret(const Type *type);
bool type_holds_failure(const Type *type);
/* Where a value crosses the border of the program as JSON. */
typedef enum WireUse {
    WIRE_TASK,  /* a task's input, stored and read again */
    WIRE_INPUT, /* comes in: a Secret may */
    WIRE_OUTPUT /* goes out: a Model's record may */
} WireUse;

typedef struct WireProblem {
    const char *text; /* "its field `lines.colour` is a choice", "a choice" */
    Span span;        /* of that field; empty for the type itself */
} WireProblem;

/* Finds what keeps a type off the wire. */
bool type_wire_problem(Checker *c, const Type *type, WireUse use, WireProblem *out);

/* ---- names.c ---- */

/* "content.article" + name for an App file, else package + name. Arena. */
Str name_key(Checker *c, const SourceFile *file, Str name);
/* The package that C names and failures spell: "content.article.app" for every App topic. */
Str name_package(Checker *c, const SourceFile *file);
Str path_text(Checker *c, const Path *path); /* "a.b.c"; arena */
/* The first `count` parts. */
Path path_head(const Path *path, size_t count);

/* Resolves a written type. Reports what is wrong; c->error_type then. */
Type *resolve_type(Checker *c, const SourceFile *file, const TypeNode *node);
/* A declared type by its path, or NULL without a message. */
TypeDecl *find_type(Checker *c, const SourceFile *file, const Path *path);
/* May the file name the type? Reports C006 when not. */
bool check_type_visible(Checker *c, const SourceFile *file, const TypeDecl *decl, Span span);
/* `Type.Variant`: the variant, when the path but its last part names a choice. Without a message. */
const Variant *find_variant(Checker *c, const SourceFile *file, const Path *path,
                            Choice **out_choice);
/* The function that a call means; NULL without a message. *out_other: one of another input count. */
Function *find_function(Checker *c, const SourceFile *file, const Path *path, size_t arity,
                        Function **out_other);
/* May the file call it? Reports C006 when not. */
bool check_call_visible(Checker *c, const SourceFile *file, const Function *function, Span span);
/* The Model whose package is the path (`model`, `model.topic`, in full), or NULL. */
Model *find_model(Checker *c, const SourceFile *file, const Path *path);
Job *find_job(Checker *c, const SourceFile *file, const Path *path);
bool same_domain(const SourceFile *a, const SourceFile *b);

/* Reports C010 unless the name is lower_snake_case (or UpperCamelCase). */
void check_snake_case(Checker *c, const Name *name, const char *what);
void check_camel_case(Checker *c, const Name *name, const char *what);

/* The candidate nearest to a misspelt name, if one is near; for "did you mean". */
typedef struct Nearest {
    Str wanted;
    Str best; /* empty: none yet */
    size_t distance;
} Nearest;
Nearest nearest_begin(Str wanted);
void nearest_offer(Nearest *nearest, Str candidate);
/* Adds the help line when something is near. */
void nearest_help(Checker *c, Diagnostic *diagnostic, const Nearest *nearest);

/* How the file spells the type of that name of its own domain; empty when there is none. */
Str type_spelling(Checker *c, const SourceFile *file, Str name);

/* Reports that something is not supported yet (C020). */
void not_supported(Checker *c, Span span, const char *what);

/* ---- declare.c ---- */

void declare_types(Checker *c); /* registers records and choices, then Models */
void resolve_types(Checker *c); /* fields, variants, cycles */
/* Fields of a record, a variant's payload, outputs: names, types, bounds. */
bool resolve_field(Checker *c, const SourceFile *file, const FieldNode *node, Field *out);
bool resolve_bounds(Checker *c, const BoundList *bounds, Type *type, Interval *out);
/* Holds no value at all. */
bool interval_is_empty(const Interval *interval);
/* Reports modifiers, storage parameters and the like where no Model is. */
void refuse_storage(Checker *c, const FieldNode *node);

/* ---- function.c ---- */

void declare_functions(Checker *c);
/* The signature of a function from its clauses; then coverage. */
Function *function_new(Checker *c, const SourceFile *file, const FunctionNode *node, Str package);

/* ---- coverage.c ---- */

/* Sees that the clauses are disjoint and complete, and builds the decision tree. The patterns of
 * `inputs` are resolved: what each clause selects on each input. */
typedef struct Selection {
    bool other;    /* `other` */
    bool null_too; /* the type with `?` */
    bool only_null;
    bool everything; /* a plain type: every value but null */
    VEC(Atom) atoms; /* else: these */
} Selection;

typedef struct Axis {
    Type *type; /* of the input, nullable when some clause takes null */
    Str name;
    VEC(Selection) selections; /* one for each clause */
} Axis;

typedef VEC(Axis) AxisList;

void coverage_check(Checker *c, Function *function, const AxisList *axes);

/* ---- body.c, expr.c, … ---- */

typedef struct BodyLocal {
    Local *local;
    bool is_set;
    bool has_unread_write; /* for W001 */
    Span write;
    XExpr *constant; /* what was assigned last, when it is a literal */
} BodyLocal;

typedef struct Body {
    Checker *c;
    const SourceFile *file;
    FunctionInfo *info;
    Clause *clause;
    Map locals; /* name -> BodyLocal * */
} Body;

void check_bodies(Checker *c);

/* Checks an expression. `hint` (may be NULL) is the type that is wanted: literals take it, but nothing
 * is converted. Never NULL; X_ERROR after a message. */
XExpr *check_expr(Body *b, const Expr *e, Type *hint);
/* The same, converted to `type` (T to T?, Int to Decimal) or reported. */
XExpr *check_value(Body *b, const Expr *e, Type *type);
/* A call without outputs is no value: reports and gives X_ERROR. */
XExpr *require_value(Body *b, XExpr *x);
/* Converts a checked expression; X_ERROR after a message. */
XExpr *coerce(Body *b, XExpr *x, Type *type);
XExpr *xexpr_new(Checker *c, XKind kind, Type *type, Span span);
XExpr *xexpr_error(Checker *c, Span span);
bool xexpr_is_error(const XExpr *x);
/* Looks a local up and marks it as read; NULL when there is none. */
BodyLocal *body_local(Body *b, Str name);
void body_read(Body *b, BodyLocal *local);
/* Marks the locals of an expression that is not checked because of a mistake around it. */
void body_touch(Body *b, const Expr *e);
const Expr *without_parens(const Expr *e);

XExpr *check_binary(Body *b, const Expr *e, Type *hint); /* operator.c */
XExpr *check_unary(Body *b, const Expr *e, Type *hint);
XExpr *check_number(Body *b, const Expr *e, Type *hint);
bool constant_int(const Body *b, const XExpr *x, int64_t *out);

XExpr *check_call(Body *b, const Expr *e, Type *hint); /* call.c */
/* A core operation by its name, or NULL when it is none. */
XExpr *check_collection(Body *b, const Expr *e, Str name, Type *hint);       /* collection.c */
XExpr *check_model_op(Body *b, Model *model, const Name *op, const Expr *e); /* model_op.c */
XExpr *check_enqueue(Body *b, const Expr *e, bool with_time);                /* job.c */
XExpr *check_variant_call(Body *b, const Variant *variant, const Expr *e,
                          const ExprList *arguments);

/* ---- roles ---- */

void declare_models(Checker *c); /* model.c: names only */
void resolve_models(Checker *c); /* columns and indexes */
/* The constant of a `default`, of the column's type; NULL after a message. model_default.c */
XExpr *check_default(Checker *c, const SourceFile *file, const Expr *e, const Column *column);
/* A condition behind `where`; NULL after a message. model_condition.c */
Condition *check_condition(Body *b, const Model *model, const Expr *e);
bool find_column(const Model *model, Str name, size_t *out);
/* Reports that the Model has no such field; false. */
bool unknown_column(Body *b, const Model *model, const Name *name);
void declare_jobs(Checker *c); /* job.c */
void check_schedules(Checker *c);
void check_api(Checker *c);          /* api.c */
void check_effects(Checker *c);      /* effects.c */
void check_reach(Checker *c);        /* hygiene.c */
void check_dependencies(Checker *c); /* dependency.c */
/* The function works on a connection that a file names. */
void use_database(Checker *c, FunctionInfo *info, Str name, Span span); /* effects.c */

#endif
