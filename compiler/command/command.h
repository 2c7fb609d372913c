/* compiler/command/command.h: the commands of `dever`. */
#ifndef COMPILER_COMMAND_COMMAND_H
#define COMPILER_COMMAND_COMMAND_H

#include "base/arena.h"
#include "base/base.h"

typedef struct CommandEntry {
    const char *name;
    const char *usage;   /* behind the name */
    const char *summary; /* one line */
    const char *details; /* options and what else to know */
    int (*run)(Arena *arena, int argc,
               char **argv); /* arguments behind the name; the exit status */
} CommandEntry;

extern const CommandEntry command_entries[];
extern const size_t command_entry_count;

int command_check(Arena *arena, int argc, char **argv);
int command_build(Arena *arena, int argc, char **argv);
int command_run(Arena *arena, int argc, char **argv);
int command_fmt(Arena *arena, int argc, char **argv);
int command_cron(Arena *arena, int argc, char **argv);
int command_job(Arena *arena, int argc, char **argv);

/* Runs `dever` with its arguments. */
int command_main(int argc, char **argv);

/* "dever: …" on standard error; returns 1. */
int command_fail(const char *format, ...) PRINTF_LIKE(1, 2);
/* An argument that starts with `-` and is none of the command's: says what was meant. Returns 1. */
int command_unknown_option(const char *command, const char *option, const char *const *options);

#endif
