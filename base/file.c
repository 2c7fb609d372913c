/* base/file.c: thin, careful calls of POSIX. Every function either does all of its work or leaves errno as
 * the first failing call set it. */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Closes without losing the error of what went before. */
static bool fail_closing(int fd) {
    int error = errno;
    close(fd);
    errno = error;
    return false;
}

bool file_read(Arena *arena, const char *path, size_t limit, Str *out) {
    /* O_NONBLOCK: a named pipe must not hold the program up; it is no regular file anyway. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return false;
    }
    struct stat status;
    if (fstat(fd, &status) != 0) {
        return fail_closing(fd);
    }
    if (!S_ISREG(status.st_mode)) {
        errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
        return fail_closing(fd);
    }
    if ((uint64_t)status.st_size > limit) {
        errno = EFBIG;
        return fail_closing(fd);
    }
    size_t size = (size_t)status.st_size;
    char *text = arena_alloc(arena, size + 1, 1);
    if (text == NULL) {
        errno = ENOMEM;
        return fail_closing(fd);
    }
    size_t used = 0;
    while (used < size) {
        ssize_t got = read(fd, text + used, size - used);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return fail_closing(fd);
        }
        if (got == 0) {
            break; /* it became shorter meanwhile */
        }
        used += (size_t)got;
    }
    close(fd);
    *out = (Str){text, used};
    return true;
}

static bool write_all(int fd, Str content) {
    while (content.len > 0) {
        ssize_t done = write(fd, content.ptr, content.len);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done < 0) {
            return false;
        }
        content = str_slice(content, (size_t)done, content.len);
    }
    return true;
}

bool file_write(const char *path, Str content, unsigned mode) {
    char temporary[PATH_MAX];
    int length = snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    if (length < 0 || (size_t)length >= sizeof temporary) {
        errno = ENAMETOOLONG;
        return false;
    }
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    if (!write_all(fd, content) || fchmod(fd, (mode_t)mode) != 0 || fsync(fd) != 0) {
        int error = errno;
        unlink(temporary);
        errno = error;
        return fail_closing(fd);
    }
    close(fd);
    if (rename(temporary, path) != 0) {
        int error = errno;
        unlink(temporary);
        errno = error;
        return false;
    }
    return true;
}

bool file_exists(const char *path) {
    struct stat status;
    return stat(path, &status) == 0;
}

bool file_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool file_make_folders(const char *path) {
    char partial[PATH_MAX];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof partial) {
        errno = length == 0 ? EINVAL : ENAMETOOLONG;
        return false;
    }
    memcpy(partial, path, length + 1);
    for (size_t i = 1; i <= length; i++) {
        if (partial[i] == '/' || partial[i] == '\0') {
            char kept = partial[i];
            partial[i] = '\0';
            if (mkdir(partial, 0755) != 0 && errno != EEXIST) {
                return false;
            }
            partial[i] = kept;
        }
    }
    if (!file_is_folder(path)) {
        errno = ENOTDIR;
        return false;
    }
    return true;
}

static int by_name(const void *a, const void *b) {
    return str_compare(((const FileEntry *)a)->name, ((const FileEntry *)b)->name);
}

bool file_list(Arena *arena, const char *path, FileEntries *out) {
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return false;
    }
    FileEntries entries = {0};
    errno = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL; errno = 0) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        struct stat status;
        if (fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
            continue; /* gone meanwhile */
        }
        FileEntry item = {.name = str_dup(arena, str_from(entry->d_name)),
                          .is_folder = S_ISDIR(status.st_mode),
                          .is_link = S_ISLNK(status.st_mode)};
        vec_push(arena, &entries, item);
    }
    int error = errno;
    closedir(folder);
    if (error != 0) {
        errno = error;
        return false;
    }
    if (entries.count > 0) {
        qsort(entries.items, entries.count, sizeof entries.items[0], by_name);
    }
    *out = entries;
    return true;
}

char *file_join(Arena *arena, const char *a, const char *b) {
    if (b[0] == '/' || a[0] == '\0') {
        return str_cstr(arena, str_from(b));
    }
    bool slash = a[strlen(a) - 1] == '/';
    return str_cstr(arena, str_format(arena, "%s%s%s", a, slash ? "" : "/", b));
}

char *file_absolute(Arena *arena, const char *path) {
    char resolved[PATH_MAX];
    return realpath(path, resolved) == NULL ? NULL : str_cstr(arena, str_from(resolved));
}

char *file_own_folder(Arena *arena) {
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own);
    if (length < 0 || (size_t)length >= sizeof own) {
        return NULL;
    }
    Str path = {own, (size_t)length};
    size_t slash = 0;
    str_find_last_char(path, '/', &slash);
    return str_cstr(arena, str_slice(path, 0, slash == 0 ? 1 : slash));
}
