import cmath
import math
import random
import secrets
import statistics
from decimal import Context, Decimal, DivisionByZero, InvalidOperation, Inexact, ROUND_DOWN, ROUND_HALF_EVEN, getcontext, localcontext, setcontext
from fractions import Fraction
from numbers import Integral, Rational, Real

getcontext().prec = 10
print(Decimal(1) / Decimal(7), Decimal("1.10") + Decimal("2.2"), Decimal("2.675").quantize(Decimal("0.01"), ROUND_HALF_EVEN))
try:
    Decimal(1) / 0
except DivisionByZero as e:
    print("div0")
try:
    Decimal("abc")
except InvalidOperation:
    print("invalid")
with localcontext(prec=50) as ctx:
    print(Decimal(2).sqrt(), ctx.prec)
ctx = Context(prec=4, rounding=ROUND_DOWN)
print(ctx.divide(Decimal(2), Decimal(3)), ctx.create_decimal("1.23456"), Decimal("1E+3").normalize(), Decimal("3.14").as_tuple(), f"{Decimal('1234.5'):,.2f}")
print(Fraction(3, 4) + Fraction("0.25"), Fraction(0.5), Fraction(math.pi).limit_denominator(100), Fraction(7, 3).__floor__(), Fraction(1, 3) ** 2)
print(isinstance(3, Integral), isinstance(Fraction(1), Rational), isinstance(1.0, Real))
data = [2, 4, 4, 4, 5, 5, 7, 9]
print(statistics.mean(data), statistics.median(data), statistics.mode(data), statistics.pstdev(data), statistics.variance(data), statistics.quantiles(data, n=4), statistics.multimode([1, 1, 2, 2]))
print(statistics.linear_regression([1, 2, 3], [2, 4, 6]), statistics.correlation([1, 2, 3], [1, 2, 4]), statistics.NormalDist(0, 1).cdf(1.96), statistics.NormalDist.from_samples(data), statistics.harmonic_mean([1, 2]), statistics.geometric_mean([1, 4]), statistics.fmean([1, 2], weights=[1, 3]))
try:
    statistics.mean([])
except statistics.StatisticsError as e:
    print(e)
random.seed(1)
print(random.random(), random.randint(1, 6), random.choice("abc"), random.sample(range(10), 3), random.choices("ab", weights=[9, 1], k=5), random.gauss(0, 1), random.uniform(1, 2))
r = random.Random(5)
state = r.getstate(); x = r.random(); r.setstate(state); print(x == r.random(), r.betavariate(1, 2), r.expovariate(1), r.triangular(), r.getrandbits(8), r.randbytes(3), r.shuffle([1]))
class Dice(random.Random):
    def roll(self): return self.randint(1, 6)
print([Dice(3).roll() for _ in range(3)], random.SystemRandom().randint(1, 1))
print(len(secrets.token_hex(8)), len(secrets.token_bytes(4)), secrets.choice([1]), secrets.randbelow(1), secrets.compare_digest("a", "a"), len(secrets.token_urlsafe()))
print(math.gcd(12, 18), math.lcm(4, 6), math.comb(5, 2), math.perm(5, 2), math.isclose(0.1 + 0.2, 0.3), math.prod([1, 2, 3]), math.isqrt(17), math.fsum([0.1] * 10), math.dist((0, 0), (3, 4)), math.log2(8), math.copysign(1, -0.0), math.frexp(8), math.nextafter(1, 2), math.inf, math.isnan(math.nan), math.factorial(20), math.cbrt(27), math.sumprod([1, 2], [3, 4]))
print(cmath.sqrt(-1), cmath.phase(1j), cmath.polar(1 + 1j), (1 + 2j).conjugate(), complex("1+2j"), abs(3 + 4j), cmath.exp(1j * cmath.pi).real)
print((255).to_bytes(2, "big"), int.from_bytes(b"\x01\x00", "little"), (10).bit_length(), (7).bit_count(), 0.1.hex(), float.fromhex("0x1p-2"), (0.75).as_integer_ratio(), 3.0.is_integer(), int("ff", 16), bin(5), oct(8), round(2.5), divmod(-7, 2), pow(3, -1, 7), 1_000_000, 0x_ff, 1e3, float("inf"), int("  42 "))
