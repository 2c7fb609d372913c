/* base/process.c: posix_spawn with both outputs in one pipe, so that messages keep their order. */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

extern char **environ;

char *process_find(Arena *arena, const char *name) {
    Str path = str_from(getenv("PATH"));
    while (path.len > 0) {
        size_t end = path.len;
        str_find_char(path, ':', &end);
        Str folder = str_slice(path, 0, end);
        path = str_slice(path, end + 1, path.len);
        char candidate[PATH_MAX];
        int length = snprintf(candidate, sizeof candidate, STR_FMT "/%s", STR_ARG(folder), name);
        if (folder.len > 0 && length > 0 && (size_t)length < sizeof candidate &&
            access(candidate, X_OK) == 0 && !file_is_folder(candidate)) {
            return str_cstr(arena, str_from(candidate));
        }
    }
    return NULL;
}

bool process_start(Process *process, const char *path, const char *const argv[]) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    pid_t pid = 0;
    int error = posix_spawn(&pid, path, &actions, NULL, (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        errno = error;
        return false;
    }
    *process = (Process){.pid = pid, .output = ends[0]};
    return true;
}

int process_wait(Process *process, Buf *output) {
    char chunk[4096];
    for (;;) {
        ssize_t got = read(process->output, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        buf_add(output, (Str){chunk, (size_t)got});
    }
    close(process->output);
    int status = 0;
    while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR) {
    }
    *process = (Process){.output = -1};
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
