/* base/str.h: string slices.
 *
 * A Str is a view: it never owns its bytes and is not NUL-terminated. A parameter of type Str is
 * borrowed for the call; keeping it means str_dup() into an arena. A function that returns a Str
 * says where the bytes live. Bytes are UTF-8 unless a comment says otherwise; a Str may hold NUL. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include "base/arena.h"
#include "base/base.h"

typedef struct Str {
    const char *ptr;
    size_t len; /* bytes */
} Str;

/* A Str of a string literal; the "" keeps anything but a literal from compiling. */
#define STR(literal) ((Str){"" literal, sizeof(literal) - 1})
/* The same as an initialiser of static data. */
#define STR_INIT(literal) \
    { "" literal, sizeof(literal) - 1 }
/* printf("%.*s") support: printf("name " STR_FMT, STR_ARG(name)); the slice must be below 2 GiB. */
#define STR_FMT "%.*s"
#define STR_ARG(s) (int)(s).len, (s).ptr

/* View of a NUL-terminated string; NULL gives the empty slice. */
Str str_from(const char *text);

bool str_equal(Str a, Str b);
/* Orders by unsigned bytes, then by length: negative, zero or positive, like memcmp. */
int str_compare(Str a, Str b);
bool str_starts_with(Str s, Str prefix);
bool str_ends_with(Str s, Str suffix);

/* View of the bytes [from, to); both are clamped to the slice. */
Str str_slice(Str s, size_t from, size_t to);
/* View without leading and trailing blanks, tabs and line ends (ASCII). */
Str str_trim(Str s);

/* Position of the first occurrence in *out_at (may be NULL); false when absent. */
bool str_find(Str s, Str needle, size_t *out_at);
bool str_find_char(Str s, char wanted, size_t *out_at);
/* Position of the last occurrence. */
bool str_find_last_char(Str s, char wanted, size_t *out_at);

/* Copy in the arena, followed by a hidden NUL (so that debuggers and C calls can read it).
 * Returns a slice with ptr NULL when the arena is at its limit. */
Str str_dup(Arena *arena, Str s);
/* NUL-terminated copy in the arena; NULL when s holds a NUL byte or the arena is at its limit. */
char *str_cstr(Arena *arena, Str s);
/* printf into the arena. ptr is NULL when the arena is at its limit. */
Str str_format(Arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);

/* FNV-1a, 64 bit (Fowler, Noll, Vo): for hash tables, never for security. */
uint64_t str_hash(Str s);

#endif
