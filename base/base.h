/* base/base.h: the few macros that every C file of the project may use. Knows nothing about Dever. */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define NODISCARD __attribute__((warn_unused_result))
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#define NORETURN __attribute__((noreturn))
#else
#define NODISCARD
#define PRINTF_LIKE(text, first)
#define NORETURN
#endif

/* Number of elements of a true array (never of a pointer). */
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
