/* base/float.c: the C library finds the digits (it rounds exactly), this file lays them out. */
#include "base/float.h"

#include <stdio.h>
#include <stdlib.h>

enum { DIGITS_MOST = 17 }; /* enough for every double */

/* (-1)^negative × 0.d1d2d3… × 10^point */
typedef struct Digits {
    bool negative;
    char text[DIGITS_MOST];
    int count;
    int point;
} Digits;

static Digits shortest(double value) {
    char text[40];
    for (int behind = 0; behind < DIGITS_MOST; behind++) {
        snprintf(text, sizeof text, "%.*e", behind, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    Digits d = {.negative = text[0] == '-'};
    const char *at = text + (d.negative ? 1 : 0);
    for (; *at != 'e'; at++) {
        if (*at != '.') {
            d.text[d.count++] = *at;
        }
    }
    d.point = atoi(at + 1) + 1;
    return d;
}

static void put_plain(const Digits *d, Buf *out) {
    buf_add(out, d->negative ? STR("-") : STR(""));
    buf_add(out, d->point <= 0 ? STR("0.") : STR(""));
    for (int i = d->point; i < 0; i++) {
        buf_add_char(out, '0');
    }
    for (int i = 0; i < d->count || i < d->point; i++) {
        if (i == d->point && i > 0) {
            buf_add_char(out, '.');
        }
        buf_add_char(out, i < d->count ? d->text[i] : '0');
    }
}

void float_plain(double value, Buf *out) {
    Digits d = shortest(value);
    put_plain(&d, out);
}

void float_json(double value, Buf *out) {
    Digits d = shortest(value);
    if (d.point > -5 && d.point <= 16) {
        put_plain(&d, out);
        buf_add(out, d.count <= d.point ? STR(".0") : STR(""));
        return;
    }
    buf_add(out, d.negative ? STR("-") : STR(""));
    buf_add_char(out, d.text[0]);
    buf_add(out, d.count > 1 ? STR(".") : STR(""));
    buf_add(out, (Str){d.text + 1, (size_t)d.count - 1});
    buf_format(out, "e%d", d.point - 1);
}
