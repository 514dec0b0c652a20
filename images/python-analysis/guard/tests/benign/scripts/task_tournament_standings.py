from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
import random


@dataclass
class Row:
    team: str
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    scored: int = 0
    conceded: int = 0

    @property
    def points(self):
        return 3 * self.won + self.drawn

    @property
    def difference(self):
        return self.scored - self.conceded

    def record(self, us, them):
        self.played += 1
        self.scored += us
        self.conceded += them
        if us > them:
            self.won += 1
        elif us == them:
            self.drawn += 1
        else:
            self.lost += 1


random.seed(90)
teams = ["Lions", "Bears", "Hawks", "Wolves"]
table = {t: Row(t) for t in teams}
for home, away in combinations(teams, 2):
    h, a = random.randint(0, 4), random.randint(0, 3)
    table[home].record(h, a)
    table[away].record(a, h)
    print(f"{home:>6} {h}:{a} {away}")
print(f"\n{'Team':<8}{'P':>3}{'W':>3}{'D':>3}{'L':>3}{'+/-':>5}{'Pts':>5}")
for row in sorted(table.values(), key=lambda r: (r.points, r.difference, r.scored), reverse=True):
    print(f"{row.team:<8}{row.played:>3}{row.won:>3}{row.drawn:>3}{row.lost:>3}{row.difference:>+5}{row.points:>5}")


def elo(a, b, score, k=32):
    expected = 1 / (1 + 10 ** ((b - a) / 400))
    return round(a + k * (score - expected), 1)


print(elo(1500, 1600, 1), elo(1600, 1500, 0))


def round_robin(names):
    names = list(names)
    for _ in range(len(names) - 1):
        yield list(zip(names[: len(names) // 2], reversed(names[len(names) // 2:])))
        names.insert(1, names.pop())


for n, day in enumerate(round_robin(teams), 1):
    print(n, day)
