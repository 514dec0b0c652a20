import heapq
import random
import statistics
from collections import deque
from dataclasses import dataclass, field
from itertools import count

random.seed(42)


@dataclass(order=True)
class Event:
    time: float
    seq: int = field(compare=True)
    action: object = field(compare=False)


class Simulator:
    def __init__(self):
        self.now, self._queue, self._ids = 0.0, [], count()

    def schedule(self, delay, action):
        heapq.heappush(self._queue, Event(self.now + delay, next(self._ids), action))

    def run(self, until):
        while self._queue and self._queue[0].time <= until:
            ev = heapq.heappop(self._queue)
            self.now = ev.time
            ev.action()


class Bank:
    def __init__(self, sim, tellers):
        self.sim, self.free, self.line, self.waits = sim, tellers, deque(), []

    def arrive(self):
        self.line.append(self.sim.now)
        self.serve()
        self.sim.schedule(random.expovariate(1.0), self.arrive)

    def serve(self):
        if self.free and self.line:
            self.free -= 1
            self.waits.append(self.sim.now - self.line.popleft())
            self.sim.schedule(random.uniform(0.5, 2.5), self.leave)

    def leave(self):
        self.free += 1
        self.serve()


for tellers in (1, 2, 3):
    sim = Simulator(); bank = Bank(sim, tellers)
    sim.schedule(0, bank.arrive); sim.run(200)
    print(f"{tellers} tellers: {len(bank.waits)} served, mean wait {statistics.fmean(bank.waits):.2f}, max {max(bank.waits):.2f}, left {len(bank.line)}")
