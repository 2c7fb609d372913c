/* runtime/value/number.c: checked arithmetic of Int and Decimal, and their packages. */
#include <dever/number.h>
#include <dever/package.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/float.h"
#include "runtime/value/text.h"

/* ---- Int ---- */

bool dv_int_add(dv_scope *s, int64_t a, int64_t b, int64_t *out) {
    return !__builtin_add_overflow(a, b, out) || dv_fault(s, DV_FAULT_OVERFLOW, "Int + Int");
}

bool dv_int_subtract(dv_scope *s, int64_t a, int64_t b, int64_t *out) {
    return !__builtin_sub_overflow(a, b, out) || dv_fault(s, DV_FAULT_OVERFLOW, "Int - Int");
}

bool dv_int_multiply(dv_scope *s, int64_t a, int64_t b, int64_t *out) {
    return !__builtin_mul_overflow(a, b, out) || dv_fault(s, DV_FAULT_OVERFLOW, "Int * Int");
}

bool dv_int_quotient(dv_scope *s, int64_t a, int64_t b, int64_t *out) {
    if (b == 0) {
        return dv_fault(s, DV_FAULT_DIVISION, "Int // 0");
    }
    if (a == INT64_MIN && b == -1) {
        return dv_fault(s, DV_FAULT_OVERFLOW, "Int // Int");
    }
    *out = a / b;
    return true;
}

bool dv_int_remainder(dv_scope *s, int64_t a, int64_t b, int64_t *out) {
    if (b == 0) {
        return dv_fault(s, DV_FAULT_DIVISION, "Int % 0");
    }
    if (a == INT64_MIN && b == -1) {
        return dv_fault(s, DV_FAULT_OVERFLOW, "Int % Int");
    }
    *out = a % b;
    return true;
}

bool dv_int_negate(dv_scope *s, int64_t a, int64_t *out) {
    return !__builtin_sub_overflow((int64_t)0, a, out) || dv_fault(s, DV_FAULT_OVERFLOW, "-Int");
}

/* ---- Decimal ---- */

static Decimal inner(dv_decimal d) {
    return (Decimal){.high = d.high, .low = d.low, .exponent = d.exponent, .negative = d.negative};
}

static dv_decimal outer(Decimal d) {
    return (dv_decimal){
        .high = d.high, .low = d.low, .exponent = d.exponent, .negative = d.negative};
}

static bool finish(dv_scope *s, DecimalStatus status, const char *what, Decimal value,
                   dv_decimal *out) {
    if (status == DECIMAL_DIVISION) {
        return dv_fault(s, DV_FAULT_DIVISION, what);
    }
    if (status != DECIMAL_OK) {
        return dv_fault(s, DV_FAULT_OVERFLOW, what);
    }
    *out = outer(value);
    return true;
}

bool dv_decimal_add(dv_scope *s, dv_decimal a, dv_decimal b, dv_decimal *out) {
    Decimal value = {0};
    return finish(s, decimal_add(inner(a), inner(b), &value), "Decimal + Decimal", value, out);
}

bool dv_decimal_subtract(dv_scope *s, dv_decimal a, dv_decimal b, dv_decimal *out) {
    Decimal value = {0};
    return finish(s, decimal_subtract(inner(a), inner(b), &value), "Decimal - Decimal", value, out);
}

bool dv_decimal_multiply(dv_scope *s, dv_decimal a, dv_decimal b, dv_decimal *out) {
    Decimal value = {0};
    return finish(s, decimal_multiply(inner(a), inner(b), &value), "Decimal * Decimal", value, out);
}

bool dv_decimal_divide(dv_scope *s, dv_decimal a, dv_decimal b, dv_decimal *out) {
    Decimal value = {0};
    return finish(s, decimal_divide(inner(a), inner(b), &value), "Decimal / Decimal", value, out);
}

dv_decimal dv_decimal_negate(dv_decimal a) {
    return outer(decimal_negate(inner(a)));
}

dv_decimal dv_decimal_promote(int64_t a) {
    return outer(decimal_from_int(a));
}

int dv_decimal_compare(dv_decimal a, dv_decimal b) {
    return decimal_compare(inner(a), inner(b));
}

/* ---- packages int, decimal, float ---- */

/* An optional sign and digits, nothing else. Counts down, since there are more negative numbers. */
bool dv_int_parse(dv_scope *s, dv_text value, dv_maybe_int *result) {
    (void)s;
    bool has_sign = value.len > 0 && (value.ptr[0] == '-' || value.ptr[0] == '+');
    bool negative = has_sign && value.ptr[0] == '-';
    int64_t number = 0;
    *result = (dv_maybe_int){0};
    if (value.len == (has_sign ? 1 : 0)) {
        return true;
    }
    for (size_t i = has_sign ? 1 : 0; i < value.len; i++) {
        int digit = value.ptr[i] - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(number, (int64_t)10, &number) ||
            __builtin_sub_overflow(number, (int64_t)digit, &number)) {
            return true;
        }
    }
    if (!negative && __builtin_sub_overflow((int64_t)0, number, &number)) {
        return true;
    }
    *result = (dv_maybe_int){.present = true, .value = number};
    return true;
}

bool dv_int_to_text(dv_scope *s, int64_t value, dv_text *result) {
    char text[24];
    int length = snprintf(text, sizeof text, "%" PRId64, value);
    return text_copy(s, (Str){text, (size_t)length}, result);
}

bool dv_decimal_parse(dv_scope *s, dv_text value, dv_maybe_decimal *result) {
    (void)s;
    Decimal parsed;
    *result = (dv_maybe_decimal){0};
    if (decimal_parse(text_str(value), &parsed)) {
        *result = (dv_maybe_decimal){.present = true, .value = outer(parsed)};
    }
    return true;
}

bool dv_decimal_to_text(dv_scope *s, dv_decimal value, dv_text *result) {
    Buf text = {0};
    decimal_format(inner(value), &text);
    return text_take(s, &text, result);
}

bool dv_decimal_from_int(dv_scope *s, int64_t value, dv_decimal *result) {
    (void)s;
    *result = dv_decimal_promote(value);
    return true;
}

bool dv_decimal_round(dv_scope *s, dv_decimal value, int64_t places, dv_decimal *result) {
    Decimal rounded = {0};
    return finish(s, decimal_round(inner(value), places, &rounded), "decimal.round", rounded,
                  result);
}

/* Digits, signs, point and exponent with at least one digit; or NaN, inf, -inf. */
static bool is_float_text(dv_text value) {
    bool digit = false;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.ptr[i];
        digit = digit || (c >= '0' && c <= '9');
        if (c == '\0' || strchr("0123456789+-.eE", c) == NULL) {
            return false;
        }
    }
    return digit;
}

bool dv_float_parse(dv_scope *s, dv_text value, dv_maybe_float *result) {
    static const char *const words[] = {"NaN", "inf", "-inf"};
    *result = (dv_maybe_float){0};
    bool word = false;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        word = word || str_equal(text_str(value), str_from(words[i]));
    }
    if (!word && !is_float_text(value)) {
        return true;
    }
    dv_text copy;
    if (!text_copy(s, text_str(value), &copy)) { /* ends with a NUL */
        return false;
    }
    char *end = NULL;
    double number = strtod(copy.ptr, &end);
    if (end == copy.ptr + copy.len) {
        *result = (dv_maybe_float){.present = true, .value = number};
    }
    return true;
}

bool dv_float_to_text(dv_scope *s, double value, dv_text *result) {
    if (isnan(value)) {
        return text_copy(s, STR("NaN"), result);
    }
    if (isinf(value)) {
        return text_copy(s, value < 0 ? STR("-inf") : STR("inf"), result);
    }
    Buf out = text_buf();
    float_plain(value, &out);
    return text_take(s, &out, result);
}

bool dv_float_from_int(dv_scope *s, int64_t value, double *result) {
    (void)s;
    *result = (double)value;
    return true;
}
