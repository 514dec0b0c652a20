"""Simulate a bank with a single queue and several tellers."""
import argparse
import heapq
import logging
import random
import statistics
from dataclasses import dataclass, field

logging.basicConfig(level=logging.WARNING, format="%(levelname)s:%(name)s:%(message)s")
logger = logging.getLogger(__name__)


@dataclass(order=True)
class Event:
    time: float
    kind: str = field(compare=False)
    customer: int = field(compare=False)


class Bank:
    def __init__(self, tellers: int, arrival_rate: float, service_rate: float, rng: random.Random):
        self.tellers = tellers
        self.arrival_rate = arrival_rate
        self.service_rate = service_rate
        self.rng = rng
        self.busy = 0
        self.queue = []
        self.events = []
        self.arrived = {}
        self.waits = []

    def schedule(self, time, kind, customer):
        heapq.heappush(self.events, Event(time, kind, customer))
        logger.debug("scheduled %s at %.2f", kind, time)

    def start(self, now, customer):
        self.busy += 1
        self.waits.append(now - self.arrived[customer])
        self.schedule(now + self.rng.expovariate(self.service_rate), "leave", customer)

    def run(self, customers: int) -> None:
        now = 0.0
        for number in range(customers):
            now += self.rng.expovariate(self.arrival_rate)
            self.schedule(now, "arrive", number)
        while self.events:
            event = heapq.heappop(self.events)
            if event.kind == "arrive":
                self.arrived[event.customer] = event.time
                if self.busy < self.tellers:
                    self.start(event.time, event.customer)
                else:
                    self.queue.append(event.customer)
            else:
                self.busy -= 1
                if self.queue:
                    self.start(event.time, self.queue.pop(0))

    def __repr__(self):
        return f"{self.__class__.__name__}(tellers={self.tellers}, served={len(self.waits)})"


def parse_args(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tellers", type=int, default=3)
    parser.add_argument("--customers", type=int, default=500)
    parser.add_argument("--seed", type=int, default=42)
    return parser.parse_args(argv)


def main():
    args = parse_args([])
    for tellers in range(2, args.tellers + 2):
        bank = Bank(tellers, arrival_rate=1.0, service_rate=0.45, rng=random.Random(args.seed))
        bank.run(args.customers)
        mean = statistics.mean(bank.waits)
        p95 = statistics.quantiles(bank.waits, n=20)[-1]
        print(f"{bank!r}: mean wait {mean:.2f}, 95% {p95:.2f}, max {max(bank.waits):.2f}")


if __name__ == "__main__":
    main()
