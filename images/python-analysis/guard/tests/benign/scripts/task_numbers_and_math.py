import cmath
import math
import numbers

print(math.floor(-2.5), math.ceil(-2.5), math.trunc(-2.5), round(2.5), round(3.5), round(2.675, 2), int(-2.5))
print(7 // 2, -7 // 2, -7 % 3, math.fmod(-7, 3), divmod(-7, 3), 2**-1, 10**20, 1e308 * 10)
print(math.comb(10, 3), math.perm(5, 2), math.factorial(10), math.gcd(48, 18), math.lcm(4, 6), math.prod([1, 2, 3, 4]))
print(math.hypot(3, 4), math.degrees(math.pi), math.radians(180) == math.pi, round(math.sin(math.pi), 10), math.atan2(1, 1))
print(math.log(8, 2), math.log10(1000), math.exp(1) == math.e, math.log1p(1e-10), math.isclose(math.expm1(1e-5), 1e-5, rel_tol=1e-4))
print(math.inf > 10**100, math.isnan(math.nan), math.nan == math.nan, math.copysign(1, -0.0), math.fsum([0.1] * 10), sum([0.1] * 10))
z = 3 + 4j
print(abs(z), z.conjugate(), z * 1j, cmath.sqrt(-1), cmath.polar(1j), cmath.phase(-1) == math.pi, z.real, z.imag)
print(isinstance(5, numbers.Integral), isinstance(2.5, numbers.Real), isinstance(True, int), True + True, int("0x1f", 16), float("1e3"))
print((0.1).hex(), (0.5).as_integer_ratio(), (3.0).is_integer(), float.fromhex("0x1p-2"), 1_000_000, 0b101, 0o17, 0xFF)
print(f"{math.tau:.4f}", math.isqrt(17), math.cbrt(27), math.dist((0, 0), (1, 1)), math.sumprod([1, 2], [3, 4]), math.ulp(1.0), math.nextafter(1, 2) > 1)
print(complex("1+2j"), complex(1, -1) ** 2, pow(2, 10, 1000), pow(3, -1, 7), max(1, 2.0), 3 == 3.0, hash(3) == hash(3.0))


def newton_sqrt(x, eps=1e-12):
    guess = x
    while abs(guess * guess - x) > eps:
        guess = (guess + x / guess) / 2
    return guess


print(newton_sqrt(2), sum(4 / k if k % 4 == 1 else -4 / k for k in range(1, 2000, 2)), sum(1 / math.factorial(k) for k in range(18)))
