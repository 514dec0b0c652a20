from itertools import combinations, count
from collections import Counter
from dataclasses import dataclass, field
import random
import operator as op


@dataclass(order=True)
class Standing:
    sort_index: tuple = field(init=False, repr=False)
    team: str = field(compare=False)
    points: int = 0
    goals_for: int = 0
    goals_against: int = 0

    def __post_init__(self):
        self.refresh()

    def refresh(self):
        self.sort_index = (self.points, self.goals_for - self.goals_against, self.goals_for)

    def record(self, scored, conceded):
        self.goals_for += scored
        self.goals_against += conceded
        self.points += 3 if scored > conceded else 1 if scored == conceded else 0
        self.refresh()


def circle_method(teams):
    teams = list(teams)
    if len(teams) % 2:
        teams.append(None)
    n = len(teams)
    for _ in range(n - 1):
        yield [(teams[i], teams[n - 1 - i]) for i in range(n // 2) if None not in (teams[i], teams[n - 1 - i])]
        teams.insert(1, teams.pop())


teams = ["Owls", "Foxes", "Bears", "Hares", "Wolves"]
rng = random.Random(77)
table = {t: Standing(t) for t in teams}
pairs = Counter()
for number, matches in zip(count(1), circle_method(teams)):
    print(f"Round {number}:", end=" ")
    for home, away in matches:
        h, a = rng.randint(0, 4), rng.randint(0, 3)
        table[home].record(h, a)
        table[away].record(a, h)
        pairs[frozenset((home, away))] += 1
        print(f"{home} {h}:{a} {away}", end="; ")
    print()
assert pairs == Counter(map(frozenset, combinations(teams, 2)))
for place, s in enumerate(sorted(table.values(), reverse=True), 1):
    print(f"{place}. {s.team:<8}{s.points:>3}{s.goals_for:>4}:{s.goals_against}")
print(max(table.values(), key=op.attrgetter("goals_for")).team, table["Owls"])
