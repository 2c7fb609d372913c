/* runtime/database/schema.h: the tables of a program's Models. */
#ifndef RUNTIME_DATABASE_SCHEMA_H
#define RUNTIME_DATABASE_SCHEMA_H

#include "runtime/database/database.h"

/* Makes what is missing of the Models that live on this database, in one transaction, and records
 * each one's revision in `_dever_history`. A start that finds everything in place only reads. A
 * Model that changed, a table that is not ours, or a table that was lost is refused with Migration,
 * and nothing is altered: schema changes are not supported yet. At the start, by one thread. */
bool schema_prepare(Database *database, const dv_model *const *models, uint32_t count, int64_t now,
                    DbError *error);

#endif
