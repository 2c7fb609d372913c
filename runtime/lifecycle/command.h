/* runtime/lifecycle/command.h: one command of a program. */
#ifndef RUNTIME_LIFECYCLE_COMMAND_H
#define RUNTIME_LIFECYCLE_COMMAND_H

#include <dever/program.h>

#include "base/str.h"

/* The command of that name, or NULL. */
const dv_command *command_find(const dv_program *program, Str name);
/* The name nearest to what was typed, or NULL. */
const char *command_nearest(const dv_program *program, Str name);
/* Runs it on a JSON object and prints the envelope: `{"code":0,"message":"ok","data":…}`, or the code of
 * the failure with its name and `"data":null`. Returns the exit status. */
int command_run(const dv_command *command, Str json);

#endif
