/* tests/unit/test_process_fixture.h: runs a piece of code in a child and collects what it prints. */
#ifndef TESTS_UNIT_TEST_PROCESS_FIXTURE_H
#define TESTS_UNIT_TEST_PROCESS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Printed {
    int status; /* exit status; -1: ended by a signal */
    char out[8192];
    char err[8192];
} Printed;

static inline void read_back(FILE *file, char *text, size_t size) {
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* `input` is what the child reads from standard input. */
static inline Printed run_child(int (*run)(void *self), void *self, const char *input) {
    Printed printed = {.status = -1};
    FILE *in = tmpfile();
    FILE *out = tmpfile();
    FILE *err = tmpfile();
    assert_true(in != NULL && out != NULL && err != NULL);
    fputs(input, in);
    rewind(in);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(fileno(in), STDIN_FILENO);
        dup2(fileno(out), STDOUT_FILENO);
        dup2(fileno(err), STDERR_FILENO);
        int status = run(self);
        fflush(NULL);
        _exit(status);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    printed.status = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
    fclose(in);
    read_back(out, printed.out, sizeof printed.out);
    read_back(err, printed.err, sizeof printed.err);
    return printed;
}

#define assert_contains(text, part)                  \
    do {                                             \
        if (strstr(text, part) == NULL) {            \
            fail_msg("no `%s` in:\n%s", part, text); \
        }                                            \
    } while (0)

#endif
