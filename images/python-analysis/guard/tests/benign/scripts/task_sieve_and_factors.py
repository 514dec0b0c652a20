import math
from itertools import count, takewhile


def sieve(limit):
    is_prime = bytearray([1]) * (limit + 1)
    is_prime[0:2] = b"\x00\x00"
    for i in range(2, math.isqrt(limit) + 1):
        if is_prime[i]:
            is_prime[i * i :: i] = bytearray(len(range(i * i, limit + 1, i)))
    return [i for i, flag in enumerate(is_prime) if flag]


def factorise(n):
    factors = {}
    for p in count(2):
        if p * p > n:
            break
        while n % p == 0:
            factors[p] = factors.get(p, 0) + 1
            n //= p
    if n > 1:
        factors[n] = factors.get(n, 0) + 1
    return factors


def primes():
    found = []
    for n in count(2):
        if all(n % p for p in takewhile(lambda p: p * p <= n, found)):
            found.append(n)
            yield n


ps = sieve(1000)
print(len(ps), ps[:10], ps[-1])
for n in (360, 97, 1001, 2**16 - 1):
    print(n, "=", " × ".join(f"{p}^{e}" if e > 1 else str(p) for p, e in factorise(n).items()))
gen = primes()
print([next(gen) for _ in range(15)])
print("gcd:", math.gcd(84, 126), "lcm:", math.lcm(4, 6, 10), "pow:", pow(7, 128, 13))
print("twin primes below 100:", [(a, b) for a, b in zip(ps, ps[1:]) if b - a == 2 and b < 100])
