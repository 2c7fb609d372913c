/* compiler/emit/emit_internal.h: what the files of the emitter share. */
#ifndef COMPILER_EMIT_EMIT_INTERNAL_H
#define COMPILER_EMIT_EMIT_INTERNAL_H

#include "base/map.h"
#include "compiler/emit/emit.h"

/* Text under construction: lines with their indentation. */
typedef struct Out {
    Buf buf;
    int indent;
} Out;

/* One generated file. Statements and tables that functions need stand in `tables`, before them. */
typedef struct Unit {
    Str name;
    Out tables;
    Out code;
} Unit;

typedef struct Emitter {
    Arena *arena;
    const Program *program;
    const EmitOptions *options;
    Map globals; /* C names that no local may hide -> the function of that name, or the emitter */
    Map paths;   /* C names -> the Str that each was made of */
    Out header;  /* program.h */
    Out sql;     /* program.sql */
    VEC(Unit *) units;
} Emitter;

/* A function body under construction. */
typedef struct FunctionOut {
    Emitter *emitter;
    Unit *unit;
    const Clause *clause;
    Str name;       /* of the C function: names statements */
    Out *out;       /* where statements go */
    int counter;    /* of temporaries */
    int statements; /* of SQL */
    bool uses_scope;
    bool outputs_by_pointer;
} FunctionOut;

/* ---- out.c ---- */

/* One indented line; nothing at all for an empty format gives an empty line. */
void out_line(Out *out, const char *format, ...) PRINTF_LIKE(2, 3);
/* A line that ends with an opening brace, and its end. */
void out_open(Out *out, const char *format, ...) PRINTF_LIKE(2, 3);
void out_close(Out *out, const char *tail);
/* The text as a C string literal with its quotes; arena. Any bytes. */
Str c_string(Emitter *e, Str text);
/* The same with a literal for each line of the text, one below the other. */
Str c_string_of_lines(Emitter *e, Str text);

/* ---- names.c ---- */

/* The path with underscores for its dots. */
Str c_path(Emitter *e, Str path);
Str c_function(Emitter *e, const Function *function);
Str c_record(Emitter *e, const Record *record);
Str c_choice(Emitter *e, const Choice *choice);
Str c_tag(Emitter *e, const Variant *variant); /* the enumerator of a variant */
Str c_field(Emitter *e, Str name);             /* member of a struct */
Str c_local(Emitter *e, Str name);
Str c_type(Emitter *e, const Type *type);
/* The name of the description, with `&`. */
Str c_description(Emitter *e, const Type *type);
Str c_model(Emitter *e, const Model *model);
Str c_job(Emitter *e, const Job *job);
/* "content.article.app.ArticleError": what logs call a type. */
Str full_type_name(Emitter *e, const SourceFile *file, Str name);
/* "path:line:column" as a C string literal. */
Str c_place(Emitter *e, Span span);

/* ---- types.c ---- */

void emit_types(Emitter *e, Unit *unit);

/* ---- value.c ---- */

/* Writes the statements that the value needs and gives the C expression for it; arena. */
Str emit_value(FunctionOut *f, const XExpr *x);
/* The same for what must have an address: a variable or member. */
Str emit_lvalue(FunctionOut *f, const XExpr *x);
/* Assigns the value to a C lvalue; `declare`: the variable is declared here. */
void emit_into(FunctionOut *f, Str target, bool declare, const XExpr *x);
/* Runs an expression for its effect. */
void emit_effect(FunctionOut *f, const XExpr *x);
/* A fresh variable name that no local can have. */
Str fresh(FunctionOut *f, const char *word);
/* `if (!<call>) return dv_at(…)`. */
void emit_checked(FunctionOut *f, Str call, Span span);
Str c_local_value(FunctionOut *f, const Local *local);
Str c_int(Emitter *e, int64_t value);
Str c_decimal(Emitter *e, Decimal value);
Str c_text(Emitter *e, Str text);

/* ---- collection.c, model.c ---- */

Str emit_collection(FunctionOut *f, const XExpr *x);
Str emit_model_op(FunctionOut *f, const XExpr *x);
void emit_model(Emitter *e, Unit *unit, const Model *model);

/* ---- function.c, entry.c ---- */

void emit_prototype(Emitter *e, const Function *function);
void emit_function(Emitter *e, Unit *unit, const Function *function);
void emit_job(Emitter *e, Unit *unit, const Job *job);
void emit_entry(Emitter *e, Unit *unit);

#endif
