/* compiler/emit/function.c: one C function for each function of the program.
 *
 * Several clauses become static functions `name_1`, `name_2`, … and a dispatcher that walks the
 * decision tree. A transaction's public function wraps the rest between begin and end. */
#include "compiler/emit/emit_internal.h"

/* ---- signatures ---- */

static Str signature(Emitter *e, const Function *function, const Clause *clause, Str name) {
    Str text = str_format(e->arena, "bool " STR_FMT "(dv_scope *s", STR_ARG(name));
    for (size_t i = 0; i < function->inputs.count; i++) {
        Str type = c_type(e, clause != NULL ? clause->inputs.items[i]->type
                                            : function->inputs.items[i].type);
        Str local = c_local(e, clause != NULL ? clause->inputs.items[i]->name
                                              : function->inputs.items[i].name);
        text = str_format(e->arena, STR_FMT ", " STR_FMT " " STR_FMT, STR_ARG(text), STR_ARG(type),
                          STR_ARG(local));
    }
    for (size_t i = 0; i < function->outputs.count; i++) {
        Str type = c_type(e, function->outputs.items[i].type);
        Str local = c_local(e, clause != NULL ? clause->outputs.items[i]->name
                                              : function->outputs.items[i].name);
        text = str_format(e->arena, STR_FMT ", " STR_FMT " *" STR_FMT, STR_ARG(text), STR_ARG(type),
                          STR_ARG(local));
    }
    return str_format(e->arena, STR_FMT ")", STR_ARG(text));
}

void emit_prototype(Emitter *e, const Function *function) {
    Str text = signature(e, function, NULL, c_function(e, function));
    out_line(&e->header, STR_FMT ";", STR_ARG(text));
}

/* ---- bodies ---- */

static void emit_line_mark(Emitter *e, Out *out, Span span) {
    if (e->options->lines) {
        Str path = c_string(e, span.file->path);
        out_line(out, "#line %u " STR_FMT, source_place(span.file, span.from).line, STR_ARG(path));
    }
}

static bool is_first_write(const Clause *clause, const XStatement *statement) {
    for (size_t i = 0; i < clause->statements.count && clause->statements.items[i] != statement;
         i++) {
        if (clause->statements.items[i]->local == statement->local &&
            clause->statements.items[i]->kind == XSTATEMENT_ASSIGN) {
            return false;
        }
    }
    return statement->local->kind == LOCAL_VARIABLE;
}

static void emit_assign_field(FunctionOut *f, const XStatement *statement) {
    Str target = c_local_value(f, statement->local);
    const Type *type = statement->local->type;
    for (size_t i = 0; i < statement->fields.count; i++) {
        const Field *field = &type->record->fields.items[statement->fields.items[i]];
        Str name = c_field(f->emitter, field->name);
        target = str_format(f->emitter->arena, STR_FMT "." STR_FMT, STR_ARG(target), STR_ARG(name));
        type = field->type;
    }
    Str value = emit_value(f, statement->value);
    out_line(f->out, STR_FMT " = " STR_FMT ";", STR_ARG(target), STR_ARG(value));
}

static void emit_fail(FunctionOut *f, const XStatement *statement) {
    const XExpr *failure = statement->value;
    Str value = emit_value(f, failure);
    Str type = c_type(f->emitter, failure->type);
    Str description = c_description(f->emitter, failure->type);
    Str name = fresh(f, "failure");
    Str place = c_place(f->emitter, statement->span);
    f->uses_scope = true;
    out_line(f->out, "const " STR_FMT " " STR_FMT " = " STR_FMT ";", STR_ARG(type), STR_ARG(name),
             STR_ARG(value));
    out_line(f->out, "return dv_fail(s, " STR_FMT ", &" STR_FMT ", " STR_FMT ");",
             STR_ARG(description), STR_ARG(name), STR_ARG(place));
}

static void emit_statement(FunctionOut *f, const XStatement *statement) {
    emit_line_mark(f->emitter, f->out, statement->span);
    switch (statement->kind) {
    case XSTATEMENT_ASSIGN:
        emit_into(f, c_local_value(f, statement->local), is_first_write(f->clause, statement),
                  statement->value);
        break;
    case XSTATEMENT_ASSIGN_FIELD:
        emit_assign_field(f, statement);
        break;
    case XSTATEMENT_DISCARD:
    case XSTATEMENT_CALL:
        emit_effect(f, statement->value);
        break;
    case XSTATEMENT_FAIL:
        emit_fail(f, statement);
        break;
    }
}

/* Payload names are copies of the variant's fields. */
static void emit_bindings(FunctionOut *f) {
    for (size_t i = 0; i < f->clause->bindings.count; i++) {
        const Local *binding = f->clause->bindings.items[i];
        const Local *input = f->clause->inputs.items[binding->input];
        Str type = c_type(f->emitter, binding->type);
        Str name = c_local(f->emitter, binding->name);
        Str field = c_field(f->emitter, binding->variant->fields.items[binding->field].name);
        Str host = c_local(f->emitter, input->name);
        const char *value = input->type->kind == TYPE_NULLABLE ? ".value" : "";
        out_line(f->out, STR_FMT " " STR_FMT " = " STR_FMT "%s.as." STR_FMT "." STR_FMT ";",
                 STR_ARG(type), STR_ARG(name), STR_ARG(host), value,
                 STR_ARG(binding->variant->name), STR_ARG(field));
    }
}

static bool has_binding(const Clause *clause, size_t input) {
    for (size_t i = 0; i < clause->bindings.count; i++) {
        if (clause->bindings.items[i]->input == input) {
            return true;
        }
    }
    return false;
}

/* Compilers warn of what is not used; Dever has said so already where it matters. */
static void emit_unused(FunctionOut *f, Out *out) {
    const Clause *clause = f->clause;
    if (!f->uses_scope) {
        out_line(out, "(void)s;");
    }
    for (size_t i = 0; i < clause->inputs.count; i++) {
        if (!clause->inputs.items[i]->is_read && !has_binding(clause, i)) {
            Str name = c_local(f->emitter, clause->inputs.items[i]->name);
            out_line(out, "(void)" STR_FMT ";", STR_ARG(name));
        }
    }
    for (size_t i = 0; clause->fails && i < clause->outputs.count; i++) {
        Str name = c_local(f->emitter, clause->outputs.items[i]->name);
        out_line(out, "(void)" STR_FMT ";", STR_ARG(name));
    }
}

static void emit_unread(FunctionOut *f) {
    for (size_t i = 0; i < f->clause->bindings.count; i++) {
        if (!f->clause->bindings.items[i]->is_read) {
            Str name = c_local(f->emitter, f->clause->bindings.items[i]->name);
            out_line(f->out, "(void)" STR_FMT ";", STR_ARG(name));
        }
    }
}

static void emit_unread_locals(FunctionOut *f) {
    for (size_t i = 0; i < f->clause->locals.count; i++) {
        if (!f->clause->locals.items[i]->is_read) {
            Str name = c_local(f->emitter, f->clause->locals.items[i]->name);
            out_line(f->out, "(void)" STR_FMT ";", STR_ARG(name));
        }
    }
}

static void emit_clause(Emitter *e, Unit *unit, const Clause *clause, Str name, bool is_static) {
    Str head = signature(e, clause->function, clause, name);
    Out body = {.indent = 1};
    FunctionOut f = {.emitter = e, .unit = unit, .clause = clause, .name = name, .out = &body};
    emit_bindings(&f);
    emit_unread(&f);
    for (size_t i = 0; i < clause->statements.count; i++) {
        emit_statement(&f, clause->statements.items[i]);
    }
    if (!clause->fails) {
        emit_unread_locals(&f);
        out_line(&body, "return true;");
    }
    emit_line_mark(e, &unit->code, clause->span);
    out_open(&unit->code, "%s" STR_FMT " {", is_static ? "static " : "", STR_ARG(head));
    emit_unused(&f, &unit->code);
    buf_add(&unit->code.buf, buf_str(&body.buf));
    out_close(&unit->code, "");
    out_line(&unit->code, "%s", "");
    buf_done(&body.buf);
}

/* ---- dispatch ---- */

/* Both conditions; an empty one is always true. */
static Str both(Emitter *e, Str a, Str b) {
    return a.len == 0   ? b
           : b.len == 0 ? a
                        : str_format(e->arena, STR_FMT " && " STR_FMT, STR_ARG(a), STR_ARG(b));
}

static Str interval_test(Emitter *e, Str value, const Interval *interval) {
    Str low = STR("");
    Str high = STR("");
    if (interval->is_decimal) {
        if (interval->has_low) {
            Str limit = c_decimal(e, interval->decimal_low);
            low = str_format(e->arena, "dv_decimal_compare(" STR_FMT ", " STR_FMT ") >= 0",
                             STR_ARG(value), STR_ARG(limit));
        }
        if (interval->has_high) {
            Str limit = c_decimal(e, interval->decimal_high);
            high = str_format(e->arena, "dv_decimal_compare(" STR_FMT ", " STR_FMT ") <= 0",
                              STR_ARG(value), STR_ARG(limit));
        }
    } else if (interval->has_low && interval->has_high && interval->low == interval->high) {
        Str limit = c_int(e, interval->low);
        return str_format(e->arena, STR_FMT " == " STR_FMT, STR_ARG(value), STR_ARG(limit));
    } else {
        if (interval->has_low) {
            Str limit = c_int(e, interval->low);
            low = str_format(e->arena, STR_FMT " >= " STR_FMT, STR_ARG(value), STR_ARG(limit));
        }
        if (interval->has_high) {
            Str limit = c_int(e, interval->high);
            high = str_format(e->arena, STR_FMT " <= " STR_FMT, STR_ARG(value), STR_ARG(limit));
        }
    }
    return both(e, low, high);
}

/* A conjunction that stands for the atom; empty where every value is meant. */
static Str atom_test(Emitter *e, Str input, bool nullable, const Atom *atom) {
    Str value = nullable ? str_format(e->arena, STR_FMT ".value", STR_ARG(input)) : input;
    Str test = STR("");
    switch (atom->kind) {
    case ATOM_NULL:
        return str_format(e->arena, "!" STR_FMT ".present", STR_ARG(input));
    case ATOM_BOOL:
        test = atom->boolean ? value : str_format(e->arena, "!" STR_FMT, STR_ARG(value));
        break;
    case ATOM_VARIANT: {
        Str tag = c_tag(e, atom->variant);
        test = str_format(e->arena, STR_FMT ".tag == " STR_FMT, STR_ARG(value), STR_ARG(tag));
        break;
    }
    case ATOM_INTERVAL:
        test = interval_test(e, value, &atom->interval);
        break;
    case ATOM_TEXT: {
        Str text = c_text(e, atom->text);
        test = str_format(e->arena, "dv_text_equal(" STR_FMT ", " STR_FMT ")", STR_ARG(value),
                          STR_ARG(text));
        break;
    }
    case ATOM_REST:
        break;
    }
    Str present = nullable ? str_format(e->arena, STR_FMT ".present", STR_ARG(input)) : STR("");
    return both(e, present, test);
}

/* What decides for the branch: any of its atoms. */
static Str branch_test(Emitter *e, Str input, bool nullable, const Branch *branch) {
    Str all = STR("");
    for (size_t i = 0; i < branch->atoms.count; i++) {
        Str one = atom_test(e, input, nullable, &branch->atoms.items[i]);
        bool group = branch->atoms.count > 1 && str_find(one, STR(" && "), NULL);
        if (one.len == 0) {
            return STR("true");
        }
        all = str_format(e->arena, STR_FMT "%s%s" STR_FMT "%s", STR_ARG(all), i == 0 ? "" : " || ",
                         group ? "(" : "", STR_ARG(one), group ? ")" : "");
    }
    return all;
}

static void emit_leaf(Emitter *e, Out *out, const Clause *clause, Str name) {
    const Function *function = clause->function;
    size_t number = 1;
    while (function->clauses.items[number - 1] != clause) {
        number++;
    }
    Str call = str_format(e->arena, STR_FMT "__%zu(s", STR_ARG(name), number);
    for (size_t i = 0; i < function->inputs.count; i++) {
        Str input = c_local(e, function->inputs.items[i].name);
        bool narrowed = clause->inputs.items[i]->type != function->inputs.items[i].type;
        call = str_format(e->arena, STR_FMT ", " STR_FMT "%s", STR_ARG(call), STR_ARG(input),
                          narrowed ? ".value" : "");
    }
    for (size_t i = 0; i < function->outputs.count; i++) {
        Str output = c_local(e, function->outputs.items[i].name);
        call = str_format(e->arena, STR_FMT ", " STR_FMT, STR_ARG(call), STR_ARG(output));
    }
    out_line(out, "return " STR_FMT ");", STR_ARG(call));
}

static void emit_decision(Emitter *e, Out *out, const Function *function, const Decision *decision,
                          Str name);

/* All branches but the last are of variants: the compiler makes a jump table of it. */
static bool is_switch(const Function *function, const Decision *decision) {
    bool variants = function->inputs.items[decision->input].type->kind == TYPE_CHOICE &&
                    decision->branches.count > 2;
    for (size_t i = 0; variants && i < decision->branches.count; i++) {
        for (size_t j = 0; j < decision->branches.items[i].atoms.count; j++) {
            variants = variants && decision->branches.items[i].atoms.items[j].kind == ATOM_VARIANT;
        }
    }
    return variants;
}

static void emit_switch(Emitter *e, Out *out, const Function *function, const Decision *decision,
                        Str name) {
    Str input = c_local(e, function->inputs.items[decision->input].name);
    out_line(out, "switch (" STR_FMT ".tag) {", STR_ARG(input));
    for (size_t i = 0; i < decision->branches.count; i++) {
        const Branch *branch = &decision->branches.items[i];
        bool last = i + 1 == decision->branches.count;
        for (size_t j = 0; !last && j < branch->atoms.count; j++) {
            Str tag = c_tag(e, branch->atoms.items[j].variant);
            out_line(out, "case " STR_FMT ":", STR_ARG(tag));
        }
        if (last) {
            out_line(out, "default:");
        }
        out->indent++;
        emit_decision(e, out, function, branch->then, name);
        out->indent--;
    }
    out_line(out, "}");
}

static void emit_decision(Emitter *e, Out *out, const Function *function, const Decision *decision,
                          Str name) {
    if (decision->clause != NULL) {
        emit_leaf(e, out, decision->clause, name);
        return;
    }
    if (is_switch(function, decision)) {
        emit_switch(e, out, function, decision, name);
        return;
    }
    Str input = c_local(e, function->inputs.items[decision->input].name);
    bool nullable = function->inputs.items[decision->input].type->kind == TYPE_NULLABLE;
    for (size_t i = 0; i < decision->branches.count; i++) {
        const Branch *branch = &decision->branches.items[i];
        if (i + 1 == decision->branches.count) {
            emit_decision(e, out, function, branch->then, name);
            break;
        }
        Str test = branch_test(e, input, nullable, branch);
        out_open(out, "if (" STR_FMT ") {", STR_ARG(test));
        emit_decision(e, out, function, branch->then, name);
        out_close(out, "");
    }
}

/* Decision trees may leave an input untested that no clause reads either. */
static void emit_dispatcher(Emitter *e, Unit *unit, const Function *function, Str name,
                            bool is_static) {
    for (size_t i = 0; i < function->clauses.count; i++) {
        Str clause = str_format(e->arena, STR_FMT "__%zu", STR_ARG(name), i + 1);
        emit_clause(e, unit, function->clauses.items[i], clause, true);
    }
    Str head = signature(e, function, NULL, name);
    emit_line_mark(e, &unit->code, function->span);
    out_open(&unit->code, "%s" STR_FMT " {", is_static ? "static " : "", STR_ARG(head));
    emit_decision(e, &unit->code, function, function->decision, name);
    out_close(&unit->code, "");
    out_line(&unit->code, "%s", "");
}

/* ---- the function ---- */

static void emit_transaction(Emitter *e, Unit *unit, const Function *function, Str name,
                             Str inner) {
    Str head = signature(e, function, NULL, name);
    Str call = str_format(e->arena, STR_FMT "(s", STR_ARG(inner));
    Str component = c_string(e, function->file->component);
    Str database = function->transaction_model != NULL ? function->transaction_model->database
                   : function->transaction_job != NULL ? function->transaction_job->database
                                                       : STR("");
    database = database.len == 0 ? STR("NULL") : c_string(e, database);
    for (size_t i = 0; i < function->inputs.count; i++) {
        Str input = c_local(e, function->inputs.items[i].name);
        call = str_format(e->arena, STR_FMT ", " STR_FMT, STR_ARG(call), STR_ARG(input));
    }
    for (size_t i = 0; i < function->outputs.count; i++) {
        Str output = c_local(e, function->outputs.items[i].name);
        call = str_format(e->arena, STR_FMT ", " STR_FMT, STR_ARG(call), STR_ARG(output));
    }
    Str place = c_place(e, function->span);
    emit_line_mark(e, &unit->code, function->span);
    out_open(&unit->code, STR_FMT " {", STR_ARG(head));
    out_line(&unit->code,
             "static const dv_connection_name connection_ = {" STR_FMT ", " STR_FMT "};",
             STR_ARG(database), STR_ARG(component));
    out_open(&unit->code, "if (!dv_transaction_begin(s, &connection_)) {");
    out_line(&unit->code, "return dv_at(s, " STR_FMT ");", STR_ARG(place));
    out_close(&unit->code, "");
    out_line(&unit->code, "return dv_transaction_end(s, " STR_FMT "));", STR_ARG(call));
    out_close(&unit->code, "");
    out_line(&unit->code, "%s", "");
}

void emit_function(Emitter *e, Unit *unit, const Function *function) {
    Str name = c_function(e, function);
    bool wrapped = function->kind == FUNCTION_TRANSACTION;
    Str inner = wrapped ? str_format(e->arena, STR_FMT "__inside", STR_ARG(name)) : name;
    Place place = source_place(function->span.file, function->span.from);
    out_line(&unit->code, "/* " STR_FMT "  " STR_FMT ":%u */", STR_ARG(function->qualified),
             STR_ARG(function->file->path), place.line);
    if (function->decision == NULL) {
        emit_clause(e, unit, function->clauses.items[0], inner, wrapped);
    } else {
        emit_dispatcher(e, unit, function, inner, wrapped);
    }
    if (wrapped) {
        emit_transaction(e, unit, function, name, inner);
    }
}
