/* compiler/check/coverage.c: are the clauses of a function disjoint and complete?
 *
 * The values of each input are cut into atoms, so fine that every clause takes an atom whole or not at
 * all. A clause is then a product of sets of atoms. The decision tree tests one input after the other;
 * where a path through it ends without a clause, that combination of atoms is uncovered. */
#include "compiler/check/check_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ATOMS_MOST = 4096, NODES_MOST = 65536 };

/* One input, cut. member[clause × atoms.count + atom]: does the clause take the atom? */
typedef struct Cut {
    const Axis *axis;
    VEC(Atom) atoms;
    bool *member;
} Cut;

typedef struct Coverage {
    Checker *c;
    Function *function;
    Cut *cuts;
    size_t cut_count;
    size_t *chosen; /* the atom of each input on the way to the current node */
    bool uncovered; /* reported */
    uint32_t nodes;
} Coverage;

/* ---- cutting numbers ---- */

/* A cut lies below its value: atoms begin there. */
typedef struct CutPoint {
    int64_t integer;
    Decimal decimal;
} CutPoint;

typedef VEC(CutPoint) CutPoints;

static int compare_points(bool is_decimal, const CutPoint *a, const CutPoint *b) {
    if (is_decimal) {
        return decimal_compare(a->decimal, b->decimal);
    }
    return (a->integer > b->integer) - (a->integer < b->integer);
}

static void add_point(Arena *arena, CutPoints *points, bool is_decimal, CutPoint point) {
    size_t at = 0;
    while (at < points->count && compare_points(is_decimal, &points->items[at], &point) < 0) {
        at++;
    }
    if (at < points->count && compare_points(is_decimal, &points->items[at], &point) == 0) {
        return;
    }
    vec_push(arena, points, point);
    memmove(points->items + at + 1, points->items + at,
            (points->count - 1 - at) * sizeof points->items[0]);
    points->items[at] = point;
}

/* The point just above an upper bound; false at the end of the range. */
static bool point_above(const Interval *interval, CutPoint *out) {
    if (interval->is_decimal) {
        return decimal_next_above(interval->decimal_high, &out->decimal);
    }
    out->integer = interval->high;
    return interval->high != INT64_MAX && out->integer++ < INT64_MAX;
}

static Interval interval_between(bool is_decimal, const CutPoint *low, const CutPoint *next) {
    Interval interval = {
        .is_decimal = is_decimal, .has_low = low != NULL, .has_high = next != NULL};
    if (low != NULL) {
        interval.low = low->integer;
        interval.decimal_low = low->decimal;
    }
    if (next != NULL && is_decimal) {
        decimal_next_below(next->decimal, &interval.decimal_high);
    } else if (next != NULL) {
        interval.high = next->integer - 1;
    }
    return interval;
}

static void cut_numbers(Coverage *v, Cut *cut, bool is_decimal) {
    CutPoints points = {0};
    Arena *arena = v->c->arena;
    for (size_t i = 0; i < cut->axis->selections.count; i++) {
        const Selection *selection = &cut->axis->selections.items[i];
        for (size_t j = 0; j < selection->atoms.count; j++) {
            const Interval *interval = &selection->atoms.items[j].interval;
            CutPoint point = {.integer = interval->low, .decimal = interval->decimal_low};
            if (interval->has_low && (is_decimal || interval->low != INT64_MIN)) {
                add_point(arena, &points, is_decimal, point);
            }
            if (interval->has_high && point_above(interval, &point)) {
                add_point(arena, &points, is_decimal, point);
            }
        }
    }
    for (size_t i = 0; i <= points.count; i++) {
        Atom atom = {.kind = ATOM_INTERVAL};
        atom.interval = interval_between(is_decimal, i == 0 ? NULL : &points.items[i - 1],
                                         i == points.count ? NULL : &points.items[i]);
        vec_push(arena, &cut->atoms, atom);
    }
}

static bool interval_within(const Interval *inner, const Interval *outer) {
    bool low = !outer->has_low;
    bool high = !outer->has_high;
    if (inner->is_decimal) {
        low =
            low || (inner->has_low && decimal_compare(inner->decimal_low, outer->decimal_low) >= 0);
        high = high ||
               (inner->has_high && decimal_compare(inner->decimal_high, outer->decimal_high) <= 0);
    } else {
        low = low || (inner->has_low ? inner->low : INT64_MIN) >= outer->low;
        high = high || (inner->has_high ? inner->high : INT64_MAX) <= outer->high;
    }
    return low && high;
}

/* ---- cutting ---- */

static void cut_texts(Coverage *v, Cut *cut) {
    for (size_t i = 0; i < cut->axis->selections.count; i++) {
        const Selection *selection = &cut->axis->selections.items[i];
        for (size_t j = 0; j < selection->atoms.count; j++) {
            bool known = false;
            for (size_t k = 0; k < cut->atoms.count; k++) {
                known =
                    known || str_equal(cut->atoms.items[k].text, selection->atoms.items[j].text);
            }
            if (!known) {
                vec_push(v->c->arena, &cut->atoms, selection->atoms.items[j]);
            }
        }
    }
    vec_push(v->c->arena, &cut->atoms, ((Atom){.kind = ATOM_REST}));
}

static void cut_values(Coverage *v, Cut *cut) {
    Arena *arena = v->c->arena;
    const Type *type = type_plain(cut->axis->type);
    switch (type->kind) {
    case TYPE_BOOL:
        vec_push(arena, &cut->atoms, ((Atom){.kind = ATOM_BOOL, .boolean = true}));
        vec_push(arena, &cut->atoms, ((Atom){.kind = ATOM_BOOL, .boolean = false}));
        break;
    case TYPE_CHOICE:
        for (size_t i = 0; i < type->choice->variants.count; i++) {
            Atom atom = {.kind = ATOM_VARIANT, .variant = type->choice->variants.items[i]};
            vec_push(arena, &cut->atoms, atom);
        }
        break;
    case TYPE_INT:
    case TYPE_DECIMAL:
        cut_numbers(v, cut, type->kind == TYPE_DECIMAL);
        break;
    case TYPE_TEXT:
        cut_texts(v, cut);
        break;
    default:
        vec_push(arena, &cut->atoms, ((Atom){.kind = ATOM_REST}));
        break;
    }
    if (cut->axis->type->kind == TYPE_NULLABLE) {
        vec_push(arena, &cut->atoms, ((Atom){.kind = ATOM_NULL}));
    }
}

static bool selects_by_atom(const Selection *selection, const Atom *atom) {
    for (size_t i = 0; i < selection->atoms.count; i++) {
        const Atom *wanted = &selection->atoms.items[i];
        if (wanted->kind != atom->kind) {
            continue;
        }
        if ((atom->kind == ATOM_BOOL && wanted->boolean == atom->boolean) ||
            (atom->kind == ATOM_VARIANT && wanted->variant == atom->variant) ||
            (atom->kind == ATOM_TEXT && str_equal(wanted->text, atom->text)) ||
            (atom->kind == ATOM_INTERVAL && interval_within(&atom->interval, &wanted->interval))) {
            return true;
        }
    }
    return false;
}

/* Everything but `other`. */
static bool selects(const Selection *selection, const Atom *atom) {
    if (atom->kind == ATOM_NULL) {
        return selection->only_null || selection->null_too;
    }
    return selection->everything || selects_by_atom(selection, atom);
}

static bool make_cut(Coverage *v, const Axis *axis, Cut *cut) {
    cut->axis = axis;
    cut_values(v, cut);
    if (cut->atoms.count > ATOMS_MOST) {
        diagnostic_add(v->c->diagnostics, CODE_C015, v->function->span,
                       "the patterns of `" STR_FMT "` cut its values into more than %d parts",
                       STR_ARG(axis->name), ATOMS_MOST);
        return false;
    }
    size_t clauses = axis->selections.count;
    cut->member = arena_make_n(v->c->arena, bool, clauses * cut->atoms.count);
    for (size_t atom = 0; atom < cut->atoms.count; atom++) {
        bool taken = false;
        for (size_t i = 0; i < clauses; i++) {
            bool takes = selects(&axis->selections.items[i], &cut->atoms.items[atom]);
            cut->member[i * cut->atoms.count + atom] = takes;
            taken = taken || takes;
        }
        for (size_t i = 0; !taken && i < clauses; i++) {
            cut->member[i * cut->atoms.count + atom] = axis->selections.items[i].other;
        }
    }
    return true;
}

/* ---- unreachable and overlapping clauses ---- */

static bool takes_any(const Cut *cut, size_t clause) {
    for (size_t atom = 0; atom < cut->atoms.count; atom++) {
        if (cut->member[clause * cut->atoms.count + atom]) {
            return true;
        }
    }
    return false;
}

static bool check_reachable(Coverage *v) {
    bool good = true;
    for (size_t clause = 0; clause < v->function->clauses.count; clause++) {
        for (size_t i = 0; i < v->cut_count; i++) {
            if (takes_any(&v->cuts[i], clause)) {
                continue;
            }
            const InputNode *node = v->function->clauses.items[clause]->node->inputs.items[i];
            bool other = v->cuts[i].axis->selections.items[clause].other;
            Diagnostic *message = diagnostic_add(v->c->diagnostics, CODE_C009, node->pattern, "%s",
                                                 other ? "nothing is left for `other`: the other "
                                                         "clauses name every value of this input"
                                                       : "this pattern matches no value");
            diagnostic_help(
                v->c->diagnostics, message, "%s",
                other ? "`other` is what no clause names for this input, whatever the inputs "
                        "beside it: remove this clause, or say `other` in those too"
                      : "remove this clause");
            good = false;
            break;
        }
    }
    return good;
}

static bool overlap(const Coverage *v, size_t a, size_t b) {
    for (size_t i = 0; i < v->cut_count; i++) {
        const Cut *cut = &v->cuts[i];
        bool meet = false;
        for (size_t atom = 0; !meet && atom < cut->atoms.count; atom++) {
            meet = cut->member[a * cut->atoms.count + atom] &&
                   cut->member[b * cut->atoms.count + atom];
        }
        if (!meet) {
            return false;
        }
    }
    return true;
}

static bool check_disjoint(Coverage *v) {
    bool good = true;
    for (size_t later = 1; later < v->function->clauses.count; later++) {
        for (size_t earlier = 0; earlier < later; earlier++) {
            if (!overlap(v, earlier, later)) {
                continue;
            }
            Diagnostic *message = diagnostic_add(v->c->diagnostics, CODE_C009,
                                                 v->function->clauses.items[later]->span,
                                                 "this clause overlaps an earlier one");
            diagnostic_note(v->c->diagnostics, message, v->function->clauses.items[earlier]->span,
                            "the earlier clause");
            diagnostic_help(
                v->c->diagnostics, message,
                "narrow one of them: clauses have no order, so each value needs exactly one");
            good = false;
            break;
        }
    }
    return good;
}

/* ---- messages ---- */

static void add_number(Buf *out, const Interval *interval, bool high) {
    if (interval->is_decimal) {
        decimal_format(high ? interval->decimal_high : interval->decimal_low, out);
        return;
    }
    buf_format(out, "%" PRId64, high ? interval->high : interval->low);
}

static bool is_single(const Interval *interval) {
    return interval->has_low && interval->has_high &&
           (interval->is_decimal
                ? decimal_compare(interval->decimal_low, interval->decimal_high) == 0
                : interval->low == interval->high);
}

static void add_pattern(Checker *c, Buf *out, const Axis *axis, const Atom *atom) {
    const Type *type = type_plain(axis->type);
    switch (atom->kind) {
    case ATOM_NULL:
        buf_add(out, STR("null"));
        break;
    case ATOM_BOOL:
        buf_add(out, atom->boolean ? STR("true") : STR("false"));
        break;
    case ATOM_TEXT:
        buf_format(out, "\"" STR_FMT "\"", STR_ARG(atom->text));
        break;
    case ATOM_REST:
        buf_add(out,
                type->kind == TYPE_TEXT && axis->selections.count > 0 ? STR("other") : type->name);
        break;
    case ATOM_VARIANT:
        buf_format(out, STR_FMT "." STR_FMT, STR_ARG(atom->variant->choice->name),
                   STR_ARG(atom->variant->name));
        for (size_t i = 0; i < atom->variant->fields.count; i++) {
            buf_format(out, "%s" STR_FMT "%s", i == 0 ? "(" : ", ",
                       STR_ARG(atom->variant->fields.items[i].name),
                       i + 1 == atom->variant->fields.count ? ")" : "");
        }
        break;
    case ATOM_INTERVAL:
        if (is_single(&atom->interval)) {
            add_number(out, &atom->interval, false);
            break;
        }
        buf_add(out, type->name);
        if (atom->interval.has_low) {
            buf_add(out, STR(" >= "));
            add_number(out, &atom->interval, false);
        }
        if (atom->interval.has_high) {
            buf_add(out, atom->interval.has_low ? STR(" and <= ") : STR(" <= "));
            add_number(out, &atom->interval, true);
        }
        break;
    }
    (void)c;
}

/* A value that no clause takes, as "score = 60". */
static void add_example(Checker *c, Buf *out, const Axis *axis, const Atom *atom) {
    buf_format(out, STR_FMT " = ", STR_ARG(axis->name));
    if (atom->kind == ATOM_INTERVAL && (atom->interval.has_low || atom->interval.has_high)) {
        add_number(out, &atom->interval, !atom->interval.has_low);
    } else if (atom->kind == ATOM_REST && type_plain(axis->type)->kind == TYPE_TEXT) {
        buf_add(out, STR("any other text"));
    } else {
        add_pattern(c, out, axis, atom);
    }
}

static void report_uncovered(Coverage *v) {
    const FunctionNode *node = v->function->clauses.items[0]->node;
    Buf example = {0};
    Buf clause = {0};
    if (v->uncovered) {
        return;
    }
    v->uncovered = true;
    for (size_t i = 0; i < v->cut_count; i++) {
        const Cut *cut = &v->cuts[i];
        const Atom *atom = &cut->atoms.items[v->chosen[i]];
        if (cut->atoms.count > 1) {
            buf_add(&example, example.len == 0 ? STR("") : STR(", "));
            add_example(v->c, &example, cut->axis, atom);
        }
        buf_format(&clause, "%s" STR_FMT ": ", i == 0 ? "" : ", ", STR_ARG(cut->axis->name));
        add_pattern(v->c, &clause, cut->axis, atom);
    }
    Str shown = buf_str(&example);
    Diagnostic *message = diagnostic_add(v->c->diagnostics, CODE_C009, v->function->span,
                                         "`" STR_FMT "` has no clause for " STR_FMT,
                                         STR_ARG(v->function->name), STR_ARG(shown));
    Span outputs = {node->signature.file, node->signature.from, node->signature.to};
    size_t at = 0;
    Str text = span_text(outputs);
    Str tail = str_find_last_char(text, '(', &at) ? str_slice(text, at, text.len) : STR("()");
    Str inputs = buf_str(&clause);
    if (!str_find_char(tail, '\n', NULL)) {
        diagnostic_help(v->c->diagnostics, message,
                        "add a clause such as `" STR_FMT "(" STR_FMT ") " STR_FMT "`",
                        STR_ARG(v->function->name), STR_ARG(inputs), STR_ARG(tail));
    } else {
        diagnostic_help(v->c->diagnostics, message, "add a clause `" STR_FMT "(" STR_FMT ")`",
                        STR_ARG(v->function->name), STR_ARG(inputs));
    }
    buf_done(&example);
    buf_done(&clause);
}

/* ---- the tree ---- */

/* Do the clauses of the set take the same ones of two atoms? */
static bool same_takers(const Cut *cut, const bool *set, size_t clauses, size_t a, size_t b) {
    for (size_t i = 0; i < clauses; i++) {
        if (set[i] &&
            cut->member[i * cut->atoms.count + a] != cut->member[i * cut->atoms.count + b]) {
            return false;
        }
    }
    return true;
}

static Decision *build(Coverage *v, const bool *set, size_t depth);

/* Tests the input `depth`: one branch for each group of atoms that the same clauses take. */
static Decision *build_test(Coverage *v, const bool *set, size_t depth) {
    const Cut *cut = &v->cuts[depth];
    size_t clauses = v->function->clauses.count;
    Decision *decision = arena_make(v->c->arena, Decision);
    bool *done = arena_make_n(v->c->arena, bool, cut->atoms.count);
    decision->input = depth;
    for (size_t atom = 0; atom < cut->atoms.count; atom++) {
        if (done[atom]) {
            continue;
        }
        Branch branch = {0};
        bool *takers = arena_make_n(v->c->arena, bool, clauses);
        for (size_t i = 0; i < clauses; i++) {
            takers[i] = set[i] && cut->member[i * cut->atoms.count + atom];
        }
        for (size_t other = atom; other < cut->atoms.count; other++) {
            if (!done[other] && same_takers(cut, set, clauses, atom, other)) {
                done[other] = true;
                vec_push(v->c->arena, &branch.atoms, cut->atoms.items[other]);
            }
        }
        v->chosen[depth] = atom;
        branch.then = build(v, takers, depth + 1);
        vec_push(v->c->arena, &decision->branches, branch);
    }
    return decision->branches.count == 1 ? decision->branches.items[0].then : decision;
}

static Decision *build(Coverage *v, const bool *set, size_t depth) {
    size_t clauses = v->function->clauses.count;
    size_t first = 0;
    while (first < clauses && !set[first]) {
        first++;
    }
    if (first == clauses) {
        for (size_t i = depth; i < v->cut_count; i++) {
            v->chosen[i] = 0;
        }
        report_uncovered(v);
        return NULL;
    }
    if (depth < v->cut_count) {
        if (v->nodes++ > NODES_MOST) {
            if (v->nodes == NODES_MOST + 2) {
                diagnostic_add(v->c->diagnostics, CODE_C015, v->function->span,
                               "the clauses of `" STR_FMT
                               "` need too many cases to be proven complete",
                               STR_ARG(v->function->name));
            }
            return NULL;
        }
        return build_test(v, set, depth);
    }
    Decision *leaf = arena_make(v->c->arena, Decision);
    leaf->clause = v->function->clauses.items[first];
    return leaf;
}

/* Branches that test little stand first, so that the last one, which needs no test, is the largest. */
static void order_branches(Decision *decision) {
    if (decision == NULL || decision->clause != NULL) {
        return;
    }
    for (size_t i = 1; i < decision->branches.count; i++) {
        Branch branch = decision->branches.items[i];
        size_t at = i;
        while (at > 0 && decision->branches.items[at - 1].atoms.count > branch.atoms.count) {
            decision->branches.items[at] = decision->branches.items[at - 1];
            at--;
        }
        decision->branches.items[at] = branch;
    }
    /* "All the rest" cannot be tested: it must be the last. */
    for (size_t i = 0; i + 1 < decision->branches.count; i++) {
        for (size_t j = 0; j < decision->branches.items[i].atoms.count; j++) {
            if (decision->branches.items[i].atoms.items[j].kind == ATOM_REST) {
                Branch rest = decision->branches.items[i];
                memmove(&decision->branches.items[i], &decision->branches.items[i + 1],
                        (decision->branches.count - 1 - i) * sizeof rest);
                decision->branches.items[decision->branches.count - 1] = rest;
                i = decision->branches.count;
                break;
            }
        }
    }
    for (size_t i = 0; i < decision->branches.count; i++) {
        order_branches(decision->branches.items[i].then);
    }
}

void coverage_check(Checker *c, Function *function, const AxisList *axes) {
    Coverage v = {.c = c, .function = function, .cut_count = axes->count};
    size_t clauses = function->clauses.count;
    v.cuts = arena_make_n(c->arena, Cut, axes->count);
    v.chosen = arena_make_n(c->arena, size_t, axes->count);
    for (size_t i = 0; i < axes->count; i++) {
        if (!make_cut(&v, &axes->items[i], &v.cuts[i])) {
            return;
        }
    }
    bool *all = arena_make_n(c->arena, bool, clauses);
    for (size_t i = 0; i < clauses; i++) {
        all[i] = true;
    }
    bool reachable = check_reachable(&v);
    bool disjoint = check_disjoint(&v);
    if (!reachable) {
        return; /* what is missing may be what that clause was meant for */
    }
    Decision *decision = build(&v, all, 0);
    if (disjoint && clauses > 1) {
        order_branches(decision);
        function->decision = decision;
    }
}
