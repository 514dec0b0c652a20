"""Discrete event simulation with generators as processes."""
import heapq
import random
from collections import deque
from statistics import fmean


class Environment:
    def __init__(self):
        self.now = 0
        self._queue = []
        self._id = 0

    def timeout(self, delay):
        return ("timeout", delay)

    def process(self, generator):
        self._schedule(0, generator)
        return generator

    def _schedule(self, delay, generator, value=None):
        self._id += 1
        heapq.heappush(self._queue, (self.now + delay, self._id, generator, value))

    def run(self, until):
        while self._queue and self._queue[0][0] <= until:
            self.now, _, generator, value = heapq.heappop(self._queue)
            try:
                kind, arg = generator.send(value)
            except StopIteration:
                continue
            if kind == "timeout":
                self._schedule(arg, generator)
            elif kind == "request":
                arg.request(generator)


class Resource:
    def __init__(self, env, capacity):
        self.env, self.capacity, self.users, self.waiting = env, capacity, 0, deque()

    def acquire(self):
        return ("request", self)

    def request(self, generator):
        if self.users < self.capacity:
            self.users += 1
            self.env._schedule(0, generator)
        else:
            self.waiting.append(generator)

    def release(self):
        if self.waiting:
            self.env._schedule(0, self.waiting.popleft())
        else:
            self.users -= 1


def truck(env, name, dock, rng, stats):
    arrive = env.now
    yield dock.acquire()
    stats["wait"].append(env.now - arrive)
    yield env.timeout(rng.randint(10, 30))
    dock.release()
    stats["done"].append(name)


def arrivals(env, dock, rng, stats):
    for i in range(30):
        env.process(truck(env, f"T{i:02d}", dock, rng, stats))
        yield env.timeout(rng.expovariate(1 / 9))


for docks in (1, 2, 3):
    env, rng, stats = Environment(), random.Random(8), {"wait": [], "done": []}
    env.process(arrivals(env, Resource(env, docks), rng, stats))
    env.run(until=600)
    print(f"docks={docks} served={len(stats['done'])} mean wait={fmean(stats['wait']):.1f} longest={max(stats['wait']):.1f} first={stats['done'][:3]}")
print(env.now <= 600, type(arrivals(env, None, None, None)).__name__)
