#include "compiler/syntax/tree.h"

Str binary_op_text(BinaryOp op) {
    static const Str texts[] = {
        [BINARY_OR] = STR_INIT("or"),       [BINARY_AND] = STR_INIT("and"),
        [BINARY_EQUAL] = STR_INIT("=="),    [BINARY_NOT_EQUAL] = STR_INIT("!="),
        [BINARY_LESS] = STR_INIT("<"),      [BINARY_LESS_EQUAL] = STR_INIT("<="),
        [BINARY_GREATER] = STR_INIT(">"),   [BINARY_GREATER_EQUAL] = STR_INIT(">="),
        [BINARY_ADD] = STR_INIT("+"),       [BINARY_SUBTRACT] = STR_INIT("-"),
        [BINARY_MULTIPLY] = STR_INIT("*"),  [BINARY_DIVIDE] = STR_INIT("/"),
        [BINARY_QUOTIENT] = STR_INIT("//"), [BINARY_REMAINDER] = STR_INIT("%"),
    };
    return texts[op];
}
