"""A discrete-event simulation with generators as processes."""
import heapq
from itertools import count


class Environment:
    def __init__(self):
        self.now = 0
        self._queue = []
        self._ids = count()

    def process(self, generator):
        self._schedule(0, generator)

    def _schedule(self, delay, generator):
        heapq.heappush(self._queue, (self.now + delay, next(self._ids), generator))

    def run(self, until):
        while self._queue and self._queue[0][0] <= until:
            self.now, _, process = heapq.heappop(self._queue)
            try:
                self._schedule(next(process), process)
            except StopIteration:
                pass
        self.now = until


def car(env, name, drive, charge, log):
    while True:
        log.append((env.now, name, "drives"))
        yield drive
        log.append((env.now, name, "charges"))
        yield charge


def clock(env, ticks, log):
    for _ in range(ticks):
        yield 5
        log.append((env.now, "clock", "tick"))


env, log = Environment(), []
env.process(car(env, "car A", 3, 2, log))
env.process(car(env, "car B", 4, 1, log))
env.process(clock(env, 2, log))
env.run(until=12)
for t, who, what in log:
    print(f"{t:>3} {who:<6} {what}")
print("end", env.now, "pending", len(env._queue))
