/* Generated from Dever source: do not edit. */
#include "program.h"

static const dv_column garden_plant_model__columns[] = {
    {"id", &garden_plant_model__id_type, offsetof(garden_plant_model_Plant, id), 0, 0, false},
    {"created_at", &dv_type_datetime, offsetof(garden_plant_model_Plant, created_at), 0, 0, true},
    {"name", &dv_type_text, offsetof(garden_plant_model_Plant, name), 0, 0, false},
    {"kind", &garden_plant_model_Kind_type, offsetof(garden_plant_model_Plant, kind), 0, 0, false},
    {"height", &dv_type_maybe_decimal, offsetof(garden_plant_model_Plant, height), 8, 2, false},
    {"mark", &dv_type_uuid, offsetof(garden_plant_model_Plant, mark), 0, 0, true},
};
static const char *const garden_plant_model__ddl[] = {
    "CREATE TABLE \"plant\" (\n  \"id\" INTEGER PRIMARY KEY AUTOINCREMENT,\n  \"created_at\" INTEGER NOT NULL,\n  \"name\" TEXT NOT NULL CHECK (length(\"name\") BETWEEN 1 AND 40),\n  \"kind\" TEXT NOT NULL DEFAULT 'Herb' CHECK (\"kind\" IN ('Tree', 'Herb')),\n  \"height\" TEXT CHECK (length(\"height\") = 13 AND substr(\"height\", 1, 1) = 'D'),\n  \"mark\" BLOB NOT NULL CHECK (length(\"mark\") = 16)\n) STRICT",
    "CREATE UNIQUE INDEX \"_dever_idx_1af25860f5b99b8b\" ON \"plant\" (\"name\")",
    "CREATE INDEX \"_dever_idx_a2524fceac8237f1\" ON \"plant\" (\"kind\")",
    "CREATE INDEX \"_dever_idx_5cc2cc3c23e74922\" ON \"plant\" (\"kind\", \"height\")",
};
const dv_model garden_plant_model = {
    .package = "garden.plant.model",
    .table = "plant",
    .connection = {NULL, "garden"},
    .record = &garden_plant_model_Plant_type,
    .columns = garden_plant_model__columns,
    .column_count = 6,
    .ddl_count = 4,
    .sqlite_ddl = garden_plant_model__ddl,
    .revision = "d01408e0bb95101d",
};
static const dv_statement garden_plant_app_plant__create_1 = {
    .name = "create at module/garden/plant/app.dever:2:10",
    .sqlite = "INSERT INTO \"plant\" (\"name\", \"height\", \"created_at\", \"mark\") VALUES (\0771, \0772, \0773, \0774) RETURNING \"id\", \"created_at\", \"name\", \"kind\", \"height\", \"mark\"",
};
static const dv_statement garden_plant_app_look__get_1 = {
    .name = "get at module/garden/plant/app.dever:10:10",
    .sqlite = "SELECT \"id\", \"created_at\", \"name\", \"kind\", \"height\", \"mark\" FROM \"plant\" WHERE \"id\" = \0771 LIMIT 1",
};
static const dv_statement garden_plant_app_search__list_1 = {
    .name = "list at module/garden/plant/app.dever:14:11",
    .sqlite = "SELECT \"id\", \"created_at\", \"name\", \"kind\", \"height\", \"mark\" FROM \"plant\" WHERE (((instr(\"name\", \0771) > 0 OR substr(CAST(\"name\" AS BLOB), 1, length(CAST(\0772 AS BLOB))) = CAST(\0772 AS BLOB)) OR substr(CAST(\"name\" AS BLOB), CASE length(CAST(\0773 AS BLOB)) WHEN 0 THEN length(CAST(\"name\" AS BLOB)) + 1 ELSE -length(CAST(\0773 AS BLOB)) END) = CAST(\0773 AS BLOB)) AND \"height\" BETWEEN \0774 AND \0775) ORDER BY \"height\" DESC, \"name\" ASC, \"id\" DESC LIMIT \0776 OFFSET \0777",
};
static const dv_statement garden_plant_app_search__total_2 = {
    .name = "total at module/garden/plant/app.dever:14:11",
    .sqlite = "SELECT COUNT(*) FROM \"plant\" WHERE (((instr(\"name\", \0771) > 0 OR substr(CAST(\"name\" AS BLOB), 1, length(CAST(\0772 AS BLOB))) = CAST(\0772 AS BLOB)) OR substr(CAST(\"name\" AS BLOB), CASE length(CAST(\0773 AS BLOB)) WHEN 0 THEN length(CAST(\"name\" AS BLOB)) + 1 ELSE -length(CAST(\0773 AS BLOB)) END) = CAST(\0773 AS BLOB)) AND \"height\" BETWEEN \0774 AND \0775)",
};
static const dv_statement garden_plant_app_numbers__count_1 = {
    .name = "count at module/garden/plant/app.dever:26:11",
    .sqlite = "SELECT COUNT(*) FROM \"plant\" WHERE (\"kind\" IN (\0771, \0772) AND \"height\" >= \0773)",
};
static const dv_statement garden_plant_app_numbers__exists_2 = {
    .name = "exists at module/garden/plant/app.dever:27:9",
    .sqlite = "SELECT EXISTS(SELECT 1 FROM \"plant\" WHERE (\"height\" IS NULL OR NOT (\"kind\" IS \0771)))",
};
static const dv_statement garden_plant_app_tend__update_1 = {
    .name = "update at module/garden/plant/app.dever:31:7",
    .sqlite = "UPDATE \"plant\" SET \"height\" = \0772 WHERE \"id\" = \0771",
};
static const dv_statement garden_plant_app_tend__update_2 = {
    .name = "update at module/garden/plant/app.dever:32:7",
    .sqlite = "UPDATE \"plant\" SET \"kind\" = \0772, \"height\" = \0773 WHERE \"height\" < \0771",
};
static const dv_statement garden_plant_app_tend__delete_3 = {
    .name = "delete at module/garden/plant/app.dever:36:7",
    .sqlite = "DELETE FROM \"plant\" WHERE \"height\" IS NOT NULL",
};
static const dv_statement garden_plant_app_tend__delete_4 = {
    .name = "delete at module/garden/plant/app.dever:37:7",
    .sqlite = "DELETE FROM \"plant\" WHERE \"id\" = \0771",
};

/* garden.plant.plant  module/garden/plant/app.dever:1 */
bool garden_plant_app_plant(dv_scope *s, dv_text name, dv_maybe_decimal height, int64_t *stored) {
    const dv_bind binds_1_[] = {
        {&garden_plant_model__columns[2], &name},
        {&garden_plant_model__columns[4], &height},
        {&garden_plant_model__columns[1], NULL},
        {&garden_plant_model__columns[5], NULL},
    };
    garden_plant_model_Plant create_2_;
    if (!dv_model_create(s, &garden_plant_model, &garden_plant_app_plant__create_1, binds_1_, 4, &create_2_)) {
        return dv_at(s, "module/garden/plant/app.dever:2:10");
    }
    garden_plant_model_Plant made = create_2_;
    *stored = made.id;
    return true;
}

/* garden.plant.look  module/garden/plant/app.dever:9 */
bool garden_plant_app_look(dv_scope *s, int64_t id, dv_text *name) {
    const dv_bind binds_1_[] = {
        {&garden_plant_model__columns[0], &id},
    };
    garden_plant_model_Plant get_2_;
    if (!dv_model_get(s, &garden_plant_model, &garden_plant_app_look__get_1, binds_1_, 1, &get_2_)) {
        return dv_at(s, "module/garden/plant/app.dever:10:10");
    }
    *name = get_2_.name;
    return true;
}

/* garden.plant.search  module/garden/plant/app.dever:13 */
bool garden_plant_app_search(dv_scope *s, dv_text part, dv_decimal from, dv_decimal to, dv_list *names) {
    dv_text value_1_ = (dv_text){"x", 1};
    dv_maybe_decimal value_2_ = (dv_maybe_decimal){true, from};
    dv_maybe_decimal value_3_ = (dv_maybe_decimal){true, to};
    const dv_bind binds_4_[] = {
        {&garden_plant_model__columns[2], &part},
        {&garden_plant_model__columns[2], &value_1_},
        {&garden_plant_model__columns[2], &part},
        {&garden_plant_model__columns[4], &value_2_},
        {&garden_plant_model__columns[4], &value_3_},
    };
    dv_page list_5_;
    if (!dv_model_list(s, &garden_plant_model, &garden_plant_app_search__total_2, &garden_plant_app_search__list_1, binds_4_, 5, 2, 5, &list_5_)) {
        return dv_at(s, "module/garden/plant/app.dever:14:11");
    }
    dv_page found = list_5_;
    dv_list list_6_ = {0};
    for (int64_t i_7_ = 0; i_7_ < found.items.length; i_7_++) {
        if (!dv_step(s)) {
            return dv_at(s, "module/garden/plant/app.dever:20:11");
        }
        dv_text item_8_;
        if (!garden_plant_app_name_of(s, DV_ITEM(found.items, garden_plant_model_Plant, i_7_), &item_8_)) {
            return dv_at(s, "module/garden/plant/app.dever:20:11");
        }
        if (!dv_list_append(s, &dv_type_text, list_6_, &item_8_, &list_6_)) {
            return dv_at(s, "module/garden/plant/app.dever:20:11");
        }
    }
    *names = list_6_;
    return true;
}

/* garden.plant.name_of  module/garden/plant/app.dever:23 */
bool garden_plant_app_name_of(dv_scope *s, garden_plant_model_Plant plant, dv_text *name) {
    (void)s;
    *name = plant.name;
    return true;
}

/* garden.plant.numbers  module/garden/plant/app.dever:25 */
bool garden_plant_app_numbers(dv_scope *s, dv_decimal least, int64_t *total, bool *any) {
    garden_plant_model_Kind value_1_ = (garden_plant_model_Kind){.tag = garden_plant_model_Kind_Tree};
    garden_plant_model_Kind value_2_ = (garden_plant_model_Kind){.tag = garden_plant_model_Kind_Herb};
    dv_maybe_decimal value_3_ = (dv_maybe_decimal){true, least};
    const dv_bind binds_4_[] = {
        {&garden_plant_model__columns[3], &value_1_},
        {&garden_plant_model__columns[3], &value_2_},
        {&garden_plant_model__columns[4], &value_3_},
    };
    int64_t count_5_;
    if (!dv_model_count(s, &garden_plant_model, &garden_plant_app_numbers__count_1, binds_4_, 3, &count_5_)) {
        return dv_at(s, "module/garden/plant/app.dever:26:11");
    }
    *total = count_5_;
    garden_plant_model_Kind value_6_ = (garden_plant_model_Kind){.tag = garden_plant_model_Kind_Tree};
    const dv_bind binds_7_[] = {
        {&garden_plant_model__columns[3], &value_6_},
    };
    bool exists_8_;
    if (!dv_model_exists(s, &garden_plant_model, &garden_plant_app_numbers__exists_2, binds_7_, 1, &exists_8_)) {
        return dv_at(s, "module/garden/plant/app.dever:27:9");
    }
    *any = exists_8_;
    return true;
}

/* garden.plant.tend  module/garden/plant/app.dever:30 */
bool garden_plant_app_tend(dv_scope *s, int64_t id, dv_decimal height) {
    dv_maybe_decimal value_1_ = (dv_maybe_decimal){true, height};
    const dv_bind binds_2_[] = {
        {&garden_plant_model__columns[0], &id},
        {&garden_plant_model__columns[4], &value_1_},
    };
    int64_t update_3_;
    if (!dv_model_change(s, &garden_plant_model, &garden_plant_app_tend__update_1, binds_2_, 2, &update_3_)) {
        return dv_at(s, "module/garden/plant/app.dever:31:7");
    }
    (void)update_3_;
    dv_maybe_decimal value_4_ = (dv_maybe_decimal){true, height};
    garden_plant_model_Kind value_5_ = (garden_plant_model_Kind){.tag = garden_plant_model_Kind_Tree};
    dv_maybe_decimal value_6_ = (dv_maybe_decimal){0};
    const dv_bind binds_7_[] = {
        {&garden_plant_model__columns[4], &value_4_},
        {&garden_plant_model__columns[3], &value_5_},
        {&garden_plant_model__columns[4], &value_6_},
    };
    int64_t update_8_;
    if (!dv_model_change(s, &garden_plant_model, &garden_plant_app_tend__update_2, binds_7_, 3, &update_8_)) {
        return dv_at(s, "module/garden/plant/app.dever:32:7");
    }
    (void)update_8_;
    int64_t delete_9_;
    if (!dv_model_change(s, &garden_plant_model, &garden_plant_app_tend__delete_3, NULL, 0, &delete_9_)) {
        return dv_at(s, "module/garden/plant/app.dever:36:7");
    }
    (void)delete_9_;
    const dv_bind binds_10_[] = {
        {&garden_plant_model__columns[0], &id},
    };
    int64_t delete_11_;
    if (!dv_model_change(s, &garden_plant_model, &garden_plant_app_tend__delete_4, binds_10_, 1, &delete_11_)) {
        return dv_at(s, "module/garden/plant/app.dever:37:7");
    }
    (void)delete_11_;
    return true;
}

