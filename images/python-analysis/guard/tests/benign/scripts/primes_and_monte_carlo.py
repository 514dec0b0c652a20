import random

def sieve(n):
    flags = bytearray([1]) * (n + 1)
    flags[0:2] = b"\x00\x00"
    for i in range(2, int(n**0.5) + 1):
        if flags[i]:
            flags[i * i :: i] = bytearray(len(range(i * i, n + 1, i)))
    return [i for i, f in enumerate(flags) if f]

print(len(sieve(10_000)), sieve(30))
random.seed(10)
inside = sum(random.random() ** 2 + random.random() ** 2 <= 1 for _ in range(20_000))
print(f"pi ~ {4 * inside / 20_000:.3f}")

def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps

print(max(range(1, 1000), key=collatz))
walk = [0]
for _ in range(100):
    walk.append(walk[-1] + random.choice((-1, 1)))
print(walk[-1], min(walk), max(walk))
