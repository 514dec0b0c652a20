from fractions import Fraction
from decimal import Decimal, localcontext, getcontext
import cmath
import math
import numbers
import sys


def egyptian(f: Fraction):
    while f:
        unit = Fraction(1, math.ceil(1 / f))
        yield unit
        f -= unit


def continued(x: Fraction):
    while True:
        whole, rest = divmod(x, 1)
        yield int(whole)
        if not rest:
            return
        x = 1 / rest


def sqrt_decimal(n, digits):
    with localcontext() as ctx:
        ctx.prec = digits + 2
        return +Decimal(n).sqrt()


def pi_machin(digits):
    with localcontext() as ctx:
        ctx.prec = digits + 5

        def arctan_inv(x):
            total = term = Decimal(1) / x
            n, sign = 3, -1
            while abs(term) > Decimal(10) ** -(digits + 4):
                term /= x * x
                total += sign * term / n
                sign, n = -sign, n + 2
            return total
        return 4 * (4 * arctan_inv(5) - arctan_inv(239))


print([str(u) for u in egyptian(Fraction(11, 13))], list(continued(Fraction(415, 93))))
print(sqrt_decimal(2, 30), str(pi_machin(40))[:42])
print(Fraction("0.125") + Fraction(1, 3), Fraction(math.pi).limit_denominator(1000), Fraction(7, 3).__floor__(), round(Fraction(7, 3)))
print(cmath.sqrt(-2), cmath.polar(1j)[1] == math.pi / 2, (3 + 4j).conjugate(), abs(3 + 4j), complex("1+2j").imag)
print([isinstance(x, numbers.Real) for x in (1, 1.5, Fraction(1), Decimal(1), 1j)], sys.float_info.dig, (0.1).as_integer_ratio()[1] == 2 ** 55)
print(Decimal("0.1") + Decimal("0.2"), 0.1 + 0.2 == 0.3, math.isclose(0.1 + 0.2, 0.3), math.fsum([0.1] * 10), float.fromhex("0x1.8p1"), (255).to_bytes(2, "big"), int("ff", 16), bin(10), oct(8), round(2.675, 2))
print(getcontext().prec, math.inf > 10 ** 300, math.isnan(float("nan")), divmod(-7, 3), -7 // 2, pow(3, -1, 7), 10 ** 20 % 97)
