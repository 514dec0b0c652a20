import math
import random
import statistics

import matplotlib.pyplot as plt


def estimate_pi(n, rng):
    inside = sum(1 for _ in range(n) if rng.random() ** 2 + rng.random() ** 2 <= 1)
    return 4 * inside / n


rng = random.Random(314159)
results = {}
for n in (100, 1000, 10000):
    estimates = [estimate_pi(n, rng) for _ in range(10)]
    results[n] = (statistics.mean(estimates), statistics.stdev(estimates))
    print(f"n={n:>6}: {results[n][0]:.4f} ± {results[n][1]:.4f} (error {abs(results[n][0] - math.pi):.4f})")

xs = [rng.random() for _ in range(1500)]
ys = [rng.random() for _ in range(1500)]
colors = ["tab:red" if x * x + y * y <= 1 else "tab:blue" for x, y in zip(xs, ys)]
plt.figure(figsize=(5, 5))
plt.scatter(xs, ys, c=colors, s=3)
theta = [i / 100 * math.pi / 2 for i in range(101)]
plt.plot([math.cos(t) for t in theta], [math.sin(t) for t in theta], "k-")
plt.title(r"$\pi \approx %.3f$" % (4 * colors.count("tab:red") / len(colors)))
plt.axis("equal")
plt.savefig("pi.png")
print("saved pi.png")
