import math
import random
import shutil
import sys

random.seed(77)
values = [random.gauss(50, 12) for _ in range(400)]


def histogram(values, bins=10):
    lo, hi = min(values), max(values)
    width = (hi - lo) / bins
    counts = [0] * bins
    for v in values:
        counts[min(int((v - lo) / width), bins - 1)] += 1
    return [(lo + i * width, c) for i, c in enumerate(counts)]


peak = max(c for _, c in histogram(values))
for left, count in histogram(values):
    sys.stdout.write(f"{left:7.2f} | {'█' * math.ceil(40 * count / peak):<40} {count}\n")


def sparkline(seq):
    ticks = "▁▂▃▄▅▆▇█"
    lo, hi = min(seq), max(seq)
    return "".join(ticks[int((v - lo) / (hi - lo) * (len(ticks) - 1))] for v in seq)


print(sparkline([1, 5, 22, 13, 53, 20, 8, 2]))
print("┌" + "─" * 10 + "┐\n│" + "boxed".center(10) + "│\n└" + "─" * 10 + "┘")
for i in range(0, 101, 25):
    print(f"[{'=' * (i // 5):<20}] {i:3d}%")
