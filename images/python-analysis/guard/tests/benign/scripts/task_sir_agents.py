import random
from enum import Enum
from collections import Counter
import matplotlib.pyplot as plt


class Health(Enum):
    S = "susceptible"
    I = "infected"
    R = "recovered"


class Agent:
    __slots__ = ("x", "y", "health", "days")

    def __init__(self, rng, size):
        self.x, self.y = rng.randrange(size), rng.randrange(size)
        self.health, self.days = Health.S, 0

    def move(self, rng, size):
        self.x = (self.x + rng.choice((-1, 0, 1))) % size
        self.y = (self.y + rng.choice((-1, 0, 1))) % size


def run(n=200, size=25, p=0.35, recovery=8, days=60, seed=1):
    rng = random.Random(seed)
    agents = [Agent(rng, size) for _ in range(n)]
    for a in agents[:5]:
        a.health = Health.I
    history = []
    for _ in range(days):
        sick_cells = {(a.x, a.y) for a in agents if a.health is Health.I}
        for a in agents:
            if a.health is Health.S and (a.x, a.y) in sick_cells and rng.random() < p:
                a.health = Health.I
            elif a.health is Health.I:
                a.days += 1
                if a.days > recovery:
                    a.health = Health.R
            a.move(rng, size)
        history.append(Counter(a.health for a in agents))
    return history


history = run()
for day in (0, 10, 20, 40, 59):
    print(day, {h.name: history[day][h] for h in Health})
peak = max(range(len(history)), key=lambda d: history[d][Health.I])
print("peak day", peak, "attack rate", 1 - history[-1][Health.S] / 200)
plt.stackplot(range(60), *[[h[s] for h in history] for s in Health], labels=[s.value for s in Health])
plt.legend(loc="upper right")
plt.savefig("sir.png")
