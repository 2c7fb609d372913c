/* compiler/syntax/parser.h: from a source file to its syntax tree. */
#ifndef COMPILER_SYNTAX_PARSER_H
#define COMPILER_SYNTAX_PARSER_H

#include "compiler/source/diagnostic.h"
#include "compiler/syntax/tree.h"

/* Parses one file by the grammar of its role. Every independent syntax error is reported; what could
 * be read is in the tree. A file with lexical errors is not parsed. Never NULL. */
FileTree *parser_parse(Diagnostics *diagnostics, const SourceFile *file);

#endif
