import math


class RunningStats:
    """Welford's online mean and variance."""

    def __init__(self):
        self.n, self.mean, self._m2 = 0, 0.0, 0.0
        self.min, self.max = math.inf, -math.inf

    def push(self, x):
        self.n += 1
        delta = x - self.mean
        self.mean += delta / self.n
        self._m2 += delta * (x - self.mean)
        self.min, self.max = min(self.min, x), max(self.max, x)

    @property
    def std(self):
        return math.sqrt(self._m2 / (self.n - 1)) if self.n > 1 else math.nan

    def __iadd__(self, other):
        total = self.n + other.n
        delta = other.mean - self.mean
        self._m2 += other._m2 + delta**2 * self.n * other.n / total
        self.mean += delta * other.n / total
        self.n = total
        self.min, self.max = min(self.min, other.min), max(self.max, other.max)
        return self


a, b = RunningStats(), RunningStats()
for i in range(50):
    (a if i % 3 else b).push(math.sin(i) * 10)
print(f"a: n={a.n} mean={a.mean:.4f} std={a.std:.4f}")
a += b
print(f"combined: n={a.n} mean={a.mean:.4f} std={a.std:.4f} range {a.min:.3f}..{a.max:.3f}")
import statistics
values = [math.sin(i) * 10 for i in range(50)]
print(math.isclose(a.std, statistics.stdev(values)), math.isnan(RunningStats().std))
