/* base/float.h: doubles as decimal text, with the fewest digits that read back to the same value. */
#ifndef BASE_FLOAT_H
#define BASE_FLOAT_H

#include "base/buf.h"

/* Appends a finite number without an exponent and without a superfluous point: `8`, `0.001`, `-0`. */
void float_plain(double value, Buf *out);
/* Appends a finite number as JSON: with `.0` or digits behind the point while its first digit stands
 * from 10^-5 to 10^15, else with an exponent: `8.0`, `0.25`, `1e16`, `2.5e-7`. */
void float_json(double value, Buf *out);

#endif
