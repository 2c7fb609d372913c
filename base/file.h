/* base/file.h: files, folders and paths. Paths are NUL-terminated; errors are set in errno. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"

/* Reads a whole regular file into the arena. False with errno; EFBIG when it is larger than `limit`. */
bool file_read(Arena *arena, const char *path, size_t limit, Str *out);
/* Replaces the file in one step: a temporary file beside it, fsync, rename. Mode as given (0644). */
bool file_write(const char *path, Str content, unsigned mode);
bool file_exists(const char *path);
bool file_is_folder(const char *path);
/* Makes the folder and those above it; fine when it is there. */
bool file_make_folders(const char *path);

typedef struct FileEntry {
    Str name; /* arena */
    bool is_folder;
    bool is_link; /* symbolic */
} FileEntry;

typedef VEC(FileEntry) FileEntries;

/* The entries of a folder, without . and .., sorted by bytes. The arena is unlimited. */
bool file_list(Arena *arena, const char *path, FileEntries *out);

/* "a/b" from "a" and "b"; b alone when it is absolute or a is empty. Arena. */
char *file_join(Arena *arena, const char *a, const char *b);
/* The absolute path without links; NULL with errno when it does not exist. Arena. */
char *file_absolute(Arena *arena, const char *path);
/* The folder of the running executable (/proc/self/exe); NULL with errno. Arena. */
char *file_own_folder(Arena *arena);

#endif
