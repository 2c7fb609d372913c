/* compiler/program/program.h: the checked program.
 *
 * check/ builds it from the syntax trees; emit/ and the commands read only this. Everything is
 * resolved: each expression has a type and each call its target, conversions are explicit, each
 * function has its clauses as a decision tree, its effects and its failures. Nothing here is partly
 * checked: when a message of severity error was given, nobody reads the program.
 *
 * All of it lives in the compilation's arena. Types are interned: equal types are one pointer. */
#ifndef COMPILER_PROGRAM_PROGRAM_H
#define COMPILER_PROGRAM_PROGRAM_H

#include "base/decimal.h"
#include "base/uuid.h"
#include "base/vec.h"
#include "compiler/syntax/tree.h"

typedef struct Type Type;
typedef struct Record Record;
typedef struct Choice Choice;
typedef struct Variant Variant;
typedef struct Model Model;
typedef struct Function Function;
typedef struct Clause Clause;
typedef struct Job Job;
typedef struct XExpr XExpr;

/* ---- types ------------------------------------------------------------------------------- */

typedef enum TypeKind {
    TYPE_ERROR, /* what failed to resolve; reported already, fits everything, only while checking */
    TYPE_BOOL,
    TYPE_INT,
    TYPE_DECIMAL,
    TYPE_FLOAT,
    TYPE_TEXT,
    TYPE_ID,
    TYPE_BYTES,
    TYPE_SECRET,
    TYPE_UUID,
    TYPE_DATETIME,
    TYPE_DATE,
    TYPE_TIME,
    TYPE_DURATION,
    TYPE_JSON,
    TYPE_MODEL_ID,  /* model */
    TYPE_NULLABLE,  /* item; never of a nullable */
    TYPE_LIST,      /* item */
    TYPE_MAP,       /* key, item */
    TYPE_MAP_ENTRY, /* key, item */
    TYPE_RECORD,    /* record */
    TYPE_CHOICE,    /* choice */
    TYPE_OUTPUTS    /* function: the value of a call with two or more outputs */
} TypeKind;

struct Type {
    TypeKind kind;
    Str name; /* for people: "Int", "List<Text>", "content.article.ArticleView", "DateTime?" */
    Type *item;
    Type *key;
    Record *record;
    Choice *choice;
    Model *model;
    Function *function;
};

/* An inclusive interval of Int or Decimal values; a side that is absent is open. Decimal bounds `<`
 * and `>` are turned into the neighbouring value. */
typedef struct Interval {
    bool has_low, has_high;
    bool is_decimal;
    int64_t low, high; /* Int */
    Decimal decimal_low, decimal_high;
} Interval;

typedef struct Field {
    Str name;
    Type *type;
    bool is_private;
    bool has_bounds;
    Interval bounds;
    Span span;
} Field;

typedef enum RecordOrigin {
    RECORD_DECLARED,
    RECORD_MODEL, /* the stored record: fields are id, created_at, then the declared ones */
    RECORD_PAGE   /* <model>.Page: items, page, size, total, pages */
} RecordOrigin;

struct Record {
    Str name;      /* "ArticleView" */
    Str qualified; /* "content.article.ArticleView" (App), "content.article.model.Article" */
    const SourceFile *file;
    RecordOrigin origin;
    Model *model; /* MODEL, PAGE */
    VEC(Field) fields;
    Type *type;
    Span span;
};

struct Variant {
    Str name;
    bool is_error;
    int32_t tag; /* position in the choice */
    Choice *choice;
    VEC(Field) fields;
    bool has_label;
    Str label;
    Span span;
};

struct Choice {
    Str name;
    Str qualified;
    const SourceFile *file;
    VEC(Variant *) variants;
    bool has_payload; /* some variant has fields */
    Type *type;
    Span span;
};

/* ---- functions --------------------------------------------------------------------------- */

/* What running a function may reach; a set of bits. */
typedef enum Effect {
    EFFECT_DATABASE = 1 << 0,
    EFFECT_WRITE = 1 << 1, /* a Model write or an enqueue */
    EFFECT_ENQUEUE = 1 << 2,
    EFFECT_TIME = 1 << 3,
    EFFECT_RANDOM = 1 << 4,
    EFFECT_STDOUT = 1 << 5,
    EFFECT_LOG = 1 << 6,
    EFFECT_SUSPENDS = 1 << 7, /* sleeps, waits */
    EFFECT_CONCURRENCY = 1 << 8,
    EFFECT_NETWORK = 1 << 9,
    EFFECT_PROCESS = 1 << 10,
    EFFECT_SERVE = 1 << 11 /* dever.job.serve, dever.api.serve */
} Effect;

typedef struct Input {
    Str name; /* of the first clause */
    Type *type;
    Span span;
} Input;

typedef struct Output {
    Str name;
    Type *type;
    bool has_bounds;
    Interval bounds;
    Span span;
} Output;

typedef enum LocalKind { LOCAL_INPUT, LOCAL_OUTPUT, LOCAL_BINDING, LOCAL_VARIABLE } LocalKind;

/* A name in a clause. Its type is the narrowed one: DateTime where the clause excludes null. */
typedef struct Local {
    LocalKind kind;
    Str name; /* unique within the clause */
    Type *type;
    size_t input;           /* INPUT, BINDING: which input */
    const Variant *variant; /* BINDING: payload field `field` of this variant of the input */
    size_t field;
    bool is_read;
    Span span;
} Local;

typedef enum XStatementKind {
    XSTATEMENT_ASSIGN,       /* local = value */
    XSTATEMENT_ASSIGN_FIELD, /* local.fields… = value */
    XSTATEMENT_DISCARD,      /* _ = value */
    XSTATEMENT_CALL,         /* value has no outputs */
    XSTATEMENT_FAIL          /* value is an X_CHOICE of an error variant */
} XStatementKind;

typedef struct XStatement {
    XStatementKind kind;
    Local *local;
    VEC(size_t) fields; /* ASSIGN_FIELD: index at each level */
    XExpr *value;
    Span span;
} XStatement;

struct Clause {
    Function *function;
    const FunctionNode *node;
    VEC(Local *) inputs; /* one for each input, in order */
    VEC(Local *) bindings;
    VEC(Local *) outputs;
    VEC(Local *) locals; /* the rest */
    VEC(XStatement *) statements;
    bool fails; /* the last statement is a fail */
    Span span;
};

/* One element of the partition of an input's values. */
typedef enum AtomKind {
    ATOM_NULL,
    ATOM_BOOL,     /* boolean */
    ATOM_VARIANT,  /* variant */
    ATOM_INTERVAL, /* interval */
    ATOM_TEXT,     /* text */
    ATOM_REST      /* everything that no other atom of the input holds */
} AtomKind;

typedef struct Atom {
    AtomKind kind;
    bool boolean;
    const Variant *variant;
    Interval interval;
    Str text;
} Atom;

/* A decision tree over the inputs. Coverage is proven, so a branch always applies; the last branch
 * needs no test. */
typedef struct Decision Decision;

typedef struct Branch {
    VEC(Atom) atoms; /* any of them */
    Decision *then;
} Branch;

struct Decision {
    Clause *clause; /* a leaf when not NULL */
    size_t input;   /* else: the input that is tested */
    VEC(Branch) branches;
};

struct Function {
    Str name;      /* "submit" */
    Str qualified; /* what callers write in full: "content.article.submit", "text.slice" */
    Str package;   /* "content.article.app", "text": with `name` the C name of the function */
    const SourceFile *file;
    Role role;
    FunctionKind kind;
    bool is_pure;
    bool has_recover;
    VEC(Input) inputs;
    VEC(Output) outputs;
    VEC(Clause *) clauses;         /* none: a function of a standard package */
    Decision *decision;            /* NULL when there is at most one clause */
    uint32_t effects;              /* of Effect, with those of everything it calls */
    VEC(const Variant *) failures; /* inferred failure set, in a stable order */
    Type *outputs_type;            /* TYPE_OUTPUTS when there are two or more outputs */
    /* TRANSACTION: whose connection it runs on. */
    const Model *transaction_model;
    const Job *transaction_job;
    bool is_reached; /* from main, a command, a job or a route */
    Span span;       /* the name of the first clause */
};

/* ---- expressions ------------------------------------------------------------------------- */

typedef enum XKind {
    X_ERROR, /* reported already; only while checking */
    X_BOOL,
    X_INT,
    X_DECIMAL,
    X_FLOAT,
    X_TEXT,
    X_UUID,
    X_NULL, /* type is nullable */
    X_LOCAL,
    X_FIELD,   /* host.field: of a record, a MapEntry or the outputs of a call */
    X_RECORD,  /* record literal */
    X_CHOICE,  /* variant with its payload */
    X_LIST,    /* list literal */
    X_LIFT,    /* T as T? */
    X_PROMOTE, /* Int as Decimal */
    X_NEGATE,
    X_NOT,
    X_BINARY,
    X_CALL,   /* of a function, also of a standard package; no, one or more outputs */
    X_RESULT, /* result(call): call_result */
    X_COLLECTION,
    X_MODEL, /* Model operation */
    X_ENQUEUE
} XKind;

typedef enum CollectionOp {
    COLLECTION_EACH,
    COLLECTION_FILTER,
    COLLECTION_FIND,
    COLLECTION_SUM, /* handler NULL: of the items themselves */
    COLLECTION_REDUCE,
    COLLECTION_REDUCE_UNTIL,
    COLLECTION_APPEND, /* sequence, argument */
    COLLECTION_FIRST,
    COLLECTION_LENGTH /* of a List or Text */
} CollectionOp;

typedef enum ModelOpKind {
    MODEL_CREATE,
    MODEL_GET,
    MODEL_FIRST,
    MODEL_LIST,
    MODEL_COUNT,
    MODEL_EXISTS,
    MODEL_UPDATE,
    MODEL_DELETE
} ModelOpKind;

typedef enum ConditionKind {
    CONDITION_AND,
    CONDITION_OR,
    CONDITION_NOT,
    CONDITION_COMPARE, /* field op value; value has the field's type, lifted where it is nullable */
    CONDITION_NULL,    /* field == null, or != null when negated */
    CONDITION_IN,      /* field, values */
    CONDITION_BETWEEN, /* field, values[0] and [1] */
    CONDITION_CONTAINS,
    CONDITION_STARTS_WITH,
    CONDITION_ENDS_WITH
} ConditionKind;

typedef struct Condition Condition;
struct Condition {
    ConditionKind kind;
    Condition *left, *right; /* AND, OR; NOT uses left */
    size_t field;            /* index in the Model's columns */
    BinaryOp op;
    bool negated;
    VEC(XExpr *) values;
    Span span;
};

typedef struct FieldValue {
    size_t field; /* index in the Model's columns or in the record's fields */
    XExpr *value;
} FieldValue;

typedef struct Order {
    size_t field;
    bool descending;
} Order;

typedef struct ModelOp {
    ModelOpKind kind;
    Model *model;
    XExpr *id;              /* GET; UPDATE and DELETE by id */
    Condition *where;       /* NULL: every row */
    VEC(Order) order;       /* complete: ends with the id */
    XExpr *page, *size;     /* LIST; NULL: 1 and 20 */
    VEC(FieldValue) writes; /* CREATE, UPDATE: in source order */
} ModelOp;

struct XExpr {
    XKind kind;
    Type *type; /* NULL for a call without outputs */
    Span span;
    union {
        bool boolean;
        int64_t integer;
        Decimal decimal;
        double real;
        Str text;
        Uuid uuid;
        Local *local;
        struct {
            XExpr *host;
            size_t index;
        } field;
        struct {
            VEC(FieldValue) values; /* in source order, which is the order of evaluation */
        } record;
        struct {
            const Variant *variant;
            VEC(XExpr *) arguments;
        } choice;
        VEC(XExpr *) list;
        XExpr *operand; /* LIFT, PROMOTE, NEGATE, NOT */
        struct {
            BinaryOp op; /* both sides have one type, but for `==` and `!=` with X_NULL */
            XExpr *left, *right;
        } binary;
        struct {
            Function *function;
            VEC(XExpr *) arguments;
        } call;
        struct {
            XExpr *call;
            const Variant *success;
            VEC(const Variant *) wrappers; /* error variants that hold a whole error choice */
        } result;
        struct {
            CollectionOp op;
            Function *handler;
            XExpr *sequence;
            XExpr *argument; /* context, start value or appended item; may be NULL */
        } collection;
        ModelOp *model;
        struct {
            Job *job;
            XExpr *input; /* NULL: none */
            XExpr *key;
            XExpr *run_at; /* NULL: now */
        } enqueue;
    };
};

/* ---- models, jobs, entries --------------------------------------------------------------- */

typedef struct Column {
    Str name;
    Type *type;          /* nullable when the field is */
    int32_t least, most; /* Text and Bytes: bounds of the length; most 0: none */
    int32_t precision, scale;
    bool is_generated;
    bool is_private;
    XExpr *default_value; /* a constant of `type`, or NULL */
    Model *foreign;       /* the Model whose id it holds */
    Span span;
} Column;

typedef struct ModelIndex {
    bool is_unique;
    VEC(size_t) columns;
} ModelIndex;

struct Model {
    Str package; /* "content.article.model" */
    Str table;   /* "article" */
    const SourceFile *file;
    Str database; /* of the `database` line; empty: by component, else default */
    Record *record;
    Record *page;
    Type *id;
    VEC(Column) columns;     /* id, created_at, then the declared ones: same order as the record */
    VEC(ModelIndex) indexes; /* sorted by columns, without doubles */
    Span span;
};

struct Job {
    Str name;   /* "publish" */
    Str target; /* "content.article.job.publish" */
    Str database;
    const SourceFile *file;
    Record *input;  /* NULL: none */
    Function *body; /* role JOB, one clause, at most one input, no outputs */
    int64_t retry;
    int64_t timeout_ms;
    Str schema;      /* canonical text */
    Str fingerprint; /* v1:… */
    bool completes_in_transaction;
    Span span;
};

typedef struct Schedule {
    Job *job;
    Str cron;
    Span span;
} Schedule;

typedef struct Command {
    Str name; /* "content.article.submit" */
    Function *function;
    Span span;
} Command;

typedef struct Program {
    Arena *arena;
    const Project *project;
    VEC(Record *) records;     /* each after those it contains */
    VEC(Choice *) choices;     /* likewise */
    VEC(Type *) types;         /* every interned type that occurs, each after those it contains */
    VEC(Function *) functions; /* in order of file and place; not those of packages */
    VEC(Model *) models;
    VEC(Job *) jobs;
    VEC(Schedule) schedules;
    VEC(Command) commands;
    Function *main; /* NULL: there is no main.dever */
} Program;

#endif
