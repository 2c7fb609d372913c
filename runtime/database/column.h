/* runtime/database/column.h: the stored form of each type [SQLite].
 *
 *   Bool                      INTEGER 0 or 1
 *   Int, ids, times           INTEGER (times in milliseconds)
 *   Float                     REAL
 *   Decimal(precision, scale) TEXT, a key whose byte order is the order of the numbers
 *   Text, Json                TEXT
 *   Bytes                     BLOB
 *   Uuid                      BLOB of 16 bytes
 *   choice                    TEXT, the variant's name */
#ifndef RUNTIME_DATABASE_COLUMN_H
#define RUNTIME_DATABASE_COLUMN_H

#include "runtime/database/driver.h"

/* The parameter for `value`, a value of column->type; memory it needs is the scope's. NULL for a
 * column that is `made`: a UUIDv7, or the scope's time. False with *error filled (InvalidData: the
 * value has no stored form), or without a message when the scope's memory ran out. */
bool column_write(dv_scope *s, const dv_column *column, const void *value, DbValue *out,
                  DbError *error);

/* Reads a stored value into *out, a value of column->type whose memory is the scope's. False as
 * above: what is stored cannot be of that type. */
bool column_read(dv_scope *s, const dv_column *column, DbValue stored, void *out, DbError *error);

#endif
