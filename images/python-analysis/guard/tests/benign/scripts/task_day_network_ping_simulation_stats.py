import random
import statistics
from collections import defaultdict
from typing import NamedTuple, DefaultDict
import itertools
import sys


class Ping(NamedTuple):
    host: str
    seq: int
    ms: float | None = None

    @property
    def lost(self):
        return self.ms is None


def simulate(hosts, n, rng):
    for seq, host in itertools.product(range(n), hosts):
        yield Ping(host, seq, None if rng.random() < 0.08 else rng.lognormvariate(3, 0.3))


def summarise(pings):
    grouped: DefaultDict[str, list[Ping]] = defaultdict(list)
    for p in pings:
        grouped[p.host].append(p)
    for host, items in sorted(grouped.items()):
        times = [p.ms for p in items if not p.lost]
        jitter = statistics.fmean(abs(a - b) for a, b in itertools.pairwise(times))
        yield host, len(items), sum(p.lost for p in items), min(times), statistics.median(times), max(times), jitter


HEAD = ("host", "sent", "lost", "min", "med", "max", "jitter")
rng = random.Random(404)
print("{:<8}{:>6}{:>6}{:>8}{:>8}{:>8}{:>8}".format(*HEAD))
for row in summarise(simulate(["db", "web", "cache"], 50, rng)):
    print("{:<8}{:>6}{:>6}{:>8.1f}{:>8.1f}{:>8.1f}{:>8.1f}".format(*row))
sys.stdout.flush()
print(Ping("x", 1), Ping("x", 1).lost, Ping._field_defaults, Ping._make(["y", 2, 3.0])._replace(ms=1.0), Ping.__annotations__ if False else "")
