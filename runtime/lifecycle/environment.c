/* runtime/lifecycle/environment.c: walks the environment and takes out what is obeyed below. */
#include "runtime/lifecycle/environment.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

extern char **environ;

/* PG* (libpq), *_proxy in any case (libcurl), SQLITE_TMPDIR. */
static bool is_obeyed(const char *name, size_t length) {
    static const char proxy[] = "_PROXY";
    size_t tail = sizeof proxy - 1;
    if (length >= 2 && strncmp(name, "PG", 2) == 0) {
        return true;
    }
    if (length == strlen("SQLITE_TMPDIR") && strncmp(name, "SQLITE_TMPDIR", length) == 0) {
        return true;
    }
    if (length < tail) {
        return false;
    }
    for (size_t i = 0; i < tail; i++) {
        if (toupper((unsigned char)name[length - tail + i]) != proxy[i]) {
            return false;
        }
    }
    return true;
}

void environment_clean(void) {
    size_t at = 0;
    while (environ != NULL && environ[at] != NULL) {
        char name[256];
        size_t length = strcspn(environ[at], "=");
        if (!is_obeyed(environ[at], length) || length >= sizeof name) {
            at++;
            continue;
        }
        memcpy(name, environ[at], length);
        name[length] = '\0';
        if (unsetenv(name) != 0) {
            at++;
        }
    }
}
