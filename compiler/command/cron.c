/* compiler/command/cron.c: `dever cron`: when a schedule fires, or why it never can. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "compiler/command/command.h"
#include "contract/cron.h"

static int print_error(const char *expression, const CronError *error) {
    command_fail("%s", error->message);
    fprintf(stderr, "  %s\n  %*s", expression, (int)error->at, "");
    for (size_t i = 0; i < (error->len == 0 ? 1 : error->len); i++) {
        fputc('^', stderr);
    }
    fputc('\n', stderr);
    return 1;
}

static void print_warnings(const Cron *cron) {
    char warnings[CRON_WARNINGS_MOST][CRON_WARNING_SIZE];
    size_t count = cron_warnings(cron, warnings);
    for (size_t i = 0; i < count; i++) {
        fprintf(stderr, "dever: warning: %s\n", warnings[i]);
    }
}

int command_cron(Arena *arena, int argc, char **argv) {
    static const char *const options[] = {"--from", "--count", NULL};
    const char *expression = NULL;
    int64_t at = clock_wall_ms();
    long count = 5;
    (void)arena;
    for (int i = 0; i < argc; i++) {
        bool from = strcmp(argv[i], "--from") == 0;
        if (from || strcmp(argv[i], "--count") == 0) {
            const char *value = i + 1 < argc ? argv[++i] : "";
            char *end = NULL;
            if (from ? !datetime_parse(str_from(value), &at)
                     : (count = strtol(value, &end, 10),
                        *value == '\0' || *end != '\0' || count < 1 || count > 10000)) {
                return command_fail(
                    from ? "cron: --from needs a moment such as 2026-01-31T08:00:00Z, found `%s`"
                         : "cron: --count needs a number from 1 to 10000, found `%s`",
                    value);
            }
        } else if (argv[i][0] == '-' && argv[i][1] == '-') {
            return command_unknown_option("cron", argv[i], options);
        } else if (expression == NULL) {
            expression = argv[i];
        } else {
            return command_fail("cron takes one expression: put it between quotes, as in `dever "
                                "cron '30 4 * * *'`");
        }
    }
    if (expression == NULL) {
        return command_fail("cron needs an expression: `dever cron '30 4 * * *'`");
    }
    Cron cron;
    CronError error;
    if (!cron_parse(str_from(expression), &cron, &error)) {
        return print_error(expression, &error);
    }
    print_warnings(&cron);
    for (; count > 0 && (at = cron_next(&cron, at)) != INT64_MAX; count--) {
        Buf text = {0};
        datetime_format(at, &text);
        puts(text.data);
        buf_done(&text);
    }
    return 0;
}
