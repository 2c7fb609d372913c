/* dever/number.h: checked arithmetic. Each function returns false after recording a fault. */
#ifndef DEVER_NUMBER_H
#define DEVER_NUMBER_H

#include <dever/scope.h>

bool dv_int_add(dv_scope *s, int64_t a, int64_t b, int64_t *out);
bool dv_int_subtract(dv_scope *s, int64_t a, int64_t b, int64_t *out);
bool dv_int_multiply(dv_scope *s, int64_t a, int64_t b, int64_t *out);
/* `//`: truncates toward zero. */
bool dv_int_quotient(dv_scope *s, int64_t a, int64_t b, int64_t *out);
/* `%`: has the sign of a. */
bool dv_int_remainder(dv_scope *s, int64_t a, int64_t b, int64_t *out);
bool dv_int_negate(dv_scope *s, int64_t a, int64_t *out);

/* 34 digits, half-even (IEEE 754-2008 decimal128). */
bool dv_decimal_add(dv_scope *s, dv_decimal a, dv_decimal b, dv_decimal *out);
bool dv_decimal_subtract(dv_scope *s, dv_decimal a, dv_decimal b, dv_decimal *out);
bool dv_decimal_multiply(dv_scope *s, dv_decimal a, dv_decimal b, dv_decimal *out);
bool dv_decimal_divide(dv_scope *s, dv_decimal a, dv_decimal b, dv_decimal *out);
dv_decimal dv_decimal_negate(dv_decimal a);
dv_decimal dv_decimal_promote(int64_t a); /* Int to Decimal, exact */
/* Negative, zero or positive; by number, so 2.50 equals 2.5. */
int dv_decimal_compare(dv_decimal a, dv_decimal b);

#endif
