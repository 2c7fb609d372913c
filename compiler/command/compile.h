/* compiler/command/compile.h: load, parse and check: what every command does first. */
#ifndef COMPILER_COMMAND_COMPILE_H
#define COMPILER_COMMAND_COMPILE_H

#include "compiler/program/program.h"
#include "compiler/source/diagnostic.h"

typedef struct Compilation {
    Diagnostics diagnostics;
    Project *project;
    VEC(FileTree *) trees;
    Program *program; /* NULL after errors */
} Compilation;

/* Loads and parses the project, then checks it. False when there is no project to speak of: a line on
 * standard error says why. Errors of the program are in the diagnostics. */
bool compile_load(Arena *arena, const char *root, bool with_tests, Compilation *out);
void compile_check(Compilation *compilation);
/* Adds what config/setting.json has wrong for this program (S001). A missing file is an error when
 * `required`. */
void compile_check_settings(Compilation *compilation, const char *root, bool required);
/* Prints all messages on standard error, and a line that counts them for people. Returns the exit
 * status: 1 when there was an error. */
int compile_report(Compilation *compilation, bool json);

#endif
