/* base/decimal.h: decimal numbers of 34 digits, rounded half to even.
 *
 * The value set and the rounding are those of decimal128 in IEEE 754-2008: 34 digits, adjusted
 * exponent from -6143 to 6144 (below that, fewer digits). There is no infinity, no NaN and no negative
 * zero: what would give one is a status other than DECIMAL_OK, and *out is not written. */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include "base/buf.h"
#include "base/str.h"

enum { DECIMAL_DIGITS = 34 };

/* (-1)^negative × (high × 2^64 + low) × 10^exponent; the coefficient is below 10^34. */
typedef struct Decimal {
    uint64_t high;
    uint64_t low;
    int16_t exponent;
    bool negative;
} Decimal;

typedef enum DecimalStatus {
    DECIMAL_OK,
    DECIMAL_OVERFLOW,
    DECIMAL_UNDERFLOW, /* a number that is not zero came out too small for any digit */
    DECIMAL_DIVISION   /* by zero */
} DecimalStatus;

Decimal decimal_from_int(int64_t value);
/* Reads `[+-] digits [. digits] [e [+-] digits]`, with at least one digit. False when it is malformed
 * or has no exact value in 34 digits and the exponent's range. */
bool decimal_parse(Str text, Decimal *out);
/* Shortest form: trailing zeros removed, plain notation while the exponent is at most 0 and the
 * adjusted exponent at least -6, else `1.2E+3` (the to-scientific-string of the General Decimal
 * Arithmetic specification). */
void decimal_format(Decimal value, Buf *out);

DecimalStatus decimal_add(Decimal a, Decimal b, Decimal *out);
DecimalStatus decimal_subtract(Decimal a, Decimal b, Decimal *out);
DecimalStatus decimal_multiply(Decimal a, Decimal b, Decimal *out);
DecimalStatus decimal_divide(Decimal a, Decimal b, Decimal *out);
Decimal decimal_negate(Decimal value);
/* By number: negative, zero or positive. */
int decimal_compare(Decimal a, Decimal b);
bool decimal_is_zero(Decimal value);
/* Half to even at `places` digits behind the point; negative places round before it. */
DecimalStatus decimal_round(Decimal value, int64_t places, Decimal *out);
/* The nearest representable values, for open bounds. False at the end of the range. */
bool decimal_next_above(Decimal value, Decimal *out);
bool decimal_next_below(Decimal value, Decimal *out);

enum { DECIMAL_KEY_SIZE = DECIMAL_DIGITS + 6 };

/* The sortable text of a Decimal(precision, scale): `D`, `1` or `0` for the sign, `precision` digits
 * (nines' complement when negative), `:`, two digits of scale. False when the value does not fit. */
bool decimal_to_key(Decimal value, int precision, int scale, char out[DECIMAL_KEY_SIZE]);
/* Reads such a key, or plain decimal text. */
bool decimal_from_key(Str key, Decimal *out);

#endif
