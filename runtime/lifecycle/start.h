/* runtime/lifecycle/start.h: from a program and its settings to open databases, and back. */
#ifndef RUNTIME_LIFECYCLE_START_H
#define RUNTIME_LIFECYCLE_START_H

#include <dever/program.h>

#include "contract/settings.h"
#include "base/arena.h"

typedef struct Started {
    Arena *arena;
    const dv_program *program; /* with built_at set */
    dv_program copy;
    const char *root; /* of config/ and data/; arena */
    Settings settings;
    bool has_settings;
} Started;

/* Reads and checks the settings, makes the data folders, opens the database and prepares every table.
 * `serves`: main will run, so everything that services need is checked too. False after a line in the
 * log; start_end() must follow in any case. */
bool start_begin(Started *started, const dv_program *program, bool serves);
/* Closes everything. */
void start_end(Started *started);

#endif
