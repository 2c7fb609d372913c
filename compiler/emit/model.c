/* compiler/emit/model.c: tables of Models and the SQL of their operations, fixed here for ever. */
#include "compiler/emit/emit_internal.h"

#include <inttypes.h>

#include "base/json_writer.h"

/* ---- SQL ---- */

static void add_name(Buf *sql, Str name) {
    buf_format(sql, "\"" STR_FMT "\"", STR_ARG(name));
}

static void add_columns(Buf *sql, const Model *model) {
    for (size_t i = 0; i < model->columns.count; i++) {
        buf_add(sql, i == 0 ? STR("") : STR(", "));
        add_name(sql, model->columns.items[i].name);
    }
}

/* What an operation binds, in the order of the parameters. */
typedef struct Binds {
    VEC(FieldValue) items; /* value NULL: the runtime makes it */
} Binds;

static size_t bind(FunctionOut *f, Binds *binds, size_t field, XExpr *value) {
    FieldValue item = {field, value};
    vec_push(f->emitter->arena, &binds->items, item);
    return binds->items.count;
}

static void add_condition(FunctionOut *f, Buf *sql, Binds *binds, const Model *model,
                          const Condition *condition) {
    if (condition->kind == CONDITION_AND || condition->kind == CONDITION_OR) {
        buf_add_char(sql, '(');
        add_condition(f, sql, binds, model, condition->left);
        buf_add(sql, condition->kind == CONDITION_AND ? STR(" AND ") : STR(" OR "));
        add_condition(f, sql, binds, model, condition->right);
        buf_add_char(sql, ')');
        return;
    }
    if (condition->kind == CONDITION_NOT) {
        buf_add(sql, STR("NOT ("));
        add_condition(f, sql, binds, model, condition->left);
        buf_add_char(sql, ')');
        return;
    }
    Str name = model->columns.items[condition->field].name;
    size_t at[2] = {0, 0};
    for (size_t i = 0; i < condition->values.count && condition->kind != CONDITION_IN; i++) {
        at[i] = bind(f, binds, condition->field, condition->values.items[i]);
    }
    switch (condition->kind) {
    case CONDITION_COMPARE: {
        Str sign = condition->op == BINARY_EQUAL       ? STR("IS")
                   : condition->op == BINARY_NOT_EQUAL ? STR("IS NOT")
                                                       : binary_op_text(condition->op);
        buf_format(sql, "\"" STR_FMT "\" " STR_FMT " ?%zu", STR_ARG(name), STR_ARG(sign), at[0]);
        break;
    }
    case CONDITION_NULL:
        buf_format(sql, "\"" STR_FMT "\" IS %sNULL", STR_ARG(name),
                   condition->negated ? "NOT " : "");
        break;
    case CONDITION_IN:
        buf_format(sql, "\"" STR_FMT "\" IN (", STR_ARG(name));
        for (size_t i = 0; i < condition->values.count; i++) {
            buf_format(sql, "%s?%zu", i == 0 ? "" : ", ",
                       bind(f, binds, condition->field, condition->values.items[i]));
        }
        buf_add_char(sql, ')');
        break;
    case CONDITION_BETWEEN:
        buf_format(sql, "\"" STR_FMT "\" BETWEEN ?%zu AND ?%zu", STR_ARG(name), at[0], at[1]);
        break;
    case CONDITION_CONTAINS:
        buf_format(sql, "instr(\"" STR_FMT "\", ?%zu) > 0", STR_ARG(name), at[0]);
        break;
    case CONDITION_STARTS_WITH:
        /* As bytes: on texts, length() ends at a NUL. A prefix of UTF-8 is a prefix of its bytes. */
        buf_format(sql,
                   "substr(CAST(\"" STR_FMT "\" AS BLOB), 1, length(CAST(?%zu AS BLOB)))"
                   " = CAST(?%zu AS BLOB)",
                   STR_ARG(name), at[0], at[0]);
        break;
    case CONDITION_ENDS_WITH:
        /* substr counts from the end; an empty end, which fits every text, would count from nowhere. */
        buf_format(
            sql,
            "substr(CAST(\"" STR_FMT "\" AS BLOB), CASE length(CAST(?%zu AS BLOB)) WHEN 0 THEN"
            " length(CAST(\"" STR_FMT "\" AS BLOB)) + 1 ELSE -length(CAST(?%zu AS BLOB)) END)"
            " = CAST(?%zu AS BLOB)",
            STR_ARG(name), at[0], STR_ARG(name), at[0], at[0]);
        break;
    case CONDITION_AND:
    case CONDITION_OR:
    case CONDITION_NOT:
        break;
    }
}

static void add_where(FunctionOut *f, Buf *sql, Binds *binds, const ModelOp *op) {
    if (op->id != NULL) {
        buf_format(sql, " WHERE \"id\" = ?%zu", bind(f, binds, 0, op->id));
    } else if (op->where != NULL) {
        buf_add(sql, STR(" WHERE "));
        add_condition(f, sql, binds, op->model, op->where);
    }
}

static void add_order(Buf *sql, const ModelOp *op) {
    buf_add(sql, STR(" ORDER BY "));
    for (size_t i = 0; i < op->order.count; i++) {
        buf_add(sql, i == 0 ? STR("") : STR(", "));
        add_name(sql, op->model->columns.items[op->order.items[i].field].name);
        buf_add(sql, op->order.items[i].descending ? STR(" DESC") : STR(" ASC"));
    }
}

static void add_insert(FunctionOut *f, Buf *sql, Binds *binds, const ModelOp *op) {
    const Model *model = op->model;
    buf_format(sql, "INSERT INTO \"" STR_FMT "\" (", STR_ARG(model->table));
    for (size_t i = 0; i < op->writes.count; i++) {
        bind(f, binds, op->writes.items[i].field, op->writes.items[i].value);
    }
    for (size_t i = 1; i < model->columns.count; i++) {
        if (i == 1 || model->columns.items[i].is_generated) {
            bind(f, binds, i, NULL);
        }
    }
    for (size_t i = 0; i < binds->items.count; i++) {
        buf_add(sql, i == 0 ? STR("") : STR(", "));
        add_name(sql, model->columns.items[binds->items.items[i].field].name);
    }
    buf_add(sql, STR(") VALUES ("));
    for (size_t i = 0; i < binds->items.count; i++) {
        buf_format(sql, "%s?%zu", i == 0 ? "" : ", ", i + 1);
    }
    buf_add(sql, STR(") RETURNING "));
    add_columns(sql, model);
}

static void add_update(FunctionOut *f, Buf *sql, Binds *binds, const ModelOp *op) {
    Buf where = {0};
    add_where(f, &where, binds, op); /* its values come first, as in the source */
    buf_format(sql, "UPDATE \"" STR_FMT "\" SET ", STR_ARG(op->model->table));
    for (size_t i = 0; i < op->writes.count; i++) {
        const FieldValue *write = &op->writes.items[i];
        Str name = op->model->columns.items[write->field].name;
        buf_format(sql, "%s\"" STR_FMT "\" = ?%zu", i == 0 ? "" : ", ", STR_ARG(name),
                   bind(f, binds, write->field, write->value));
    }
    buf_add(sql, buf_str(&where));
    buf_done(&where);
}

static void add_select(FunctionOut *f, Buf *sql, Binds *binds, const ModelOp *op,
                       const char *what) {
    buf_add(sql, STR("SELECT "));
    if (what != NULL) {
        buf_add(sql, str_from(what));
    } else {
        add_columns(sql, op->model);
    }
    buf_format(sql, " FROM \"" STR_FMT "\"", STR_ARG(op->model->table));
    add_where(f, sql, binds, op);
}

/* ---- statements ---- */

/* A static dv_statement; gives its name in C. */
static Str add_statement(FunctionOut *f, const char *word, const Buf *sql, Span span) {
    Emitter *e = f->emitter;
    Str name = str_format(e->arena, STR_FMT "__%s_%d", STR_ARG(f->name), word, ++f->statements);
    Place place = source_place(span.file, span.from);
    Str title = str_format(e->arena, "%s at " STR_FMT ":%u:%u", word, STR_ARG(span.file->path),
                           place.line, place.column);
    Str text = c_string(e, buf_str(sql));
    Str shown = c_string(e, title);
    Out *out = &f->unit->tables;
    out_open(out, "static const dv_statement " STR_FMT " = {", STR_ARG(name));
    out_line(out, ".name = " STR_FMT ",", STR_ARG(shown));
    out_line(out, ".sqlite = " STR_FMT ",", STR_ARG(text));
    out_close(out, ";");
    out_line(&e->sql, "-- " STR_FMT, STR_ARG(title));
    out_line(&e->sql, STR_FMT ";", STR_ARG(buf_str(sql)));
    out_line(&e->sql, "%s", "");
    return name;
}

/* The array of parameters; its name and count as ", binds, n". */
static Str emit_binds(FunctionOut *f, const Model *model, const Binds *binds) {
    Arena *arena = f->emitter->arena;
    size_t count = binds->items.count;
    Str *values = arena_make_n(arena, Str, count);
    if (count == 0) {
        return STR("NULL, 0");
    }
    for (size_t i = 0; i < count; i++) {
        const XExpr *value = binds->items.items[i].value;
        values[i] = value == NULL ? STR("NULL") : emit_lvalue(f, value);
    }
    Str columns = c_model(f->emitter, model);
    Str name = fresh(f, "binds");
    out_open(f->out, "const dv_bind " STR_FMT "[] = {", STR_ARG(name));
    for (size_t i = 0; i < count; i++) {
        out_line(f->out, "{&" STR_FMT "__columns[%zu], %s" STR_FMT "},", STR_ARG(columns),
                 binds->items.items[i].field, binds->items.items[i].value == NULL ? "" : "&",
                 STR_ARG(values[i]));
    }
    out_close(f->out, ";");
    return str_format(arena, STR_FMT ", %zu", STR_ARG(name), count);
}

static void call_model(FunctionOut *f, const char *function, const ModelOp *op, Str statement,
                       Str binds, Str rest, Span span) {
    Str model = c_model(f->emitter, op->model);
    emit_checked(f,
                 str_format(f->emitter->arena,
                            "%s(s, &" STR_FMT ", " STR_FMT ", " STR_FMT ", " STR_FMT ")", function,
                            STR_ARG(model), STR_ARG(statement), STR_ARG(binds), STR_ARG(rest)),
                 span);
}

static Str declare(FunctionOut *f, const char *word, const Type *type) {
    Str name = fresh(f, word);
    Str c = c_type(f->emitter, type);
    out_line(f->out, STR_FMT " " STR_FMT ";", STR_ARG(c), STR_ARG(name));
    return name;
}

static const struct {
    ModelOpKind kind;
    const char *word;
    const char *function;
} calls[] = {
    {MODEL_CREATE, "create", "dv_model_create"}, {MODEL_GET, "get", "dv_model_get"},
    {MODEL_FIRST, "first", "dv_model_first"},    {MODEL_LIST, "list", "dv_model_list"},
    {MODEL_COUNT, "count", "dv_model_count"},    {MODEL_EXISTS, "exists", "dv_model_exists"},
    {MODEL_UPDATE, "update", "dv_model_change"}, {MODEL_DELETE, "delete", "dv_model_change"},
};

static void make_sql(FunctionOut *f, Buf *sql, Binds *binds, const ModelOp *op) {
    switch (op->kind) {
    case MODEL_CREATE:
        add_insert(f, sql, binds, op);
        break;
    case MODEL_GET:
        add_select(f, sql, binds, op, NULL);
        buf_add(sql, STR(" LIMIT 1"));
        break;
    case MODEL_FIRST:
        add_select(f, sql, binds, op, NULL);
        add_order(sql, op);
        buf_add(sql, STR(" LIMIT 1"));
        break;
    case MODEL_LIST:
        add_select(f, sql, binds, op, NULL);
        add_order(sql, op);
        buf_format(sql, " LIMIT ?%zu OFFSET ?%zu", binds->items.count + 1, binds->items.count + 2);
        break;
    case MODEL_COUNT:
        add_select(f, sql, binds, op, "COUNT(*)");
        break;
    case MODEL_EXISTS:
        buf_add(sql, STR("SELECT EXISTS("));
        add_select(f, sql, binds, op, "1");
        buf_add_char(sql, ')');
        break;
    case MODEL_UPDATE:
        add_update(f, sql, binds, op);
        break;
    case MODEL_DELETE:
        buf_format(sql, "DELETE FROM \"" STR_FMT "\"", STR_ARG(op->model->table));
        add_where(f, sql, binds, op);
        break;
    }
}

Str emit_model_op(FunctionOut *f, const XExpr *x) {
    Arena *arena = f->emitter->arena;
    const ModelOp *op = x->model;
    size_t which = 0;
    while (calls[which].kind != op->kind) {
        which++;
    }
    Buf sql = {0};
    Binds binds = {0};
    make_sql(f, &sql, &binds, op);
    Str statement = add_statement(f, calls[which].word, &sql, x->span);
    buf_done(&sql);
    statement = str_format(arena, "&" STR_FMT, STR_ARG(statement));
    Str rest = STR("");
    if (op->kind == MODEL_LIST) {
        Buf total = {0};
        Binds again = {0};
        add_select(f, &total, &again, op, "COUNT(*)");
        Str count = add_statement(f, "total", &total, x->span);
        buf_done(&total);
        statement = str_format(arena, "&" STR_FMT ", " STR_FMT, STR_ARG(count), STR_ARG(statement));
    }
    Str bound = emit_binds(f, op->model, &binds);
    if (op->kind == MODEL_LIST) {
        Str page = op->page == NULL ? STR("1") : emit_value(f, op->page);
        Str size = op->size == NULL ? STR("20") : emit_value(f, op->size);
        rest = str_format(arena, STR_FMT ", " STR_FMT ", ", STR_ARG(page), STR_ARG(size));
    }
    Str result = declare(f, calls[which].word, x->type);
    if (op->kind == MODEL_FIRST) {
        rest = str_format(arena, "&" STR_FMT ".present, &" STR_FMT ".value", STR_ARG(result),
                          STR_ARG(result));
    } else {
        rest = str_format(arena, STR_FMT "&" STR_FMT, STR_ARG(rest), STR_ARG(result));
    }
    call_model(f, calls[which].function, op, statement, bound, rest, x->span);
    return result;
}

/* ---- tables ---- */

static void add_default(Buf *ddl, const Column *column) {
    const XExpr *x = column->default_value;
    char key[DECIMAL_KEY_SIZE];
    x = x != NULL && x->kind == X_LIFT ? x->operand : x;
    if (x == NULL || x->kind == X_NULL) {
        return;
    }
    buf_add(ddl, STR(" DEFAULT "));
    switch (x->kind) {
    case X_BOOL:
        buf_add(ddl, x->boolean ? STR("1") : STR("0"));
        break;
    case X_INT:
        buf_format(ddl, "%" PRId64, x->integer);
        break;
    case X_FLOAT:
        json_write_float(ddl, x->real);
        break;
    case X_DECIMAL:
        decimal_to_key(x->decimal, column->precision, column->scale, key);
        buf_format(ddl, "'%s'", key);
        break;
    case X_CHOICE:
        buf_format(ddl, "'" STR_FMT "'", STR_ARG(x->choice.variant->name));
        break;
    case X_UUID:
        buf_add(ddl, STR("X'"));
        for (size_t i = 0; i < sizeof x->uuid.bytes; i++) {
            buf_format(ddl, "%02X", x->uuid.bytes[i]);
        }
        buf_add_char(ddl, '\'');
        break;
    default: /* a text: quotes are doubled */
        buf_add_char(ddl, '\'');
        for (size_t i = 0; i < x->text.len; i++) {
            buf_add(ddl, x->text.ptr[i] == '\'' ? STR("''") : str_slice(x->text, i, i + 1));
        }
        buf_add_char(ddl, '\'');
        break;
    }
}

static void add_length_check(Buf *ddl, const Column *column) {
    if (column->most == 0) {
        return;
    }
    if (column->least > 0) {
        buf_format(ddl, " CHECK (length(\"" STR_FMT "\") BETWEEN %d AND %d)", STR_ARG(column->name),
                   column->least, column->most);
    } else {
        buf_format(ddl, " CHECK (length(\"" STR_FMT "\") <= %d)", STR_ARG(column->name),
                   column->most);
    }
}

static void add_choice_check(Buf *ddl, const Column *column, const Choice *choice) {
    buf_format(ddl, " CHECK (\"" STR_FMT "\" IN (", STR_ARG(column->name));
    for (size_t i = 0; i < choice->variants.count; i++) {
        buf_format(ddl, "%s'" STR_FMT "'", i == 0 ? "" : ", ",
                   STR_ARG(choice->variants.items[i]->name));
    }
    buf_add(ddl, STR("))"));
}

static const char *column_type(const Type *type) {
    switch (type->kind) {
    case TYPE_FLOAT:
        return "REAL";
    case TYPE_DECIMAL:
    case TYPE_TEXT:
    case TYPE_JSON:
    case TYPE_CHOICE:
        return "TEXT";
    case TYPE_BYTES:
    case TYPE_UUID:
        return "BLOB";
    default:
        return "INTEGER";
    }
}

static void add_column(Buf *ddl, const Column *column, size_t index) {
    const Type *type = column->type->kind == TYPE_NULLABLE ? column->type->item : column->type;
    buf_format(ddl, ",\n  \"" STR_FMT "\" %s", STR_ARG(column->name), column_type(type));
    if (column->type->kind != TYPE_NULLABLE) {
        buf_add(ddl, STR(" NOT NULL"));
    }
    if (index > 1) {
        add_default(ddl, column);
    }
    switch (type->kind) {
    case TYPE_BOOL:
        buf_format(ddl, " CHECK (\"" STR_FMT "\" IN (0, 1))", STR_ARG(column->name));
        break;
    case TYPE_TEXT:
    case TYPE_BYTES:
        add_length_check(ddl, column);
        break;
    case TYPE_DECIMAL:
        buf_format(ddl,
                   " CHECK (length(\"" STR_FMT "\") = %d AND substr(\"" STR_FMT "\", 1, 1) = 'D')",
                   STR_ARG(column->name), column->precision + 5, STR_ARG(column->name));
        break;
    case TYPE_UUID:
        buf_format(ddl, " CHECK (length(\"" STR_FMT "\") = 16)", STR_ARG(column->name));
        break;
    case TYPE_CHOICE:
        add_choice_check(ddl, column, type->choice);
        break;
    case TYPE_MODEL_ID:
        if (column->foreign != NULL) {
            buf_format(ddl, " REFERENCES \"" STR_FMT "\" (\"id\")",
                       STR_ARG(column->foreign->table));
        }
        break;
    default:
        break;
    }
}

static void make_table(Buf *ddl, const Model *model) {
    buf_format(ddl, "CREATE TABLE \"" STR_FMT "\" (\n  \"id\" INTEGER PRIMARY KEY AUTOINCREMENT",
               STR_ARG(model->table));
    for (size_t i = 1; i < model->columns.count; i++) {
        add_column(ddl, &model->columns.items[i], i);
    }
    buf_add(ddl, STR("\n) STRICT"));
}

/* The name of an index tells it apart from every other, also in another Model. */
static void make_index(Buf *ddl, const Model *model, const ModelIndex *index) {
    Buf identity = {0};
    buf_format(&identity, STR_FMT ":" STR_FMT ":%s:", STR_ARG(model->package),
               STR_ARG(model->table), index->is_unique ? "unique" : "index");
    for (size_t i = 0; i < index->columns.count; i++) {
        buf_add(&identity, model->columns.items[index->columns.items[i]].name);
        buf_add_char(&identity, '\0');
    }
    buf_format(ddl, "CREATE %sINDEX \"_dever_idx_%016" PRIx64 "\" ON \"" STR_FMT "\" (",
               index->is_unique ? "UNIQUE " : "", str_hash(buf_str(&identity)),
               STR_ARG(model->table));
    for (size_t i = 0; i < index->columns.count; i++) {
        buf_add(ddl, i == 0 ? STR("") : STR(", "));
        add_name(ddl, model->columns.items[index->columns.items[i]].name);
    }
    buf_add_char(ddl, ')');
    buf_done(&identity);
}

static void emit_columns(Emitter *e, Out *out, const Model *model, Str name) {
    Str record = c_record(e, model->record);
    out_open(out, "static const dv_column " STR_FMT "__columns[] = {", STR_ARG(name));
    for (size_t i = 0; i < model->columns.count; i++) {
        const Column *column = &model->columns.items[i];
        Str text = c_string(e, column->name);
        Str type = c_description(e, column->type);
        Str field = c_field(e, column->name);
        out_line(out, "{" STR_FMT ", " STR_FMT ", offsetof(" STR_FMT ", " STR_FMT "), %d, %d, %s},",
                 STR_ARG(text), STR_ARG(type), STR_ARG(record), STR_ARG(field), column->precision,
                 column->scale, i == 1 || column->is_generated ? "true" : "false");
    }
    out_close(out, ";");
}

void emit_model(Emitter *e, Unit *unit, const Model *model) {
    Out *out = &unit->tables;
    Str name = c_model(e, model);
    uint64_t revision = 0;
    emit_columns(e, out, model, name);
    out_open(out, "static const char *const " STR_FMT "__ddl[] = {", STR_ARG(name));
    for (size_t i = 0; i <= model->indexes.count; i++) {
        Buf ddl = {0};
        if (i == 0) {
            make_table(&ddl, model);
        } else {
            make_index(&ddl, model, &model->indexes.items[i - 1]);
        }
        Str text = c_string_of_lines(e, buf_str(&ddl));
        out_line(out, STR_FMT ",", STR_ARG(text));
        out_line(&e->sql, STR_FMT ";", STR_ARG(buf_str(&ddl)));
        out_line(&e->sql, "%s", "");
        revision = revision * 1099511628211u ^ str_hash(buf_str(&ddl));
        buf_done(&ddl);
    }
    out_close(out, ";");
    Str package = c_string(e, model->package);
    Str table = c_string(e, model->table);
    Str component = c_string(e, model->file->component);
    Str database = model->database.len == 0 ? STR("NULL") : c_string(e, model->database);
    Str record = c_description(e, model->record->type);
    out_line(&e->header, "extern const dv_model " STR_FMT ";", STR_ARG(name));
    out_open(out, "const dv_model " STR_FMT " = {", STR_ARG(name));
    out_line(out, ".package = " STR_FMT ",", STR_ARG(package));
    out_line(out, ".table = " STR_FMT ",", STR_ARG(table));
    out_line(out, ".connection = {" STR_FMT ", " STR_FMT "},", STR_ARG(database),
             STR_ARG(component));
    out_line(out, ".record = " STR_FMT ",", STR_ARG(record));
    out_line(out, ".columns = " STR_FMT "__columns,", STR_ARG(name));
    out_line(out, ".column_count = %zu,", model->columns.count);
    out_line(out, ".ddl_count = %zu,", model->indexes.count + 1);
    out_line(out, ".sqlite_ddl = " STR_FMT "__ddl,", STR_ARG(name));
    out_line(out, ".revision = \"%016" PRIx64 "\",", revision);
    out_close(out, ";");
}
