/* compiler/syntax/layout.c: a document is a flat list of operations, so neither building nor
 * printing it recurses. The flat width of a group is the difference of a running sum. */
#include "compiler/syntax/layout.h"

#include "base/utf8.h"
#include "base/vec.h"

typedef enum OpKind {
    OP_TEXT,
    OP_SPACE,
    OP_LINE,
    OP_BLANK,
    OP_SOFT,
    OP_INDENT,
    OP_DEDENT,
    OP_COMMENT,
    OP_TRAILING,
    OP_OPEN,
    OP_CLOSE
} OpKind;

typedef struct Op {
    OpKind kind;
    Str text;     /* TEXT, COMMENT, TRAILING; SOFT: what it is when flat */
    size_t group; /* OPEN */
} Op;

typedef struct Group {
    size_t width;      /* running sum at its start, then its flat width */
    size_t first;      /* number of texts before it */
    bool broken;       /* something in it forces a line end */
    bool hug_possible; /* … and nothing outside the hugged block does */
    bool hugging;      /* between hug_begin and hug_end */
    size_t hug_first;  /* number of texts before the hugged element */
    size_t hug_width;  /* from its start to behind the brace; 0: nothing to hug */
    size_t hug_block;
} Group;

struct Layout {
    Arena *arena;
    VEC(Op) ops;
    VEC(Group) groups;
    VEC(size_t) open; /* groups around the next text, outermost first */
    size_t width;     /* running sum of flat widths */
    size_t texts;
    bool line_pending; /* a line end stands before the next text */
};

/* ---- building ----------------------------------------------------------------------------- */

Layout *layout_new(Arena *arena) {
    Layout *layout = arena_make(arena, Layout);
    layout->arena = arena;
    return layout;
}

static void push(Layout *layout, OpKind kind, Str text, size_t group) {
    Op op = {.kind = kind, .text = text, .group = group};
    vec_push(layout->arena, &layout->ops, op);
}

/* A line end between two texts breaks the groups that hold both. */
static void break_open_groups(Layout *layout) {
    for (size_t i = 0; i < layout->open.count; i++) {
        Group *group = &layout->groups.items[layout->open.items[i]];
        if (group->first == layout->texts) {
            continue;
        }
        group->broken = true;
        if (!group->hugging || group->hug_first == layout->texts) {
            group->hug_possible = false;
        }
    }
}

void layout_text(Layout *layout, Str text) {
    if (layout->line_pending) {
        break_open_groups(layout);
        layout->line_pending = false;
    }
    push(layout, OP_TEXT, text, 0);
    layout->width += utf8_count(text);
    layout->texts++;
}

void layout_space(Layout *layout) {
    push(layout, OP_SPACE, STR(""), 0);
    layout->width++;
}

void layout_line(Layout *layout) {
    push(layout, OP_LINE, STR(""), 0);
    layout->line_pending = true;
}

void layout_blank(Layout *layout) {
    push(layout, OP_BLANK, STR(""), 0);
    layout->line_pending = true;
}

void layout_soft(Layout *layout, bool space) {
    push(layout, OP_SOFT, space ? STR(" ") : STR(""), 0);
    layout->width += space;
}

void layout_indent(Layout *layout) {
    push(layout, OP_INDENT, STR(""), 0);
}

void layout_dedent(Layout *layout) {
    push(layout, OP_DEDENT, STR(""), 0);
}

void layout_comment(Layout *layout, Str text) {
    push(layout, OP_COMMENT, text, 0);
    layout->line_pending = true;
}

void layout_trailing(Layout *layout, Str text) {
    push(layout, OP_TRAILING, text, 0);
    layout->line_pending = true;
}

size_t layout_open(Layout *layout) {
    Group group = {.width = layout->width, .first = layout->texts, .hug_possible = true};
    size_t number = layout->groups.count;
    vec_push(layout->arena, &layout->groups, group);
    vec_push(layout->arena, &layout->open, number);
    push(layout, OP_OPEN, STR(""), number);
    return number;
}

void layout_close(Layout *layout) {
    Group *group = &layout->groups.items[layout->open.items[--layout->open.count]];
    group->width = layout->width - group->width;
    push(layout, OP_CLOSE, STR(""), 0);
}

void layout_hug_begin(Layout *layout, size_t list) {
    Group *group = &layout->groups.items[list];
    group->hugging = true;
    group->hug_first = layout->texts;
}

void layout_hug_brace(Layout *layout, size_t list, size_t block) {
    Group *group = &layout->groups.items[list];
    group->hug_width = layout->width - group->width;
    group->hug_block = block;
}

void layout_hug_end(Layout *layout, size_t list) {
    layout->groups.items[list].hugging = false;
}

/* ---- printing ----------------------------------------------------------------------------- */

typedef struct Frame {
    bool broken;
    size_t indent; /* at its start */
} Frame;

typedef struct Printer {
    Buf *out;
    size_t start; /* what `out` held before */
    size_t indent;
    size_t column;
    bool line_start;
    bool space;   /* before the next text of the line */
    bool emptied; /* the last line printed is empty */
    Str trailing; /* comment that ends the current line; empty: none */
} Printer;

static void put(Printer *printer, Str text) {
    buf_add(printer->out, text);
    printer->column += utf8_count(text);
}

static void end_line(Printer *printer) {
    if (printer->trailing.len > 0) {
        put(printer, STR(" "));
        put(printer, printer->trailing);
        printer->trailing = STR("");
    }
    if (!printer->line_start) {
        buf_add_char(printer->out, '\n');
    }
    printer->line_start = true;
    printer->space = false;
    printer->column = 0;
}

static void put_text(Printer *printer, Str text) {
    /* The comma behind an element stays with it, before the element's comment. */
    if (printer->trailing.len > 0 && !str_equal(text, STR(","))) {
        end_line(printer);
    }
    if (printer->line_start) {
        for (size_t i = 0; i < printer->indent; i++) {
            put(printer, STR(" "));
        }
    } else if (printer->space) {
        put(printer, STR(" "));
    }
    printer->line_start = false;
    printer->space = false;
    printer->emptied = false;
    put(printer, text);
}

static void put_comment(Printer *printer, Str text) {
    end_line(printer);
    put_text(printer, text);
    end_line(printer);
}

static size_t next_column(const Printer *printer) {
    if (printer->line_start || printer->trailing.len > 0) {
        return printer->indent;
    }
    return printer->column + printer->space;
}

/* Whether the group is broken here; a group that hugs counts as flat, its block as broken. */
static bool decide(Layout *layout, const Printer *printer, Group *group) {
    size_t column = next_column(printer);
    if (!group->broken && column + group->width <= LAYOUT_WIDTH) {
        return false;
    }
    if (group->hug_width > 0 && group->hug_possible && column + group->hug_width <= LAYOUT_WIDTH) {
        layout->groups.items[group->hug_block].broken = true;
        return false;
    }
    return true;
}

static void print_op(Printer *printer, const Op *op, const Frame *frame) {
    switch (op->kind) {
    case OP_TEXT:
        put_text(printer, op->text);
        break;
    case OP_SPACE:
        printer->space = true;
        break;
    case OP_LINE:
        end_line(printer);
        break;
    case OP_BLANK:
        end_line(printer);
        if (printer->out->len > printer->start && !printer->emptied) {
            buf_add_char(printer->out, '\n');
            printer->emptied = true;
        }
        break;
    case OP_SOFT:
        if (frame->broken) {
            end_line(printer);
        } else if (op->text.len > 0) {
            printer->space = true;
        }
        break;
    case OP_INDENT:
        printer->indent += frame->broken ? LAYOUT_INDENT : 0;
        break;
    case OP_DEDENT:
        printer->indent -= frame->broken ? LAYOUT_INDENT : 0;
        break;
    case OP_COMMENT:
        put_comment(printer, op->text);
        break;
    case OP_TRAILING:
        if (printer->trailing.len > 0) {
            put_comment(printer, op->text);
        } else {
            printer->trailing = op->text;
        }
        break;
    case OP_OPEN:
    case OP_CLOSE:
        break;
    }
}

void layout_print(Layout *layout, Buf *out) {
    Printer printer = {.out = out, .start = out->len, .line_start = true, .trailing = STR("")};
    VEC(Frame) frames = {0};
    Frame top = {.broken = true};
    vec_push(layout->arena, &frames, top);
    for (size_t i = 0; i < layout->ops.count; i++) {
        const Op *op = &layout->ops.items[i];
        if (op->kind == OP_OPEN) {
            Group *group = &layout->groups.items[op->group];
            Frame frame = {.broken = decide(layout, &printer, group), .indent = printer.indent};
            vec_push(layout->arena, &frames, frame);
        } else if (op->kind == OP_CLOSE) {
            printer.indent = frames.items[--frames.count].indent;
        } else {
            print_op(&printer, op, &frames.items[frames.count - 1]);
        }
    }
    end_line(&printer);
}
