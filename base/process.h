/* base/process.h: running other programs, without a shell. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "base/buf.h"

typedef struct Process {
    int pid;
    int output; /* reads what the child writes to stdout and stderr */
} Process;

/* Finds an executable in PATH; NULL when there is none. Arena. */
char *process_find(Arena *arena, const char *name);
/* Starts a program with its standard input empty and its outputs in one pipe. False with errno. */
bool process_start(Process *process, const char *path, const char *const argv[]);
/* Reads the output to its end (what is beyond output->limit is dropped) and waits. Returns the exit
 * status, or 128 + the signal that ended it. Closes everything. */
int process_wait(Process *process, Buf *output);

#endif
