from decimal import ROUND_HALF_UP, Decimal, getcontext, localcontext
from fractions import Fraction
import math

print(0.1 + 0.2 == 0.3, Decimal("0.1") + Decimal("0.2") == Decimal("0.3"), math.isclose(0.1 + 0.2, 0.3))
getcontext().prec = 28
price, rate = Decimal("19.99"), Decimal("0.0825")
tax = (price * rate).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
print("tax", tax, "total", price + tax)
with localcontext() as ctx:
    ctx.prec = 50
    print(Decimal(2).sqrt())
print(Decimal(1) / Decimal(7))

third = Fraction(1, 3)
print(third + Fraction("0.25"), Fraction(0.75), Fraction("3.14159").limit_denominator(100), Fraction(math.pi).limit_denominator(1000))
print(sum(Fraction(1, n) for n in range(1, 11)))


def compound(principal: Decimal, annual: Decimal, years: int) -> Decimal:
    for _ in range(years * 12):
        principal += principal * annual / 12
    return principal.quantize(Decimal(".01"))


print(compound(Decimal(1000), Decimal("0.05"), 10))
print(f"{Decimal('1234567.891'):,.2f}", Decimal("1E+3").normalize(), Decimal("12.50").as_tuple().exponent)


def egyptian(frac):
    while frac:
        unit = Fraction(1, -(-frac.denominator // frac.numerator))
        yield unit
        frac -= unit


print(list(map(str, egyptian(Fraction(7, 15)))))
