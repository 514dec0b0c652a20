import math
import random
from fractions import Fraction


def exact(n):
    p = Fraction(1)
    for k in range(n):
        p *= Fraction(365 - k, 365)
    return 1 - p


def simulated(n, trials, rng):
    hits = 0
    for _ in range(trials):
        days = [rng.randrange(365) for _ in range(n)]
        hits += len(set(days)) < n
    return hits / trials


rng = random.Random(365)
print(" n   exact   simulated  approx")
for n in (5, 10, 23, 30, 50):
    print(f"{n:>2}  {float(exact(n)):.4f}  {simulated(n, 1000, rng):.3f}      {1 - math.exp(-n * (n - 1) / 730):.4f}")
print("smallest n above 50%:", next(n for n in range(1, 366) if exact(n) > Fraction(1, 2)))


def coupon_collector(n, rng):
    seen, draws = set(), 0
    while len(seen) < n:
        seen.add(rng.randrange(n))
        draws += 1
    return draws


mean = sum(coupon_collector(20, rng) for _ in range(300)) / 300
print(f"coupons: {mean:.1f} draws, expected {20 * sum(1 / k for k in range(1, 21)):.1f}")
