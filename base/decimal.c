/* base/decimal.c: arithmetic on arrays of decimal digits.
 *
 * Every operation makes an exact result as digits (with a sticky mark for what lies beyond them) and
 * hands it to finish(), the one place that rounds and checks the range. Digits stand most significant
 * first. */
#include "base/decimal.h"

#include <string.h>

__extension__ typedef unsigned __int128 U128;

enum {
    EXPONENT_LEAST = -6176, /* of the last digit */
    EXPONENT_MOST = 6111,
    ADJUSTED_MOST = 6144,
    WORK_DIGITS = 2 * DECIMAL_DIGITS + 6
};

typedef struct Digits {
    uint8_t digit[WORK_DIGITS];
    int count; /* without leading zeros; 0 is zero */
    int exponent;
    bool negative;
    bool sticky; /* the true value is a little further from zero */
} Digits;

static U128 coefficient(Decimal d) {
    return (U128)d.high << 64 | d.low;
}

/* Divides in place and gives the rest, limb by limb: a division of 128 bits would need the C compiler's
 * own library, which tcc does not link. */
static uint8_t divide_by_ten(U128 *value) {
    uint64_t rest = 0;
    U128 quotient = 0;
    for (int shift = 96; shift >= 0; shift -= 32) {
        uint64_t part = rest << 32 | (uint32_t)(*value >> shift);
        quotient |= (U128)(part / 10) << shift;
        rest = part % 10;
    }
    *value = quotient;
    return (uint8_t)rest;
}

static Digits digits_of(Decimal d) {
    Digits out = {.exponent = d.exponent, .negative = d.negative};
    uint8_t reversed[DECIMAL_DIGITS + 6];
    for (U128 c = coefficient(d); c != 0;) {
        reversed[out.count++] = divide_by_ten(&c);
    }
    for (int i = 0; i < out.count; i++) {
        out.digit[i] = reversed[out.count - 1 - i];
    }
    return out;
}

/* Drops the last `drop` digits (there may be fewer), rounding half to even. */
static void round_off(Digits *d, int drop) {
    int keep = d->count - drop;
    int first = 0; /* the first dropped digit */
    bool beyond = d->sticky;
    if (keep < 0) {
        beyond = beyond || d->count > 0;
        keep = 0;
    } else {
        first = keep < d->count ? d->digit[keep] : 0;
        for (int i = keep + 1; i < d->count; i++) {
            beyond = beyond || d->digit[i] != 0;
        }
    }
    bool odd = keep > 0 && d->digit[keep - 1] % 2 == 1;
    bool up = first > 5 || (first == 5 && (beyond || odd));
    d->count = keep;
    d->exponent += drop;
    d->sticky = false;
    if (!up) {
        return;
    }
    int i = keep - 1;
    while (i >= 0 && d->digit[i] == 9) {
        d->digit[i--] = 0;
    }
    if (i >= 0) {
        d->digit[i]++;
    } else {
        memmove(d->digit + 1, d->digit, (size_t)d->count);
        d->digit[0] = 1;
        d->count++;
    }
}

static DecimalStatus finish(Digits *d, Decimal *out) {
    int lead = 0;
    while (lead < d->count && d->digit[lead] == 0) {
        lead++;
    }
    memmove(d->digit, d->digit + lead, (size_t)(d->count - lead));
    d->count -= lead;
    bool zero = d->count == 0 && !d->sticky;
    /* At the small end of the range fewer digits are left. One rounding does both: rounding to 34
     * digits first and then to fewer could turn a number just off the middle into a tie. */
    int drop = d->count - DECIMAL_DIGITS;
    if (drop < EXPONENT_LEAST - d->exponent) {
        drop = EXPONENT_LEAST - d->exponent;
    }
    round_off(d, drop > 0 ? drop : 0);
    if (d->count > DECIMAL_DIGITS) { /* 99…9 became 100…0 */
        round_off(d, 1);
    }
    if (d->count > 0 && d->exponent + d->count - 1 > ADJUSTED_MOST) {
        return DECIMAL_OVERFLOW;
    }
    while (d->count > 0 && d->exponent > EXPONENT_MOST) {
        d->digit[d->count++] = 0;
        d->exponent--;
    }
    U128 c = 0;
    for (int i = 0; i < d->count; i++) {
        c = c * 10 + d->digit[i];
    }
    if (c == 0) {
        if (!zero) {
            return DECIMAL_UNDERFLOW;
        }
        int exponent = d->exponent > EXPONENT_MOST ? EXPONENT_MOST : d->exponent;
        *out = (Decimal){.exponent = (int16_t)exponent};
        return DECIMAL_OK;
    }
    *out = (Decimal){.high = (uint64_t)(c >> 64),
                     .low = (uint64_t)c,
                     .exponent = (int16_t)d->exponent,
                     .negative = d->negative};
    return DECIMAL_OK;
}

Decimal decimal_from_int(int64_t value) {
    bool negative = value < 0;
    uint64_t magnitude = negative ? 0 - (uint64_t)value : (uint64_t)value;
    return (Decimal){.low = magnitude, .negative = negative};
}

bool decimal_is_zero(Decimal value) {
    return value.high == 0 && value.low == 0;
}

Decimal decimal_negate(Decimal value) {
    value.negative = !value.negative && !decimal_is_zero(value);
    return value;
}

/* ---- text ---- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool decimal_parse(Str text, Decimal *out) {
    size_t at = 0;
    Digits d = {0};
    if (at < text.len && (text.ptr[at] == '+' || text.ptr[at] == '-')) {
        d.negative = text.ptr[at++] == '-';
    }
    int64_t exponent = 0;
    bool any = false;
    bool point = false;
    int64_t zeros = 0; /* seen, but not yet put: only needed when another digit follows */
    for (; at < text.len && (is_digit(text.ptr[at]) || (text.ptr[at] == '.' && !point)); at++) {
        if (text.ptr[at] == '.') {
            point = true;
            continue;
        }
        any = true;
        exponent -= point ? 1 : 0;
        if (text.ptr[at] == '0') {
            zeros += d.count > 0 ? 1 : 0;
            continue;
        }
        if (d.count + zeros + 1 > DECIMAL_DIGITS) {
            return false;
        }
        for (; zeros > 0; zeros--) {
            d.digit[d.count++] = 0;
        }
        d.digit[d.count++] = (uint8_t)(text.ptr[at] - '0');
    }
    if (!any) {
        return false;
    }
    exponent += zeros;
    if (at < text.len && (text.ptr[at] == 'e' || text.ptr[at] == 'E')) {
        at++;
        bool down = false;
        if (at < text.len && (text.ptr[at] == '+' || text.ptr[at] == '-')) {
            down = text.ptr[at++] == '-';
        }
        int64_t power = 0;
        size_t first = at;
        for (; at < text.len && is_digit(text.ptr[at]); at++) {
            if (power < 100000000) {
                power = power * 10 + (text.ptr[at] - '0');
            }
        }
        if (at == first) {
            return false;
        }
        exponent += down ? -power : power;
    }
    if (at != text.len) {
        return false;
    }
    if (d.count == 0) {
        *out = (Decimal){0};
        return true;
    }
    if (exponent < EXPONENT_LEAST || exponent > ADJUSTED_MOST) {
        return false;
    }
    d.exponent = (int)exponent;
    return finish(&d, out) == DECIMAL_OK;
}

void decimal_format(Decimal value, Buf *out) {
    Digits d = digits_of(value);
    while (d.count > 0 && d.digit[d.count - 1] == 0) {
        d.count--;
        d.exponent++;
    }
    if (d.count == 0) {
        buf_add_char(out, '0');
        return;
    }
    if (d.negative) {
        buf_add_char(out, '-');
    }
    int adjusted = d.exponent + d.count - 1;
    bool plain = d.exponent <= 0 && adjusted >= -6;
    int point = plain ? d.count + d.exponent : 1; /* digits in front of the point */
    if (point <= 0) {
        buf_add(out, STR("0."));
        for (int i = point; i < 0; i++) {
            buf_add_char(out, '0');
        }
    }
    for (int i = 0; i < d.count; i++) {
        if (i == point && i > 0) {
            buf_add_char(out, '.');
        }
        buf_add_char(out, (char)('0' + d.digit[i]));
    }
    if (!plain) {
        buf_format(out, "E%+d", adjusted);
    }
}

/* ---- arithmetic ---- */

static int compare_magnitude(const Digits *a, const Digits *b) {
    int top_a = a->exponent + a->count;
    int top_b = b->exponent + b->count;
    if (a->count == 0 || b->count == 0) {
        return (a->count != 0) - (b->count != 0);
    }
    if (top_a != top_b) {
        return top_a < top_b ? -1 : 1;
    }
    for (int i = 0; i < a->count || i < b->count; i++) {
        int left = i < a->count ? a->digit[i] : 0;
        int right = i < b->count ? b->digit[i] : 0;
        if (left != right) {
            return left < right ? -1 : 1;
        }
    }
    return 0;
}

int decimal_compare(Decimal a, Decimal b) {
    Digits left = digits_of(a);
    Digits right = digits_of(b);
    if (left.count == 0 && right.count == 0) {
        return 0;
    }
    if (left.count == 0) {
        return right.negative ? 1 : -1;
    }
    if (right.count == 0) {
        return left.negative ? -1 : 1;
    }
    if (left.negative != right.negative) {
        return left.negative ? -1 : 1;
    }
    int order = compare_magnitude(&left, &right);
    return left.negative ? -order : order;
}

DecimalStatus decimal_add(Decimal a, Decimal b, Decimal *out) {
    Digits large = digits_of(a);
    Digits small = digits_of(b);
    if (compare_magnitude(&large, &small) < 0) {
        Digits swap = large;
        large = small;
        small = swap;
    }
    if (small.count == 0) {
        int lower = large.exponent < small.exponent ? large.exponent : small.exponent;
        if (large.count == 0) {
            large.exponent = lower;
            large.negative = false;
        }
        return finish(&large, out);
    }
    /* Give the larger one zeros down to the smaller one's last digit, as far as they can matter. */
    while (large.exponent > small.exponent && large.count < DECIMAL_DIGITS + 3) {
        large.digit[large.count++] = 0;
        large.exponent--;
    }
    bool sticky = false;
    while (small.exponent < large.exponent && small.count > 0) {
        sticky = sticky || small.digit[small.count - 1] != 0;
        small.count--;
        small.exponent++;
    }
    if (small.count == 0) {
        small.exponent = large.exponent;
    }
    while (small.exponent > large.exponent) {
        small.digit[small.count++] = 0;
        small.exponent--;
    }
    bool subtract = large.negative != small.negative;
    Digits sum = {.exponent = large.exponent, .negative = large.negative, .count = large.count + 1};
    int carry = subtract && sticky ? 1 : 0; /* take one more, and what is beyond it is sticky */
    for (int i = 0; i < large.count; i++) {
        int left = large.digit[large.count - 1 - i];
        int right = i < small.count ? small.digit[small.count - 1 - i] : 0;
        int value = subtract ? left - right - carry : left + right + carry;
        carry = subtract ? value < 0 : value > 9;
        if (carry != 0) {
            value += subtract ? 10 : -10;
        }
        sum.digit[sum.count - 1 - i] = (uint8_t)value;
    }
    sum.digit[0] = (uint8_t)(subtract ? 0 : carry);
    sum.sticky = sticky;
    return finish(&sum, out);
}

DecimalStatus decimal_subtract(Decimal a, Decimal b, Decimal *out) {
    return decimal_add(a, decimal_negate(b), out);
}

DecimalStatus decimal_multiply(Decimal a, Decimal b, Decimal *out) {
    Digits left = digits_of(a);
    Digits right = digits_of(b);
    unsigned columns[2 * DECIMAL_DIGITS] = {0};
    for (int i = 0; i < left.count; i++) {
        for (int j = 0; j < right.count; j++) {
            columns[i + j + 1] += (unsigned)left.digit[i] * right.digit[j];
        }
    }
    Digits product = {.exponent = left.exponent + right.exponent,
                      .negative = left.negative != right.negative,
                      .count = left.count + right.count};
    unsigned carry = 0;
    for (int i = product.count - 1; i >= 0; i--) {
        unsigned value = columns[i] + carry;
        product.digit[i] = (uint8_t)(value % 10);
        carry = value / 10;
    }
    return finish(&product, out);
}

DecimalStatus decimal_divide(Decimal a, Decimal b, Decimal *out) {
    if (decimal_is_zero(b)) {
        return DECIMAL_DIVISION;
    }
    Digits dividend = digits_of(a);
    U128 divisor = coefficient(b);
    Digits quotient = {.exponent = dividend.exponent - b.exponent,
                       .negative = a.negative != b.negative};
    U128 rest = 0; /* below the divisor, so ten times it fits */
    for (int i = 0; i < dividend.count || (rest != 0 && quotient.count < DECIMAL_DIGITS + 2); i++) {
        if (i >= dividend.count) {
            quotient.exponent--;
        }
        rest = rest * 10 + (i < dividend.count ? dividend.digit[i] : 0);
        uint8_t digit = 0;
        for (; rest >= divisor; rest -= divisor) { /* nine times at most */
            digit++;
        }
        if (digit != 0 || quotient.count > 0) {
            quotient.digit[quotient.count++] = digit;
        }
    }
    quotient.sticky = rest != 0;
    return finish(&quotient, out);
}

DecimalStatus decimal_round(Decimal value, int64_t places, Decimal *out) {
    if (places > -EXPONENT_LEAST || places < -ADJUSTED_MOST) {
        return DECIMAL_OVERFLOW;
    }
    Digits d = digits_of(value);
    int wanted = (int)-places;
    if (d.exponent < wanted) {
        round_off(&d, wanted - d.exponent);
    }
    if (d.count == 0) {
        *out = (Decimal){0};
        return DECIMAL_OK;
    }
    return finish(&d, out);
}

/* ---- neighbours ---- */

/* One unit in the last place of a 34 digit coefficient away from zero, or toward it. */
static bool step(Decimal value, bool away, Decimal *out) {
    Digits d = digits_of(value);
    while (d.count < DECIMAL_DIGITS && d.exponent > EXPONENT_LEAST) {
        d.digit[d.count++] = 0;
        d.exponent--;
    }
    U128 c = 0;
    for (int i = 0; i < d.count; i++) {
        c = c * 10 + d.digit[i];
    }
    U128 least = 1; /* with all digits */
    for (int i = 1; i < DECIMAL_DIGITS; i++) {
        least *= 10;
    }
    if (away) {
        c++;
        if (c == least * 10) {
            c = least;
            d.exponent++;
        }
    } else {
        c--;
        if (c < least && d.exponent > EXPONENT_LEAST && c != 0) {
            c = c * 10 + 9;
            d.exponent--;
        }
    }
    if (d.exponent > EXPONENT_MOST) {
        return false;
    }
    *out = (Decimal){.high = (uint64_t)(c >> 64),
                     .low = (uint64_t)c,
                     .exponent = (int16_t)d.exponent,
                     .negative = d.negative && c != 0};
    return true;
}

bool decimal_next_above(Decimal value, Decimal *out) {
    if (decimal_is_zero(value)) {
        *out = (Decimal){.low = 1, .exponent = EXPONENT_LEAST};
        return true;
    }
    return step(value, !value.negative, out);
}

bool decimal_next_below(Decimal value, Decimal *out) {
    Decimal above;
    if (!decimal_next_above(decimal_negate(value), &above)) {
        return false;
    }
    *out = decimal_negate(above);
    return true;
}

/* ---- keys ---- */

bool decimal_to_key(Decimal value, int precision, int scale, char out[DECIMAL_KEY_SIZE]) {
    Digits d = digits_of(value);
    while (d.count > 0 && d.digit[d.count - 1] == 0 && d.exponent < -scale) {
        d.count--;
        d.exponent++;
    }
    if (d.count > 0 && (d.exponent < -scale || d.exponent + d.count + scale > precision)) {
        return false;
    }
    bool negative = d.negative && d.count > 0;
    out[0] = 'D';
    out[1] = negative ? '0' : '1';
    int lead = d.count == 0 ? precision : precision - (d.exponent + d.count + scale);
    for (int i = 0; i < precision; i++) {
        int digit = i < lead || i - lead >= d.count ? 0 : d.digit[i - lead];
        out[2 + i] = (char)('0' + (negative ? 9 - digit : digit));
    }
    out[2 + precision] = ':';
    out[3 + precision] = (char)('0' + scale / 10);
    out[4 + precision] = (char)('0' + scale % 10);
    out[5 + precision] = '\0';
    return true;
}

bool decimal_from_key(Str key, Decimal *out) {
    if (key.len == 0 || key.ptr[0] != 'D') {
        return decimal_parse(key, out);
    }
    if (key.len < 6 || key.len > DECIMAL_DIGITS + 5 || key.ptr[key.len - 3] != ':' ||
        (key.ptr[1] != '0' && key.ptr[1] != '1')) {
        return false;
    }
    char tens = key.ptr[key.len - 2];
    char ones = key.ptr[key.len - 1];
    if (!is_digit(tens) || !is_digit(ones)) {
        return false;
    }
    Digits d = {.negative = key.ptr[1] == '0', .exponent = -((tens - '0') * 10 + ones - '0')};
    for (size_t i = 2; i < key.len - 3; i++) {
        if (!is_digit(key.ptr[i])) {
            return false;
        }
        int digit = key.ptr[i] - '0';
        d.digit[d.count++] = (uint8_t)(d.negative ? 9 - digit : digit);
    }
    return finish(&d, out) == DECIMAL_OK;
}
