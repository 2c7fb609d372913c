/* compiler/command/command.c: the table of commands, help, and mistakes in arguments. */
#include "compiler/command/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DEVER_VERSION "0.1.0"

const CommandEntry command_entries[] = {
    {"check", "<root> [--json]", "check a project and say what is wrong with it",
     "  --json    one JSON object a line, for editors\n"
     "Prints nothing when all is well; exits with 1 when there is an error.",
     command_check},
    {"build", "<root> --output <file> [--emit-c <dir>] [--force]", "make one native program",
     "  --output <file>   the program; settings and data stand in its folder\n"
     "  --emit-c <dir>    keep the generated C and SQL there\n"
     "  --force           replace a file that `dever build` did not make",
     command_build},
    {"run", "<root> [-- <command> '<json>']", "compile fast and run at once",
     "What stands behind `--` is for the program: a command and its input, `--help`, or nothing, "
     "which\n"
     "starts its services. Settings and data are those of the project.",
     command_run},
    {"fmt", "<root> [--check]", "bring all files into the canonical layout",
     "  --check   change nothing; print the files that would change and exit with 1", command_fmt},
    {"cron", "'<expression>' [--from <moment>] [--count <n>]", "show when a schedule fires (UTC)",
     "  --from <moment>   RFC 3339, such as 2026-01-31T08:00:00Z; now\n"
     "  --count <n>       how many times; 5",
     command_cron},
    {"job", "schema <root>", "print the stored form of every job's input",
     "The fingerprint decides whether a stored task can be run by a program.", command_job},
};

const size_t command_entry_count = COUNT_OF(command_entries);

int command_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("dever: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return 1;
}

/* Letters that two words share from the start, plus from the end: enough for a slip of the finger. */
static size_t likeness(const char *a, const char *b) {
    size_t length_a = strlen(a);
    size_t length_b = strlen(b);
    size_t most = length_a < length_b ? length_a : length_b;
    size_t front = 0;
    size_t back = 0;
    while (front < most && a[front] == b[front]) {
        front++;
    }
    while (back < most - front && a[length_a - 1 - back] == b[length_b - 1 - back]) {
        back++;
    }
    return front + back;
}

static bool is_near(const char *typed, const char *word) {
    size_t longest = strlen(typed) > strlen(word) ? strlen(typed) : strlen(word);
    return likeness(typed, word) * 3 >= longest * 2;
}

int command_unknown_option(const char *command, const char *option, const char *const *options) {
    for (size_t i = 0; options[i] != NULL; i++) {
        if (is_near(option, options[i])) {
            return command_fail("%s has no option `%s`; did you mean `%s`?", command, option,
                                options[i]);
        }
    }
    return command_fail("%s has no option `%s`; `dever %s --help` lists them", command, option,
                        command);
}

static void print_overview(FILE *out) {
    fputs("dever: compiler of the Dever language\n\nCommands:\n", out);
    for (size_t i = 0; i < command_entry_count; i++) {
        fprintf(out, "  %-6s %s\n", command_entries[i].name, command_entries[i].summary);
    }
    fputs("\n`dever <command> --help` says more; `dever --version` prints the version.\n", out);
}

static int print_command(const CommandEntry *entry) {
    printf("Usage: dever %s %s\n\n%c%s.\n\n%s\n", entry->name, entry->usage,
           entry->summary[0] - 'a' + 'A', entry->summary + 1, entry->details);
    return 0;
}

static const CommandEntry *find_command(const char *name) {
    for (size_t i = 0; i < command_entry_count; i++) {
        if (strcmp(command_entries[i].name, name) == 0) {
            return &command_entries[i];
        }
    }
    return NULL;
}

static bool is_help(const char *argument) {
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0 ||
           strcmp(argument, "help") == 0;
}

static int unknown_command(const char *name) {
    for (size_t i = 0; i < command_entry_count; i++) {
        if (is_near(name, command_entries[i].name)) {
            return command_fail("there is no command `%s`; did you mean `dever %s`?", name,
                                command_entries[i].name);
        }
    }
    return command_fail("there is no command `%s`; `dever --help` lists them", name);
}

int command_main(int argc, char **argv) {
    if (argc < 2 || (argc == 2 && is_help(argv[1]))) {
        print_overview(argc < 2 ? stderr : stdout);
        return argc < 2 ? 1 : 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("dever " DEVER_VERSION);
        return 0;
    }
    bool help = is_help(argv[1]);
    const CommandEntry *entry = find_command(argv[help ? 2 : 1]);
    if (entry == NULL) {
        return unknown_command(argv[help ? 2 : 1]);
    }
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++) {
        help = help || strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0;
    }
    if (help) {
        return print_command(entry);
    }
    Arena *arena = arena_new_unlimited();
    int status = entry->run(arena, argc - 2, argv + 2);
    arena_free(arena);
    return status;
}
