/* dever/program.h: a compiled program as the runtime sees it. */
#ifndef DEVER_PROGRAM_H
#define DEVER_PROGRAM_H

#include <dever/database.h>
#include <dever/job.h>

/* Grows with every change of these headers that old generated code would not survive. */
#define DV_ABI 1

typedef struct dv_command {
    const char *name;     /* "content.article.submit" */
    const dv_type *input; /* a record: one field per parameter */
    const dv_type *output;
    bool (*call)(dv_scope *s, const void *input, void *output);
    bool writes; /* reaches a write or an enqueue */
} dv_command;

typedef struct dv_program {
    int32_t abi;      /* DV_ABI */
    const char *root; /* where config/ and data/ are; NULL: the folder of the executable */
    int64_t built_at; /* epoch milliseconds; 0: the time of the start */
    const dv_model *const *models;
    uint32_t model_count;
    const dv_job *const *jobs;
    uint32_t job_count;
    const dv_schedule *schedules;
    uint32_t schedule_count;
    const dv_command *commands;
    uint32_t command_count;
    bool (*main)(dv_scope *s); /* NULL: there is no main.dever */
    bool serves_jobs;          /* main reaches dever.job.serve() */
} dv_program;

/* Runs the program: without arguments `main`, with `name json` one command. Returns the exit status. */
int dv_main(int argc, char **argv, const dv_program *program);

#endif
