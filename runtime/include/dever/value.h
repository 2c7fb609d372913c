/* dever/value.h: how the values of a Dever program look in C.
 *
 * Values have value semantics: copying the C struct copies the value, since what it points to is
 * never changed once others can see it. What a value points to lives in the arena of the invocation
 * (command, job, request, test) that made it and goes with it.
 *
 *   Bool                                       bool
 *   Int, a Model's id                          int64_t
 *   DateTime, Date                             int64_t, milliseconds since 1970-01-01T00:00:00Z
 *   Time, Duration                             int64_t, milliseconds
 *   Float                                      double
 *   Decimal                                    dv_decimal
 *   Text, Id, Json                             dv_text, UTF-8
 *   Bytes, Secret                              dv_text, any bytes
 *   Uuid                                       dv_uuid
 *   List<T>                                    dv_list
 *   T?                                         struct { bool present; T value; }
 *   record                                     struct of its fields in declared order
 *   choice                                     struct { int32_t tag; union { struct … } as; }
 *
 * Every header of the door compiles with GCC, Clang and tcc. */
#ifndef DEVER_VALUE_H
#define DEVER_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A view of bytes; not NUL-terminated; ptr may be NULL when len is 0. */
typedef struct dv_text {
    const char *ptr;
    size_t len; /* bytes */
} dv_text;

/* A dv_text of a string literal, also as an initialiser of static data. */
#define DV_LITERAL(literal) \
    { "" literal, sizeof(literal) - 1 }

/* Decimal, 34 digits: (-1)^negative × (high × 2^64 + low) × 10^exponent. */
typedef struct dv_decimal {
    uint64_t high;
    uint64_t low;
    int16_t exponent;
    bool negative;
} dv_decimal;

typedef struct dv_uuid {
    uint8_t bytes[16];
} dv_uuid;

/* List<T>. `items` points to `length` values of T that stand side by side; treat it as read-only.
 * `body` belongs to the runtime: versions of one list share it. */
typedef struct dv_list {
    const void *items;
    int64_t length;
    void *body;
} dv_list;

/* Item `index` of a list whose items are of C type Type. */
#define DV_ITEM(list, Type, index) (((const Type *)(list).items)[index])

#define DV_MAYBE(Name, Type) \
    typedef struct Name {    \
        bool present;        \
        Type value;          \
    } Name

DV_MAYBE(dv_maybe_bool, bool);
DV_MAYBE(dv_maybe_int, int64_t); /* also DateTime?, Date?, Time?, Duration?, an id? */
DV_MAYBE(dv_maybe_float, double);
DV_MAYBE(dv_maybe_decimal, dv_decimal);
DV_MAYBE(dv_maybe_text, dv_text); /* also Id?, Json?, Bytes?, Secret? */
DV_MAYBE(dv_maybe_uuid, dv_uuid);
DV_MAYBE(dv_maybe_list, dv_list);

/* A Model's Page; `items` is a list of the Model's record. */
typedef struct dv_page {
    dv_list items;
    int64_t page;
    int64_t size;
    int64_t total;
    int64_t pages;
} dv_page;

#endif
