/* runtime/database/error.c: the description of dever.database.Error: ten error variants with one
 * Text. */
#include <dever/database.h>

static const dv_field message = {"message", &dv_type_text, offsetof(dv_database_Error, as)};

#define VARIANT(tag, name) [tag] = {name, true, 1, &message}

static const dv_variant variants[] = {
    VARIANT(DV_DATABASE_POOL, "Pool"),
    VARIANT(DV_DATABASE_POOL_EXHAUSTED, "PoolExhausted"),
    VARIANT(DV_DATABASE_CONNECTION, "Connection"),
    VARIANT(DV_DATABASE_TIMEOUT, "Timeout"),
    VARIANT(DV_DATABASE_CANCELLED, "Cancelled"),
    VARIANT(DV_DATABASE_DATABASE, "Database"),
    VARIANT(DV_DATABASE_CONSTRAINT, "Constraint"),
    VARIANT(DV_DATABASE_NOT_FOUND, "NotFound"),
    VARIANT(DV_DATABASE_INVALID_DATA, "InvalidData"),
    VARIANT(DV_DATABASE_MIGRATION, "Migration"),
};

const dv_type dv_database_Error_type = {
    .kind = DV_CHOICE,
    .size = sizeof(dv_database_Error),
    .name = "dever.database.Error",
    .count = sizeof variants / sizeof variants[0],
    .variants = variants,
};
