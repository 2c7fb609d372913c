/* compiler/emit/collection.c: operations on lists as plain loops that call the handler directly. */
#include "compiler/emit/emit_internal.h"

typedef struct Loop {
    Str list;
    Str item; /* the C expression of the current item */
    Str item_type;
    Str context; /* ", value" or empty */
    Str handler;
    Str index;
} Loop;

static Str declare(FunctionOut *f, const char *word, Str type, const char *start) {
    Str name = fresh(f, word);
    out_line(f->out, STR_FMT " " STR_FMT "%s;", STR_ARG(type), STR_ARG(name), start);
    return name;
}

static Loop begin_loop(FunctionOut *f, const XExpr *x, Str context) {
    Arena *arena = f->emitter->arena;
    Loop loop = {.list = emit_lvalue(f, x->collection.sequence), .context = context};
    loop.item_type = c_type(f->emitter, x->collection.sequence->type->item);
    loop.index = fresh(f, "i");
    loop.item = str_format(arena, "DV_ITEM(" STR_FMT ", " STR_FMT ", " STR_FMT ")",
                           STR_ARG(loop.list), STR_ARG(loop.item_type), STR_ARG(loop.index));
    if (x->collection.handler != NULL) {
        loop.handler = c_function(f->emitter, x->collection.handler);
    }
    return loop;
}

static void open_loop(FunctionOut *f, const Loop *loop, const XExpr *x) {
    out_open(f->out,
             "for (int64_t " STR_FMT " = 0; " STR_FMT " < " STR_FMT ".length; " STR_FMT "++) {",
             STR_ARG(loop->index), STR_ARG(loop->index), STR_ARG(loop->list), STR_ARG(loop->index));
    emit_checked(f, STR("dv_step(s)"), x->span);
}

/* handler(s, item, context, &output) */
static void call_handler(FunctionOut *f, const Loop *loop, const XExpr *x, Str output) {
    Str call = str_format(f->emitter->arena, STR_FMT "(s, " STR_FMT STR_FMT "%s" STR_FMT ")",
                          STR_ARG(loop->handler), STR_ARG(loop->item), STR_ARG(loop->context),
                          output.len > 0 ? ", &" : "", STR_ARG(output));
    emit_checked(f, call, x->span);
}

static void append(FunctionOut *f, const XExpr *x, const Type *item, Str list, Str value) {
    Str description = c_description(f->emitter, item);
    emit_checked(f,
                 str_format(f->emitter->arena,
                            "dv_list_append(s, " STR_FMT ", " STR_FMT ", &" STR_FMT ", &" STR_FMT
                            ")",
                            STR_ARG(description), STR_ARG(list), STR_ARG(value), STR_ARG(list)),
                 x->span);
}

/* total = total + value, by the numbers' own rules. */
static void add(FunctionOut *f, const XExpr *x, Str total, Str value) {
    if (x->type->kind == TYPE_FLOAT) {
        out_line(f->out, STR_FMT " += " STR_FMT ";", STR_ARG(total), STR_ARG(value));
        return;
    }
    emit_checked(f,
                 str_format(f->emitter->arena, "%s(s, " STR_FMT ", " STR_FMT ", &" STR_FMT ")",
                            x->type->kind == TYPE_INT ? "dv_int_add" : "dv_decimal_add",
                            STR_ARG(total), STR_ARG(value), STR_ARG(total)),
                 x->span);
}

static Str emit_mapping(FunctionOut *f, const XExpr *x) {
    Arena *arena = f->emitter->arena;
    CollectionOp op = x->collection.op;
    const Function *handler = x->collection.handler;
    Str list = emit_lvalue(f, x->collection.sequence);
    Str context = STR("");
    if (x->collection.argument != NULL) {
        Str value = emit_lvalue(f, x->collection.argument);
        context = str_format(arena, ", " STR_FMT, STR_ARG(value));
    }
    Str result = STR("");
    if (x->type != NULL) {
        Str type = c_type(f->emitter, x->type);
        result = declare(f,
                         op == COLLECTION_SUM    ? "sum"
                         : op == COLLECTION_FIND ? "found"
                                                 : "list",
                         type,
                         x->type->kind == TYPE_INT     ? " = 0"
                         : x->type->kind == TYPE_FLOAT ? " = 0.0"
                                                       : " = {0}");
    }
    Loop loop = {.list = list, .context = context, .index = fresh(f, "i")};
    loop.item_type = c_type(f->emitter, x->collection.sequence->type->item);
    loop.item = str_format(arena, "DV_ITEM(" STR_FMT ", " STR_FMT ", " STR_FMT ")", STR_ARG(list),
                           STR_ARG(loop.item_type), STR_ARG(loop.index));
    if (handler != NULL) {
        loop.handler = c_function(f->emitter, handler);
    }
    open_loop(f, &loop, x);
    Str output = STR("");
    if (handler != NULL && handler->outputs.count == 1) {
        output = declare(f, "item", c_type(f->emitter, handler->outputs.items[0].type), "");
    }
    if (handler != NULL) {
        call_handler(f, &loop, x, output);
    } else {
        output = loop.item;
    }
    switch (op) {
    case COLLECTION_EACH:
        if (x->type != NULL) {
            append(f, x, x->type->item, result, output);
        }
        break;
    case COLLECTION_FILTER:
        out_open(f->out, "if (" STR_FMT ") {", STR_ARG(output));
        append(f, x, x->type->item, result, loop.item);
        out_close(f->out, "");
        break;
    case COLLECTION_FIND:
        out_open(f->out, "if (" STR_FMT ") {", STR_ARG(output));
        if (x->collection.sequence->type->item->kind == TYPE_NULLABLE) {
            out_line(f->out, STR_FMT " = " STR_FMT ";", STR_ARG(result), STR_ARG(loop.item));
        } else {
            Str type = c_type(f->emitter, x->type);
            out_line(f->out, STR_FMT " = (" STR_FMT "){true, " STR_FMT "};", STR_ARG(result),
                     STR_ARG(type), STR_ARG(loop.item));
        }
        out_line(f->out, "break;");
        out_close(f->out, "");
        break;
    default:
        add(f, x, result, output);
        break;
    }
    out_close(f->out, "");
    return result;
}

static Str emit_fold(FunctionOut *f, const XExpr *x) {
    Arena *arena = f->emitter->arena;
    bool until = x->collection.op == COLLECTION_REDUCE_UNTIL;
    Loop loop = begin_loop(f, x, STR(""));
    Str start = emit_value(f, x->collection.argument);
    Str type = c_type(f->emitter, x->type);
    Str state = fresh(f, "state");
    out_line(f->out, STR_FMT " " STR_FMT " = " STR_FMT ";", STR_ARG(type), STR_ARG(state),
             STR_ARG(start));
    open_loop(f, &loop, x);
    Str stop = until ? declare(f, "stop", STR("bool"), "") : STR("");
    Str call = str_format(arena, STR_FMT "(s, " STR_FMT ", " STR_FMT ", &" STR_FMT "%s" STR_FMT ")",
                          STR_ARG(loop.handler), STR_ARG(loop.item), STR_ARG(state), STR_ARG(state),
                          until ? ", &" : "", STR_ARG(stop));
    emit_checked(f, call, x->span);
    if (until) {
        out_open(f->out, "if (" STR_FMT ") {", STR_ARG(stop));
        out_line(f->out, "break;");
        out_close(f->out, "");
    }
    out_close(f->out, "");
    return state;
}

static Str emit_first(FunctionOut *f, const XExpr *x) {
    const Type *item = x->collection.sequence->type->item;
    Str list = emit_lvalue(f, x->collection.sequence);
    Str type = c_type(f->emitter, x->type);
    Str item_type = c_type(f->emitter, item);
    Str result = declare(f, "first", type, " = {0}");
    out_open(f->out, "if (" STR_FMT ".length > 0) {", STR_ARG(list));
    if (item->kind == TYPE_NULLABLE) {
        out_line(f->out, STR_FMT " = DV_ITEM(" STR_FMT ", " STR_FMT ", 0);", STR_ARG(result),
                 STR_ARG(list), STR_ARG(item_type));
    } else {
        out_line(f->out, STR_FMT " = (" STR_FMT "){true, DV_ITEM(" STR_FMT ", " STR_FMT ", 0)};",
                 STR_ARG(result), STR_ARG(type), STR_ARG(list), STR_ARG(item_type));
    }
    out_close(f->out, "");
    return result;
}

Str emit_collection(FunctionOut *f, const XExpr *x) {
    Arena *arena = f->emitter->arena;
    switch (x->collection.op) {
    case COLLECTION_EACH:
    case COLLECTION_FILTER:
    case COLLECTION_FIND:
    case COLLECTION_SUM:
        return emit_mapping(f, x);
    case COLLECTION_REDUCE:
    case COLLECTION_REDUCE_UNTIL:
        return emit_fold(f, x);
    case COLLECTION_APPEND: {
        Str list = emit_value(f, x->collection.sequence);
        Str value = emit_lvalue(f, x->collection.argument);
        Str description = c_description(f->emitter, x->type->item);
        Str longer = declare(f, "list", STR("dv_list"), "");
        emit_checked(
            f,
            str_format(arena,
                       "dv_list_append(s, " STR_FMT ", " STR_FMT ", &" STR_FMT ", &" STR_FMT ")",
                       STR_ARG(description), STR_ARG(list), STR_ARG(value), STR_ARG(longer)),
            x->span);
        return longer;
    }
    case COLLECTION_FIRST:
        return emit_first(f, x);
    case COLLECTION_LENGTH: {
        Str value = emit_value(f, x->collection.sequence);
        return x->collection.sequence->type->kind == TYPE_TEXT
                   ? str_format(arena, "dv_text_length(" STR_FMT ")", STR_ARG(value))
                   : str_format(arena, STR_FMT ".length", STR_ARG(value));
    }
    }
    return STR("0");
}
