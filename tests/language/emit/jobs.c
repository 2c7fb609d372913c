/* Generated from Dever source: do not edit. */
#include "program.h"

static const dv_column mill_sack_model__columns[] = {
    {"id", &mill_sack_model__id_type, offsetof(mill_sack_model_Sack, id), 0, 0, false},
    {"created_at", &dv_type_datetime, offsetof(mill_sack_model_Sack, created_at), 0, 0, true},
    {"weight", &dv_type_int, offsetof(mill_sack_model_Sack, weight), 0, 0, false},
};
static const char *const mill_sack_model__ddl[] = {
    "CREATE TABLE \"sack\" (\n  \"id\" INTEGER PRIMARY KEY AUTOINCREMENT,\n  \"created_at\" INTEGER NOT NULL,\n  \"weight\" INTEGER NOT NULL\n) STRICT",
};
const dv_model mill_sack_model = {
    .package = "mill.sack.model",
    .table = "sack",
    .connection = {NULL, "mill"},
    .record = &mill_sack_model_Sack_type,
    .columns = mill_sack_model__columns,
    .column_count = 3,
    .ddl_count = 1,
    .sqlite_ddl = mill_sack_model__ddl,
    .revision = "77a3d062b90ce64d",
};
static const dv_statement mill_sack_app_bring__inside__create_1 = {
    .name = "create at module/mill/sack/app.dever:4:10",
    .sqlite = "INSERT INTO \"sack\" (\"weight\", \"created_at\") VALUES (\0771, \0772) RETURNING \"id\", \"created_at\", \"weight\"",
};
static const dv_statement mill_sack_app_grind__inside__delete_1 = {
    .name = "delete at module/mill/sack/app.dever:10:7",
    .sqlite = "DELETE FROM \"sack\" WHERE \"id\" = \0771",
};
static const dv_statement mill_sack_app_sweep__delete_1 = {
    .name = "delete at module/mill/sack/app.dever:14:7",
    .sqlite = "DELETE FROM \"sack\" WHERE \"weight\" IS \0771",
};

/* mill.sack.bring  module/mill/sack/app.dever:3 */
static bool mill_sack_app_bring__inside(dv_scope *s, int64_t weight, int64_t at, dv_text *task) {
    const dv_bind binds_1_[] = {
        {&mill_sack_model__columns[2], &weight},
        {&mill_sack_model__columns[1], NULL},
    };
    mill_sack_model_Sack create_2_;
    if (!dv_model_create(s, &mill_sack_model, &mill_sack_app_bring__inside__create_1, binds_1_, 2, &create_2_)) {
        return dv_at(s, "module/mill/sack/app.dever:4:10");
    }
    mill_sack_model_Sack sack = create_2_;
    dv_text task_3_;
    if (!dv_job_enqueue(s, &mill_sack_job_sweep__job, NULL, (dv_text){"sweep", 5}, NULL, &task_3_)) {
        return dv_at(s, "module/mill/sack/app.dever:5:7");
    }
    (void)task_3_;
    mill_sack_app_Grind value_4_ = (mill_sack_app_Grind){.sack = sack.id};
    dv_text task_5_;
    if (!dv_job_enqueue(s, &mill_sack_job_grind__job, &value_4_, (dv_text){"grind", 5}, &at, &task_5_)) {
        return dv_at(s, "module/mill/sack/app.dever:6:10");
    }
    *task = task_5_;
    return true;
}

bool mill_sack_app_bring(dv_scope *s, int64_t weight, int64_t at, dv_text *task) {
    static const dv_connection_name connection_ = {NULL, "mill"};
    if (!dv_transaction_begin(s, &connection_)) {
        return dv_at(s, "module/mill/sack/app.dever:3:13");
    }
    return dv_transaction_end(s, mill_sack_app_bring__inside(s, weight, at, task));
}

/* mill.sack.grind  module/mill/sack/app.dever:9 */
static bool mill_sack_app_grind__inside(dv_scope *s, mill_sack_app_Grind input_) {
    const dv_bind binds_1_[] = {
        {&mill_sack_model__columns[0], &input_.sack},
    };
    int64_t delete_2_;
    if (!dv_model_change(s, &mill_sack_model, &mill_sack_app_grind__inside__delete_1, binds_1_, 1, &delete_2_)) {
        return dv_at(s, "module/mill/sack/app.dever:10:7");
    }
    (void)delete_2_;
    return true;
}

bool mill_sack_app_grind(dv_scope *s, mill_sack_app_Grind input_) {
    static const dv_connection_name connection_ = {NULL, "mill"};
    if (!dv_transaction_begin(s, &connection_)) {
        return dv_at(s, "module/mill/sack/app.dever:9:13");
    }
    return dv_transaction_end(s, mill_sack_app_grind__inside(s, input_));
}

/* mill.sack.sweep  module/mill/sack/app.dever:13 */
bool mill_sack_app_sweep(dv_scope *s) {
    int64_t value_1_ = 0;
    const dv_bind binds_2_[] = {
        {&mill_sack_model__columns[2], &value_1_},
    };
    int64_t delete_3_;
    if (!dv_model_change(s, &mill_sack_model, &mill_sack_app_sweep__delete_1, binds_2_, 1, &delete_3_)) {
        return dv_at(s, "module/mill/sack/app.dever:14:7");
    }
    (void)delete_3_;
    return true;
}

/* mill.sack.job.grind  module/mill/sack/job.dever:3 */
bool mill_sack_job_grind(dv_scope *s, mill_sack_app_Grind input_) {
    if (!mill_sack_app_grind(s, input_)) {
        return dv_at(s, "module/mill/sack/job.dever:4:3");
    }
    return true;
}

/* job mill.sack.job.grind */
static bool mill_sack_job_grind__handler(dv_scope *s, const void *input) {
    return mill_sack_job_grind(s, *(const mill_sack_app_Grind *)input);
}

const dv_job mill_sack_job_grind__job = {
    .target = "mill.sack.job.grind",
    .schema = "{sack:id<mill.sack.model>}",
    .fingerprint = "v1:260c425e5ab4de118261c0877e055c25",
    .connection = {"default", "mill"},
    .input = &mill_sack_app_Grind_type,
    .max_attempts = 3,
    .timeout_ms = 1000,
    .completes_in_transaction = true,
    .handler = mill_sack_job_grind__handler,
    .place = "module/mill/sack/job.dever:3:5",
};

/* mill.sack.job.sweep  module/mill/sack/job.dever:7 */
bool mill_sack_job_sweep(dv_scope *s) {
    if (!mill_sack_app_sweep(s)) {
        return dv_at(s, "module/mill/sack/job.dever:8:3");
    }
    return true;
}

/* job mill.sack.job.sweep */
static bool mill_sack_job_sweep__handler(dv_scope *s, const void *input) {
    (void)input;
    return mill_sack_job_sweep(s);
}

const dv_job mill_sack_job_sweep__job = {
    .target = "mill.sack.job.sweep",
    .schema = "()",
    .fingerprint = "v1:2e38e77b22c314a449e91fafed92a438",
    .connection = {"default", "mill"},
    .input = NULL,
    .max_attempts = 1,
    .timeout_ms = 500,
    .completes_in_transaction = false,
    .handler = mill_sack_job_sweep__handler,
    .place = "module/mill/sack/job.dever:7:5",
};

