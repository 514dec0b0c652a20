from collections import deque
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import sqrt
import random
import sys


@dataclass(frozen=True, slots=True, order=True)
class Reading:
    when: datetime
    value: float


class Welford:
    __slots__ = ("n", "mean", "_m2")

    def __init__(self):
        self.n, self.mean, self._m2 = 0, 0.0, 0.0

    def push(self, x):
        self.n += 1
        d = x - self.mean
        self.mean += d / self.n
        self._m2 += d * (x - self.mean)

    @property
    def sd(self):
        return sqrt(self._m2 / (self.n - 1)) if self.n > 1 else 0.0


def stream(seed=1, n=200):
    rng = random.Random(seed)
    t = datetime(2031, 6, 1)
    for i in range(n):
        t += timedelta(seconds=30)
        yield Reading(t, rng.gauss(20, 1) + (8 if i in (90, 150) else 0))


def coroutine(func):
    def start(*args, **kwargs):
        gen = func(*args, **kwargs)
        next(gen)
        return gen
    return start


@coroutine
def alerter(threshold, sink):
    stats = Welford()
    while True:
        r = yield
        if stats.n > 20 and abs(r.value - stats.mean) > threshold * stats.sd:
            sink.append(r)
        else:
            stats.push(r.value)


def moving_average(readings, size):
    window = deque(maxlen=size)
    for r in readings:
        window.append(r.value)
        if len(window) == size:
            yield sum(window) / size


alerts = []
monitor = alerter(4, alerts)
for r in stream():
    monitor.send(r)
monitor.close()
for a in alerts:
    print(f"{a.when:%H:%M:%S} {a.value:5.1f}", file=sys.stdout)
avg = list(moving_average(stream(), 10))
print(len(avg), f"{min(avg):.2f} {max(avg):.2f}", max(stream()).when > min(stream()).when, Reading.__slots__)
try:
    alerts[0].value = 0
except AttributeError as e:
    print(type(e).__name__)
