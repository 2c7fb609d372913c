/* compiler/syntax/tree.h: the syntax tree, exactly what was written.
 *
 * Nodes know no types and no declarations; check/ reads this tree and builds program/. Everything
 * lives in the compilation's arena. A name path `a.b.c` is kept as its parts. Where parsing failed
 * there is an EXPR_ERROR node or the declaration is left out: the message has been given. */
#ifndef COMPILER_SYNTAX_TREE_H
#define COMPILER_SYNTAX_TREE_H

#include "base/vec.h"
#include "compiler/source/source.h"

typedef struct Name {
    Str text; /* view of the source */
    Span span;
} Name;

/* One or more names with dots between them. */
typedef struct Path {
    Name *parts;
    size_t count;
    Span span;
} Path;

typedef struct Expr Expr;
typedef VEC(Expr *) ExprList;

/* ---- types ------------------------------------------------------------------------------- */

typedef struct TypeNode TypeNode;
struct TypeNode {
    Path path;                 /* Int, model.Article, List */
    VEC(TypeNode *) arguments; /* List<…>, Map<…, …> */
    VEC(Name) parameters;      /* Text(1, 200): number tokens as written */
    bool nullable;
    Span span;
};

typedef enum BoundOp { BOUND_LESS, BOUND_LESS_EQUAL, BOUND_GREATER, BOUND_GREATER_EQUAL } BoundOp;

typedef struct Bound {
    BoundOp op;
    bool negative;
    Str number; /* as written */
    Span span;
} Bound;

typedef VEC(Bound) BoundList; /* 0 to 2 */

typedef enum ModifierKind {
    MODIFIER_GENERATED,
    MODIFIER_DEFAULT, /* value */
    MODIFIER_INDEX,
    MODIFIER_UNIQUE,
    MODIFIER_FROM,    /* name */
    MODIFIER_CREATE,  /* value */
    MODIFIER_REPLACE, /* value */
    MODIFIER_SEARCH   /* value */
} ModifierKind;

typedef struct Modifier {
    ModifierKind kind;
    Expr *value; /* NULL unless the kind has one */
    Name name;   /* of `from` */
    Span span;
} Modifier;

/* A record member, payload field, output, setting field or handler field. */
typedef struct FieldNode {
    bool is_private;
    bool is_owner;
    Name name;
    TypeNode *type;
    BoundList bounds;
    VEC(Modifier) modifiers;
    Expr *owner_value; /* NULL unless is_owner */
    Span span;
} FieldNode;

typedef VEC(FieldNode *) FieldList;

typedef struct VariantNode {
    bool is_error;
    Name name;
    bool has_parentheses; /* Flat() against Flat */
    FieldList fields;
    bool has_label;
    Str label; /* decoded */
    Span span;
} VariantNode;

/* ---- expressions ------------------------------------------------------------------------- */

typedef enum ExprKind {
    EXPR_ERROR, /* reported already */
    EXPR_TRUE,
    EXPR_FALSE,
    EXPR_NULL,
    EXPR_NUMBER, /* number */
    EXPR_TEXT,   /* text */
    EXPR_PATH,   /* path: local, field chain, variant, callable */
    EXPR_FIELD,  /* field of a value that is no path: f(x).name */
    EXPR_CALL,   /* call; also fail(…) and result(…): the callee is that single name */
    EXPR_RECORD, /* path { name = value … } */
    EXPR_BLOCK,  /* { key = value … }: map literal or model block */
    EXPR_LIST,   /* [a, b] */
    EXPR_PAREN,  /* ( inner ) */
    EXPR_UNARY,
    EXPR_BINARY,
    EXPR_CHANNEL /* channel(Type, capacity) */
} ExprKind;

typedef enum UnaryOp { UNARY_MINUS, UNARY_NOT } UnaryOp;

typedef enum BinaryOp {
    BINARY_OR,
    BINARY_AND,
    BINARY_EQUAL,
    BINARY_NOT_EQUAL,
    BINARY_LESS,
    BINARY_LESS_EQUAL,
    BINARY_GREATER,
    BINARY_GREATER_EQUAL,
    BINARY_ADD,
    BINARY_SUBTRACT,
    BINARY_MULTIPLY,
    BINARY_DIVIDE,
    BINARY_QUOTIENT, /* // */
    BINARY_REMAINDER /* % */
} BinaryOp;

/* "+", "and", … as written; static. */
Str binary_op_text(BinaryOp op);

/* name = value in a record literal, key = value in a block. */
typedef struct Member {
    Expr *key; /* a record's key is an EXPR_PATH of one part */
    Expr *value;
    Span span;
} Member;

/* Levels of an expression; more are refused (P009), so recursion over a tree is bounded. */
enum { EXPR_LEVELS_MOST = 128 };

struct Expr {
    ExprKind kind;
    uint8_t height; /* levels of this tree, 1 to EXPR_LEVELS_MOST */
    Span span;
    union {
        Str number; /* as written */
        Str text;   /* decoded; may hold NUL */
        Path path;
        struct {
            Expr *host;
            Name name;
        } field;
        struct {
            Expr *callee;
            ExprList arguments;
        } call;
        struct {
            Path path; /* of EXPR_RECORD only */
            VEC(Member) members;
        } block;
        ExprList list;
        Expr *inner;
        struct {
            UnaryOp op;
            Expr *operand;
        } unary;
        struct {
            BinaryOp op;
            Span op_span;
            Expr *left;
            Expr *right;
        } binary;
        struct {
            TypeNode *type;
            Expr *capacity;
        } channel;
    };
};

/* ---- functions --------------------------------------------------------------------------- */

typedef enum PatternKind {
    PATTERN_TYPE, /* type [bounds]; also a payload-free variant without (), told apart by check */
    PATTERN_OTHER,
    PATTERN_TRUE,
    PATTERN_FALSE,
    PATTERN_NULL,
    PATTERN_TEXT,    /* text */
    PATTERN_NUMBER,  /* negative, number */
    PATTERN_VARIANT, /* type's path (…bindings…), with parentheses */
    PATTERN_HANDLER  /* handler(inputs) (outputs) */
} PatternKind;

typedef struct InputNode {
    Name name;
    PatternKind kind;
    TypeNode *type; /* TYPE, VARIANT */
    BoundList bounds;
    bool negative;
    Str number;
    Str text;
    VEC(Name) bindings; /* VARIANT; "_" ignores */
    FieldList handler_inputs;
    FieldList handler_outputs;
    Span span;    /* the whole input */
    Span pattern; /* what stands behind the colon */
} InputNode;

typedef enum StatementKind {
    STATEMENT_ASSIGN, /* target = value */
    STATEMENT_CALL    /* value alone */
} StatementKind;

typedef struct StatementNode {
    StatementKind kind;
    Path target; /* name [.field …]; `_` discards */
    Expr *value;
    Span span;
} StatementNode;

typedef VEC(StatementNode *) StatementList;

typedef enum FunctionKind { FUNCTION_PLAIN, FUNCTION_TRANSACTION, FUNCTION_JOB } FunctionKind;

/* One clause as written. Clauses of one name and input count form a function (check/). */
typedef struct FunctionNode {
    FunctionKind kind;
    Path name; /* dotted: implementation of a Port operation */
    VEC(InputNode *) inputs;
    FieldList outputs;
    bool has_retry, has_timeout;
    Span retry_span, timeout_span;
    int64_t retry;
    int64_t timeout_ms;
    bool is_pure;
    Span pure_span;
    bool has_recover;
    Str recover; /* decoded reason */
    Span recover_span;
    TypeNode *fails;   /* NULL: none */
    VEC(Name) effects; /* library files only: effect(time, database) */
    bool has_body;
    StatementList body;
    Span signature; /* from the name to the end of the outputs */
    Span span;
} FunctionNode;

/* ---- declarations ------------------------------------------------------------------------ */

typedef enum DeclKind {
    DECL_RECORD,
    DECL_CHOICE,
    DECL_FUNCTION,
    DECL_SETTING,
    DECL_DATABASE,
    DECL_INDEX, /* index(…) or unique(…) */
    DECL_RELATION,
    DECL_SEED,
    DECL_MIGRATE,
    DECL_SQL,
    DECL_SCHEDULE,
    DECL_ROUTE, /* get, post, put, delete */
    DECL_COMMAND,
    DECL_REST,
    DECL_EXTERNAL
} DeclKind;

typedef enum RouteMethod { ROUTE_GET, ROUTE_POST, ROUTE_PUT, ROUTE_DELETE } RouteMethod;
typedef enum MissedPolicy { MISSED_ABSENT, MISSED_ALL, MISSED_LATEST, MISSED_NONE } MissedPolicy;

typedef struct SqlTexts { /* the two dialects, decoded, with their places */
    Str sqlite, postgres;
    Span sqlite_span, postgres_span;
} SqlTexts;

typedef struct MigrateStep {
    enum { MIGRATE_DROP, MIGRATE_BEFORE, MIGRATE_AFTER } kind;
    Name name; /* DROP */
    SqlTexts sql;
    ExprList parameters;
    Span span;
} MigrateStep;

typedef struct Decl {
    DeclKind kind;
    bool is_public; /* routes */
    bool is_global; /* global type */
    Name name; /* type, database, schedule (of the job), route, command, relation, migrate, sql */
    Span span;
    union {
        FieldList fields; /* RECORD, SETTING */
        VEC(VariantNode *) variants;
        FunctionNode *function;
        struct {
            bool is_unique;
            VEC(Name) fields;
        } index;
        Path target;           /* RELATION, ROUTE, COMMAND, REST (count may be 0) */
        VEC(Expr *) seed_rows; /* EXPR_BLOCK each */
        VEC(MigrateStep) steps;
        struct {
            FieldList inputs;
            FieldList outputs;
            SqlTexts sql;
        } sql;
        struct {
            Str cron; /* decoded */
            Span cron_span;
            MissedPolicy missed;
            Span missed_span;
        } schedule;
        struct {
            Name ecosystem; /* exec command pip npm go */
            Str entry;
            Span entry_span;
            VEC(Name) libs; /* decoded texts with their places */
            VEC(Name) allows;
        } external;
    };
    RouteMethod method; /* ROUTE */
} Decl;

/* A comment as the lexer met it, for the formatter. */
typedef struct Comment {
    Str text; /* with `#`, without trailing blanks */
    Span span;
    bool trailing; /* on the line of the token before it */
} Comment;

typedef struct FileTree {
    const SourceFile *file;
    VEC(Decl *) decls;          /* in source order */
    VEC(Comment) comments;      /* in source order */
    const struct Token *tokens; /* lexer.h; for the formatter */
    size_t token_count;
    bool failed; /* lexing or parsing reported an error */
} FileTree;

#endif
