/* compiler/syntax/formatter.h: the one canonical layout of a source file. */
#ifndef COMPILER_SYNTAX_FORMATTER_H
#define COMPILER_SYNTAX_FORMATTER_H

#include "base/buf.h"
#include "compiler/syntax/tree.h"

/* Appends the canonical text of a file that was parsed without errors. Every token and comment of
 * the file is printed exactly once and in the order of evaluation; formatting the result again
 * changes nothing. False when the tree has errors (nothing is appended) or memory ran out. */
bool formatter_format(const FileTree *tree, Buf *out);

#endif
