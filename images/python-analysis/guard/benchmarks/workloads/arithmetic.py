"""A loop over numbers and lists, inside a function and outside."""

import time

began = time.thread_time()


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


longest = max(range(1, 12_000), key=collatz)
flags = [True] * 300_000
for i in range(2, 548):
    if flags[i]:
        for k in range(i * i, len(flags), i):
            flags[k] = False
total = 0
for i in range(700_000):
    if i % 3 == 0 or i % 5 == 0:
        total += i
squares = {i: i * i for i in range(200_000) if i & 1}
print(time.thread_time() - began)
