/* compiler/check/check.h: from syntax trees to the checked program. */
#ifndef COMPILER_CHECK_CHECK_H
#define COMPILER_CHECK_CHECK_H

#include "compiler/program/program.h"
#include "compiler/source/diagnostic.h"

/* Checks all files of the project together with the standard packages (`library`). Every independent
 * error is reported. Returns the program, or NULL when an error was reported. Memory is in
 * diagnostics->arena. */
Program *check_program(Diagnostics *diagnostics, const Project *project, FileTree *const *trees,
                       size_t tree_count, FileTree *const *library, size_t library_count);

/* Warns of App functions that nothing reaches (W007). For commands that make a whole program. */
void check_hygiene(Diagnostics *diagnostics, const Program *program);

#endif
