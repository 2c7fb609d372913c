/* runtime/database/transaction.h: the transaction of an invocation.
 *
 * A scope has at most one open transaction. Inner ones join it: only the outermost end commits or
 * rolls back. */
#ifndef RUNTIME_DATABASE_TRANSACTION_H
#define RUNTIME_DATABASE_TRANSACTION_H

#include "runtime/database/database.h"

/* Begins, or joins the open one. False after recording a failure (a dever.database.Error, or the
 * scope's cancellation). */
bool transaction_begin(dv_scope *s, Database *database);
/* Ends what the matching begin started; see dv_transaction_end. */
bool transaction_end(dv_scope *s, bool ok);
/* The connection of the scope's open transaction, NULL without one. */
DbConnection *transaction_connection(dv_scope *s);
/* Tells the hooks' after_end the least `due` of the open transaction. */
void transaction_note_due(dv_scope *s, int64_t due);
/* Rolls back what is still open: for the end of a scope, whatever happened before. */
void transaction_abandon(dv_scope *s);

/* A connection for reading: the open transaction's, else one of the pool, with *watch as its watch,
 * which must live until transaction_read_done. NULL after recording a failure. */
DbConnection *transaction_read(dv_scope *s, Database *database, DbWatch *watch);
/* Ends transaction_read. */
void transaction_read_done(dv_scope *s, Database *database, DbConnection *c);

/* Records the error as the scope's failure, as a dever.database.Error, or, when the scope was
 * cancelled, as its cancellation. An error without a message means that the scope holds the failure
 * already (its memory ran out). `place` is static or NULL. Returns false. */
bool transaction_fail(dv_scope *s, const DbError *error, const char *place);

#endif
