import random
from collections import deque
import statistics


class Server:
    def __init__(self):
        self.busy_until = 0.0


def simulate(n_customers, servers, arrival_rate, service_rate, seed=0):
    rng = random.Random(seed)
    clock, waits, lengths = 0.0, [], []
    pool = [Server() for _ in range(servers)]
    in_system = deque()
    for _ in range(n_customers):
        clock += rng.expovariate(arrival_rate)
        while in_system and in_system[0] <= clock:
            in_system.popleft()
        lengths.append(len(in_system))
        server = min(pool, key=lambda s: s.busy_until)
        start = max(clock, server.busy_until)
        waits.append(start - clock)
        server.busy_until = start + rng.expovariate(service_rate)
        in_system = deque(sorted([*in_system, server.busy_until]))
    return waits, lengths


print(f"{'servers':>8}{'mean wait':>12}{'95th':>8}{'queue':>8}")
for c in (1, 2, 3):
    waits, lengths = simulate(1500, c, 0.9, 1.0, seed=5)
    print(f"{c:>8}{statistics.mean(waits):>12.3f}{statistics.quantiles(waits, n=20)[-1]:>8.2f}{statistics.mean(lengths):>8.2f}")
rho = 0.9
print("M/M/1 theory:", round(rho / (1 - rho), 2))
