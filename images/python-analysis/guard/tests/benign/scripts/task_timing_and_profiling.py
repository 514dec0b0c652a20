import time
from functools import wraps
from timeit import default_timer


def timed(func):
    @wraps(func)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        result = func(*args, **kwargs)
        wrapper.calls += 1
        wrapper.total += time.perf_counter() - start
        return result
    wrapper.calls = 0
    wrapper.total = 0.0
    return wrapper


@timed
def slow_sum(n):
    return sum(i * i for i in range(n))


@timed
def fast_sum(n):
    return (n - 1) * n * (2 * n - 1) // 6


for n in (10, 1000, 20000):
    assert slow_sum(n) == fast_sum(n)
print(slow_sum.calls, fast_sum.calls, slow_sum.total > 0, slow_sum.__name__)


class Stopwatch:
    def __init__(self):
        self.laps = []
        self._start = default_timer()

    def lap(self, name):
        now = default_timer()
        self.laps.append((name, now - self._start))
        self._start = now


sw = Stopwatch()
time.sleep(0.01)
sw.lap("sleep")
sorted(range(1000), reverse=True)
sw.lap("sort")
print([name for name, t in sw.laps if t >= 0], sw.laps[0][1] >= 0.009)
print(time.strftime("%Y-%m-%d", time.gmtime(0)), time.gmtime(86400).tm_mday, time.monotonic() > 0, time.time() > 1.6e9)
