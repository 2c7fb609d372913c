/* runtime/database/sqlite.h: the SQLite driver. */
#ifndef RUNTIME_DATABASE_SQLITE_H
#define RUNTIME_DATABASE_SQLITE_H

#include "runtime/database/driver.h"

/* Opens (and creates) the file and sets it up: WAL, synchronous=FULL, foreign keys. Switching a
 * file to WAL ignores SQLite's busy handler, so it is retried for ten seconds. NULL on failure. */
DbConnection *sqlite_open(const char *path, DbError *error);

#endif
