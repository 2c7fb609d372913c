/* dever/database.h: Model operations and transactions, as generated code calls them.
 *
 * The whole SQL is fixed at compile time and stands in dv_statement, both dialects side by side; all
 * values are bound as parameters. Parameters are numbered in the order of `binds`. */
#ifndef DEVER_DATABASE_H
#define DEVER_DATABASE_H

#include <dever/scope.h>

/* A stored field. */
typedef struct dv_column {
    const char *name;
    const dv_type *type; /* Nullable when the field is */
    uint32_t offset;     /* of the field in the Model's record */
    uint8_t precision;   /* Decimal(precision, scale) */
    uint8_t scale;
    bool made; /* created_at and `generated`: the runtime makes the value of a new row */
} dv_column;

/* Which connection a Model or job names: `explicit_name` (a `database` line), or NULL for the
 * component's own connection, else "default". */
typedef struct dv_connection_name {
    const char *explicit_name;
    const char *component;
} dv_connection_name;

/* The tables a Model wants: statements to run in order on an empty database. */
typedef struct dv_model {
    const char *package; /* "content.article.model" */
    const char *table;
    dv_connection_name connection;
    const dv_type *record;
    const dv_column *columns; /* id, created_at, then declared order */
    uint32_t column_count;
    uint32_t ddl_count;
    const char *const *sqlite_ddl; /* CREATE TABLE, then indexes */
    const char *revision;          /* hash of the wanted schema, in hex */
} dv_model;

typedef struct dv_statement {
    const char *name; /* "content.article.model.first at module/…/app.dever:52:19" */
    const char *sqlite;
    const char *postgres; /* NULL until that driver exists */
} dv_statement;

/* A parameter: a value of column->type. For a column that is `made`, value may be NULL: then the
 * runtime makes it (a UUIDv7, or the invocation's time). */
typedef struct dv_bind {
    const dv_column *column;
    const void *value;
} dv_bind;

/* INSERT … RETURNING every column: fills *record. */
bool dv_model_create(dv_scope *s, const dv_model *m, const dv_statement *q, const dv_bind *binds,
                     uint32_t count, void *record);
/* One row by id; fails dever.database.Error.NotFound without it. */
bool dv_model_get(dv_scope *s, const dv_model *m, const dv_statement *q, const dv_bind *binds,
                  uint32_t count, void *record);
/* At most one row. *present tells whether *record was filled. */
bool dv_model_first(dv_scope *s, const dv_model *m, const dv_statement *q, const dv_bind *binds,
                    uint32_t count, bool *present, void *record);
/* A page. `total` counts the same rows; `q` ends with LIMIT ?n+1 OFFSET ?n+2, which the runtime binds
 * after checking page >= 1 and 1 <= size <= max_page_size (else InvalidData). */
bool dv_model_list(dv_scope *s, const dv_model *m, const dv_statement *total, const dv_statement *q,
                   const dv_bind *binds, uint32_t count, int64_t page, int64_t size, dv_page *out);
/* SELECT COUNT(*). */
bool dv_model_count(dv_scope *s, const dv_model *m, const dv_statement *q, const dv_bind *binds,
                    uint32_t count, int64_t *out);
/* SELECT EXISTS(…). */
bool dv_model_exists(dv_scope *s, const dv_model *m, const dv_statement *q, const dv_bind *binds,
                     uint32_t count, bool *out);
/* UPDATE or DELETE: the number of rows changed. */
bool dv_model_change(dv_scope *s, const dv_model *m, const dv_statement *q, const dv_bind *binds,
                     uint32_t count, int64_t *changed);

/* A transaction function: opens a transaction on the connection, or joins the open one. */
bool dv_transaction_begin(dv_scope *s, const dv_connection_name *connection);
/* Ends what the matching begin started: commits when `ok` (false if that fails), rolls back when not
 * and keeps the failure. Returns ok, or false. Joined transactions leave the end to the outermost. */
bool dv_transaction_end(dv_scope *s, bool ok);

/* The choice dever.database.Error: one Text payload each. */
typedef enum dv_database_error_tag {
    DV_DATABASE_POOL,
    DV_DATABASE_POOL_EXHAUSTED,
    DV_DATABASE_CONNECTION,
    DV_DATABASE_TIMEOUT,
    DV_DATABASE_CANCELLED,
    DV_DATABASE_DATABASE,
    DV_DATABASE_CONSTRAINT,
    DV_DATABASE_NOT_FOUND,
    DV_DATABASE_INVALID_DATA,
    DV_DATABASE_MIGRATION
} dv_database_error_tag;

typedef struct dv_database_Error {
    int32_t tag;
    union {
        struct {
            dv_text message;
        } any; /* every variant has this payload */
    } as;
} dv_database_Error;

extern const dv_type dv_database_Error_type;

#endif
