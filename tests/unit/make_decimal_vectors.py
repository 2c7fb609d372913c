#!/usr/bin/python3
"""Writes the table that test_decimal.c checks base/decimal.c against, on standard output: results of
Python's decimal module in the decimal128 context. The seed is fixed, so the table is always the same."""
import decimal
import random
from decimal import Decimal

CONTEXT = decimal.Context(prec=34, rounding=decimal.ROUND_HALF_EVEN, Emin=-6143, Emax=6144, capitals=1,
                          clamp=1, traps=[])
RANDOM = random.Random(34)
EDGES = ["0", "1", "-1", "9" * 34, "-" + "9" * 34, "5e-6176", "1e-6176", "9e-6176", "1e-6143", "9e6144",
         "9." + "9" * 33 + "e6144", "1e6111", "1e-34", "0.5", "1.5", "2.5", "-2.5", "1" + "0" * 33, "3", "7"]


def operand():
    kind = RANDOM.randrange(6)
    if kind == 0:
        return RANDOM.choice(EDGES)
    digits = str(RANDOM.randrange(1, 10 ** RANDOM.choice((1, 2, 5, 17, 33, 34))))
    if kind == 1:  # long runs of nines, zeros and fives bring ties and carries
        digits = "".join(RANDOM.choice("0599") for _ in range(RANDOM.randrange(1, 35))).lstrip("0") or "5"
    spread = RANDOM.choice((3, 20, 40, 3100, 6200))
    exponent = RANDOM.randrange(-spread, spread)
    exponent = max(-6176, min(6111, exponent))
    return RANDOM.choice(("", "-")) + digits + (f"e{exponent}" if exponent else "")


def shown(value, exact_is_zero):
    """The text, or the status."""
    if CONTEXT.flags[decimal.DivisionByZero] or CONTEXT.flags[decimal.InvalidOperation]:
        return "division"
    if CONTEXT.flags[decimal.Overflow]:
        return "overflow"
    if value.is_zero():
        return "0" if exact_is_zero else "underflow"
    tuple_ = value.as_tuple()
    digits, exponent = list(tuple_.digits), tuple_.exponent
    while digits[-1] == 0:
        digits.pop()
        exponent += 1
    return str(Decimal((tuple_.sign, digits, exponent)))


def run(name, left, right):
    a, b = Decimal(left), Decimal(right)
    CONTEXT.clear_flags()
    if name == "add":
        return shown(CONTEXT.add(a, b), a == b.copy_negate())
    if name == "subtract":
        return shown(CONTEXT.subtract(a, b), a == b)
    if name == "multiply":
        return shown(CONTEXT.multiply(a, b), a.is_zero() or b.is_zero())
    if name == "divide":
        return shown(CONTEXT.divide(a, b), a.is_zero())
    return str(int(a.compare(b)))


def rounded(value, places):
    """Exactly, in a context without limits."""
    wide = decimal.Context(prec=20000, rounding=decimal.ROUND_HALF_EVEN, traps=[])
    number = Decimal(value)
    if number.as_tuple().exponent < -places:
        number = number.quantize(Decimal((0, (1,), -places)), context=wide)
    CONTEXT.clear_flags()
    return shown(CONTEXT.plus(number), True)


def main():
    for name in ("add", "subtract", "multiply", "divide", "compare"):
        for _ in range(3000):
            left, right = operand(), operand()
            if RANDOM.randrange(4) == 0:  # close to each other
                near = CONTEXT.next_plus(Decimal(left))
                right = str(near) if near.is_finite() else left
            print(f'{{"{name}", "{left}", "{right}", "{run(name, left, right)}"}},')
    for _ in range(3000):
        value = operand()
        exponent = Decimal(value).adjusted()
        places = max(-6144, min(6176, RANDOM.randrange(-3, 40) - exponent))
        print(f'{{"round", "{value}", "{places}", "{rounded(value, places)}"}},')


if __name__ == "__main__":
    main()
