/* compiler/emit/value.c: expressions. What can fail becomes a statement of its own in front of the
 * expression that uses it, in the order of the source; the rest stays an expression. */
#include "compiler/emit/emit_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- small parts ---- */

Str fresh(FunctionOut *f, const char *word) {
    return str_format(f->emitter->arena, "%s_%d_", word, ++f->counter);
}

void emit_checked(FunctionOut *f, Str call, Span span) {
    Str place = c_place(f->emitter, span);
    f->uses_scope = true;
    out_open(f->out, "if (!" STR_FMT ") {", STR_ARG(call));
    out_line(f->out, "return dv_at(s, " STR_FMT ");", STR_ARG(place));
    out_close(f->out, "");
}

Str c_local_value(FunctionOut *f, const Local *local) {
    Str name = c_local(f->emitter, local->name);
    return local->kind == LOCAL_OUTPUT
               ? str_format(f->emitter->arena, "(*" STR_FMT ")", STR_ARG(name))
               : name;
}

Str c_int(Emitter *e, int64_t value) {
    if (value == INT64_MIN) {
        return STR("INT64_MIN");
    }
    bool small = value >= -2147483647 && value <= 2147483647;
    return str_format(e->arena,
                      small ? (value < 0 ? "(%" PRId64 ")" : "%" PRId64)
                            : (value < 0 ? "(INT64_C(%" PRId64 "))" : "INT64_C(%" PRId64 ")"),
                      value);
}

Str c_decimal(Emitter *e, Decimal value) {
    return str_format(e->arena,
                      "(dv_decimal){UINT64_C(%" PRIu64 "), UINT64_C(%" PRIu64 "), %d, %s}",
                      value.high, value.low, value.exponent, value.negative ? "true" : "false");
}

Str c_text(Emitter *e, Str text) {
    Str literal = c_string(e, text);
    return str_format(e->arena, "(dv_text){" STR_FMT ", %zu}", STR_ARG(literal), text.len);
}

static Str c_float(Emitter *e, double value) {
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    bool plain = strpbrk(text, ".e") == NULL;
    return str_format(e->arena, value < 0 ? "(%s%s)" : "%s%s", text, plain ? ".0" : "");
}

static Str c_uuid(Emitter *e, Uuid uuid) {
    Str text = STR("(dv_uuid){{");
    for (size_t i = 0; i < sizeof uuid.bytes; i++) {
        text = str_format(e->arena, STR_FMT "%s0x%02x", STR_ARG(text), i == 0 ? "" : ", ",
                          uuid.bytes[i]);
    }
    return str_format(e->arena, STR_FMT "}}", STR_ARG(text));
}

/* A variable that holds the C expression. */
static Str hold(FunctionOut *f, const char *word, const Type *type, Str value) {
    Str name = fresh(f, word);
    Str c = c_type(f->emitter, type);
    out_line(f->out, STR_FMT " " STR_FMT " = " STR_FMT ";", STR_ARG(c), STR_ARG(name),
             STR_ARG(value));
    return name;
}

static bool has_address(const XExpr *x) {
    return x->kind == X_LOCAL || (x->kind == X_FIELD && has_address(x->field.host));
}

Str emit_lvalue(FunctionOut *f, const XExpr *x) {
    Str value = emit_value(f, x);
    /* A call's result is a variable already: its name ends with an underscore. */
    bool variable = value.len > 0 && value.ptr[value.len - 1] == '_' &&
                    !str_find_char(value, ' ', NULL) && !str_find_char(value, '(', NULL);
    return has_address(x) || variable ? value : hold(f, "value", x->type, value);
}

/* ---- calls ---- */

static Str arguments_text(FunctionOut *f, Str callee, Str *arguments, size_t count) {
    Str text = str_format(f->emitter->arena, STR_FMT "(s", STR_ARG(callee));
    for (size_t i = 0; i < count; i++) {
        text = str_format(f->emitter->arena, STR_FMT ", " STR_FMT, STR_ARG(text),
                          STR_ARG(arguments[i]));
    }
    return text;
}

/* Evaluates the arguments and gives the call without its outputs and closing parenthesis. */
static Str begin_call(FunctionOut *f, const XExpr *x) {
    size_t count = x->call.arguments.count;
    Str *arguments = arena_make_n(f->emitter->arena, Str, count);
    for (size_t i = 0; i < count; i++) {
        arguments[i] = emit_value(f, x->call.arguments.items[i]);
    }
    return arguments_text(f, c_function(f->emitter, x->call.function), arguments, count);
}

static void finish_call(FunctionOut *f, const XExpr *x, Str begun, Str target) {
    const Function *function = x->call.function;
    Arena *arena = f->emitter->arena;
    if (function->outputs.count == 1) {
        bool pointer = str_starts_with(target, STR("(*")) && !str_find_char(target, '.', NULL);
        begun = pointer ? str_format(arena, STR_FMT ", " STR_FMT, STR_ARG(begun),
                                     STR_ARG(str_slice(target, 2, target.len - 1)))
                        : str_format(arena, STR_FMT ", &" STR_FMT, STR_ARG(begun), STR_ARG(target));
    }
    for (size_t i = 0; function->outputs.count > 1 && i < function->outputs.count; i++) {
        Str field = c_field(f->emitter, function->outputs.items[i].name);
        begun = str_format(arena, STR_FMT ", &" STR_FMT "." STR_FMT, STR_ARG(begun),
                           STR_ARG(target), STR_ARG(field));
    }
    emit_checked(f, str_format(arena, STR_FMT ")", STR_ARG(begun)), x->span);
}

static Str emit_call(FunctionOut *f, const XExpr *x) {
    Str begun = begin_call(f, x);
    Str target = STR("");
    if (x->type != NULL) {
        target = fresh(f, str_cstr(f->emitter->arena, x->call.function->name));
        Str type = c_type(f->emitter, x->type);
        out_line(f->out, STR_FMT " " STR_FMT ";", STR_ARG(type), STR_ARG(target));
    }
    finish_call(f, x, begun, target);
    return target;
}

/* A runtime function with two operands and one result. */
static Str emit_step(FunctionOut *f, const XExpr *x, const char *function, Str left, Str right) {
    Arena *arena = f->emitter->arena;
    Str name = fresh(f, "value");
    Str type = c_type(f->emitter, x->type);
    out_line(f->out, STR_FMT " " STR_FMT ";", STR_ARG(type), STR_ARG(name));
    Str call = right.len == 0 ? str_format(arena, "%s(s, " STR_FMT ", &" STR_FMT ")", function,
                                           STR_ARG(left), STR_ARG(name))
                              : str_format(arena, "%s(s, " STR_FMT ", " STR_FMT ", &" STR_FMT ")",
                                           function, STR_ARG(left), STR_ARG(right), STR_ARG(name));
    emit_checked(f, call, x->span);
    return name;
}

/* ---- operators ---- */

static const char *arithmetic_function(BinaryOp op, TypeKind kind) {
    bool decimal = kind == TYPE_DECIMAL;
    switch (op) {
    case BINARY_ADD:
        return kind == TYPE_TEXT ? "dv_text_concat" : decimal ? "dv_decimal_add" : "dv_int_add";
    case BINARY_SUBTRACT:
        return decimal ? "dv_decimal_subtract" : "dv_int_subtract";
    case BINARY_MULTIPLY:
        return decimal ? "dv_decimal_multiply" : "dv_int_multiply";
    case BINARY_DIVIDE:
        return "dv_decimal_divide";
    case BINARY_QUOTIENT:
        return "dv_int_quotient";
    case BINARY_REMAINDER:
        return "dv_int_remainder";
    default:
        return NULL;
    }
}

/* `and`, `or`: the right side runs only when it decides. */
static Str emit_logic(FunctionOut *f, const XExpr *x) {
    Arena *arena = f->emitter->arena;
    bool is_and = x->binary.op == BINARY_AND;
    Str left = emit_value(f, x->binary.left);
    Out inner = {.indent = f->out->indent + 1};
    Out *outer = f->out;
    f->out = &inner;
    Str right = emit_value(f, x->binary.right);
    f->out = outer;
    if (inner.buf.len == 0) {
        buf_done(&inner.buf);
        return str_format(arena, "(" STR_FMT " %s " STR_FMT ")", STR_ARG(left),
                          is_and ? "&&" : "||", STR_ARG(right));
    }
    Str name = hold(f, is_and ? "both" : "either", x->type, left);
    out_open(f->out, "if (%s" STR_FMT ") {", is_and ? "" : "!", STR_ARG(name));
    buf_add(&f->out->buf, buf_str(&inner.buf));
    out_line(f->out, STR_FMT " = " STR_FMT ";", STR_ARG(name), STR_ARG(right));
    out_close(f->out, "");
    buf_done(&inner.buf);
    return name;
}

static Str emit_equality(FunctionOut *f, const XExpr *x) {
    Arena *arena = f->emitter->arena;
    const XExpr *left = x->binary.left;
    const XExpr *right = x->binary.right;
    bool negated = x->binary.op == BINARY_NOT_EQUAL;
    if (left->kind == X_NULL || right->kind == X_NULL) {
        Str value = emit_value(f, left->kind == X_NULL ? right : left);
        return left->kind == X_NULL && right->kind == X_NULL
                   ? (negated ? STR("false") : STR("true"))
                   : str_format(arena, "%s" STR_FMT ".present", negated ? "" : "!", STR_ARG(value));
    }
    switch (left->type->kind) {
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_DATETIME:
    case TYPE_DATE:
    case TYPE_TIME:
    case TYPE_DURATION:
    case TYPE_MODEL_ID: {
        Str a = emit_value(f, left);
        Str b = emit_value(f, right);
        return str_format(arena, "(" STR_FMT " %s " STR_FMT ")", STR_ARG(a),
                          negated ? "!=" : "==", STR_ARG(b));
    }
    case TYPE_TEXT:
    case TYPE_ID:
    case TYPE_JSON:
    case TYPE_BYTES: {
        Str a = emit_value(f, left);
        Str b = emit_value(f, right);
        return str_format(arena, "%sdv_text_equal(" STR_FMT ", " STR_FMT ")", negated ? "!" : "",
                          STR_ARG(a), STR_ARG(b));
    }
    default: {
        Str a = emit_lvalue(f, left);
        Str b = emit_lvalue(f, right);
        Str type = c_description(f->emitter, left->type);
        return str_format(arena, "%sdv_equal(" STR_FMT ", &" STR_FMT ", &" STR_FMT ")",
                          negated ? "!" : "", STR_ARG(type), STR_ARG(a), STR_ARG(b));
    }
    }
}

static Str emit_binary(FunctionOut *f, const XExpr *x) {
    Arena *arena = f->emitter->arena;
    BinaryOp op = x->binary.op;
    TypeKind kind = x->binary.left->type->kind;
    if (op == BINARY_AND || op == BINARY_OR) {
        return emit_logic(f, x);
    }
    if (op == BINARY_EQUAL || op == BINARY_NOT_EQUAL) {
        return emit_equality(f, x);
    }
    Str left = emit_value(f, x->binary.left);
    Str right = emit_value(f, x->binary.right);
    Str sign = binary_op_text(op);
    bool orders = op == BINARY_LESS || op == BINARY_LESS_EQUAL || op == BINARY_GREATER ||
                  op == BINARY_GREATER_EQUAL;
    if (orders && kind == TYPE_DECIMAL) {
        return str_format(arena, "(dv_decimal_compare(" STR_FMT ", " STR_FMT ") " STR_FMT " 0)",
                          STR_ARG(left), STR_ARG(right), STR_ARG(sign));
    }
    if (orders || kind == TYPE_FLOAT) {
        return str_format(arena, "(" STR_FMT " " STR_FMT " " STR_FMT ")", STR_ARG(left),
                          STR_ARG(sign), STR_ARG(right));
    }
    return emit_step(f, x, arithmetic_function(op, kind), left, right);
}

static Str emit_negate(FunctionOut *f, const XExpr *x) {
    Str operand = emit_value(f, x->operand);
    switch (x->type->kind) {
    case TYPE_INT:
        return emit_step(f, x, "dv_int_negate", operand, STR(""));
    case TYPE_DECIMAL:
        return str_format(f->emitter->arena, "dv_decimal_negate(" STR_FMT ")", STR_ARG(operand));
    default:
        return str_format(f->emitter->arena, "(-" STR_FMT ")", STR_ARG(operand));
    }
}

/* ---- literals ---- */

static Str emit_record(FunctionOut *f, const XExpr *x) {
    Arena *arena = f->emitter->arena;
    const Record *record = x->type->record;
    Str *values = arena_make_n(arena, Str, record->fields.count);
    Str type = c_type(f->emitter, x->type);
    for (size_t i = 0; i < x->record.values.count; i++) {
        values[x->record.values.items[i].field] = emit_value(f, x->record.values.items[i].value);
    }
    Str text = str_format(arena, "(" STR_FMT "){", STR_ARG(type));
    for (size_t i = 0; i < record->fields.count; i++) {
        Str field = c_field(f->emitter, record->fields.items[i].name);
        text = str_format(arena, STR_FMT "%s." STR_FMT " = " STR_FMT, STR_ARG(text),
                          i == 0 ? "" : ", ", STR_ARG(field), STR_ARG(values[i]));
    }
    return str_format(arena, STR_FMT "%s}", STR_ARG(text), record->fields.count == 0 ? "0" : "");
}

static Str emit_choice(FunctionOut *f, const XExpr *x) {
    Arena *arena = f->emitter->arena;
    const Variant *variant = x->choice.variant;
    Str type = c_choice(f->emitter, variant->choice);
    Str tag = c_tag(f->emitter, variant);
    Str text = str_format(arena, "(" STR_FMT "){.tag = " STR_FMT, STR_ARG(type), STR_ARG(tag));
    for (size_t i = 0; i < x->choice.arguments.count; i++) {
        Str value = emit_value(f, x->choice.arguments.items[i]);
        Str field = c_field(f->emitter, variant->fields.items[i].name);
        text =
            i == 0
                ? str_format(arena, STR_FMT ", .as = {." STR_FMT " = {." STR_FMT " = " STR_FMT,
                             STR_ARG(text), STR_ARG(variant->name), STR_ARG(field), STR_ARG(value))
                : str_format(arena, STR_FMT ", ." STR_FMT " = " STR_FMT, STR_ARG(text),
                             STR_ARG(field), STR_ARG(value));
    }
    return str_format(arena, STR_FMT "%s}", STR_ARG(text),
                      x->choice.arguments.count > 0 ? "}}" : "");
}

static Str emit_list(FunctionOut *f, const XExpr *x) {
    Arena *arena = f->emitter->arena;
    if (x->list.count == 0) {
        return STR("(dv_list){0}");
    }
    Str *values = arena_make_n(arena, Str, x->list.count);
    for (size_t i = 0; i < x->list.count; i++) {
        values[i] = emit_value(f, x->list.items[i]);
    }
    Str items = fresh(f, "items");
    Str list = fresh(f, "list");
    Str type = c_type(f->emitter, x->type->item);
    Str description = c_description(f->emitter, x->type->item);
    /* The size is written out: tcc miscounts items that are structs. */
    out_open(f->out, "const " STR_FMT " " STR_FMT "[%zu] = {", STR_ARG(type), STR_ARG(items),
             x->list.count);
    for (size_t i = 0; i < x->list.count; i++) {
        out_line(f->out, STR_FMT ",", STR_ARG(values[i]));
    }
    out_close(f->out, ";");
    out_line(f->out, "dv_list " STR_FMT ";", STR_ARG(list));
    emit_checked(f,
                 str_format(arena, "dv_list_of(s, " STR_FMT ", " STR_FMT ", %zu, &" STR_FMT ")",
                            STR_ARG(description), STR_ARG(items), x->list.count, STR_ARG(list)),
                 x->span);
    return list;
}

static Str emit_enqueue(FunctionOut *f, const XExpr *x) {
    Arena *arena = f->emitter->arena;
    Str input = x->enqueue.input == NULL ? STR("NULL") : emit_lvalue(f, x->enqueue.input);
    if (x->enqueue.input != NULL) {
        input = str_format(arena, "&" STR_FMT, STR_ARG(input));
    }
    Str key = emit_value(f, x->enqueue.key);
    Str run_at = STR("NULL");
    if (x->enqueue.run_at != NULL) {
        Str moment = emit_lvalue(f, x->enqueue.run_at);
        run_at = str_format(arena, "&" STR_FMT, STR_ARG(moment));
    }
    Str job = c_job(f->emitter, x->enqueue.job);
    Str task = fresh(f, "task");
    out_line(f->out, "dv_text " STR_FMT ";", STR_ARG(task));
    emit_checked(f,
                 str_format(arena,
                            "dv_job_enqueue(s, &" STR_FMT ", " STR_FMT ", " STR_FMT ", " STR_FMT
                            ", &" STR_FMT ")",
                            STR_ARG(job), STR_ARG(input), STR_ARG(key), STR_ARG(run_at),
                            STR_ARG(task)),
                 x->span);
    return task;
}

static Str emit_field(FunctionOut *f, const XExpr *x) {
    const Type *host = x->field.host->type;
    Str name = host->kind == TYPE_OUTPUTS ? host->function->outputs.items[x->field.index].name
                                          : host->record->fields.items[x->field.index].name;
    Str value = emit_value(f, x->field.host);
    Str field = host->kind == TYPE_RECORD && host->record->origin == RECORD_PAGE
                    ? name
                    : c_field(f->emitter, name);
    return str_format(f->emitter->arena, STR_FMT "." STR_FMT, STR_ARG(value), STR_ARG(field));
}

/* ---- the expression ---- */

Str emit_value(FunctionOut *f, const XExpr *x) {
    Emitter *e = f->emitter;
    switch (x->kind) {
    case X_BOOL:
        return x->boolean ? STR("true") : STR("false");
    case X_INT:
        return c_int(e, x->integer);
    case X_DECIMAL:
        return c_decimal(e, x->decimal);
    case X_FLOAT:
        return c_float(e, x->real);
    case X_TEXT:
        return c_text(e, x->text);
    case X_UUID:
        return c_uuid(e, x->uuid);
    case X_NULL: {
        Str type = c_type(e, x->type);
        return str_format(e->arena, "(" STR_FMT "){0}", STR_ARG(type));
    }
    case X_LOCAL:
        return c_local_value(f, x->local);
    case X_FIELD:
        return emit_field(f, x);
    case X_RECORD:
        return emit_record(f, x);
    case X_CHOICE:
        return emit_choice(f, x);
    case X_LIST:
        return emit_list(f, x);
    case X_LIFT: {
        Str value = emit_value(f, x->operand);
        Str type = c_type(e, x->type);
        return str_format(e->arena, "(" STR_FMT "){true, " STR_FMT "}", STR_ARG(type),
                          STR_ARG(value));
    }
    case X_PROMOTE: {
        Str value = emit_value(f, x->operand);
        return str_format(e->arena, "dv_decimal_promote(" STR_FMT ")", STR_ARG(value));
    }
    case X_NEGATE:
        return emit_negate(f, x);
    case X_NOT: {
        Str value = emit_value(f, x->operand);
        return str_format(e->arena, "!" STR_FMT, STR_ARG(value));
    }
    case X_BINARY:
        return emit_binary(f, x);
    case X_CALL:
        return emit_call(f, x);
    case X_COLLECTION:
        return emit_collection(f, x);
    case X_MODEL:
        return emit_model_op(f, x);
    case X_ENQUEUE:
        return emit_enqueue(f, x);
    case X_RESULT:
    case X_ERROR:
        break;
    }
    return STR("0");
}

void emit_into(FunctionOut *f, Str target, bool declare, const XExpr *x) {
    Str type = c_type(f->emitter, x->type);
    if (x->kind == X_CALL) {
        Str begun = begin_call(f, x);
        if (declare) {
            out_line(f->out, STR_FMT " " STR_FMT ";", STR_ARG(type), STR_ARG(target));
        }
        finish_call(f, x, begun, target);
        return;
    }
    Str value = emit_value(f, x);
    if (str_starts_with(target, STR("(*")) && target.ptr[target.len - 1] == ')') {
        target = str_slice(target, 1, target.len - 1);
    }
    if (declare) {
        out_line(f->out, STR_FMT " " STR_FMT " = " STR_FMT ";", STR_ARG(type), STR_ARG(target),
                 STR_ARG(value));
    } else {
        out_line(f->out, STR_FMT " = " STR_FMT ";", STR_ARG(target), STR_ARG(value));
    }
}

void emit_effect(FunctionOut *f, const XExpr *x) {
    Str value = emit_value(f, x);
    if (value.len > 0 && x->type != NULL) {
        out_line(f->out, "(void)" STR_FMT ";", STR_ARG(value));
    }
}
