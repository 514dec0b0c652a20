"""Greedy shift schedule with constraints, then local improvement."""
import itertools
import random
from collections import Counter, namedtuple
from enum import Enum, auto

Assignment = namedtuple("Assignment", "day shift nurse")


class Shift(Enum):
    EARLY = auto()
    LATE = auto()
    NIGHT = auto()

    def __str__(self):
        return self.name.title()

    @property
    def hours(self):
        return {Shift.EARLY: 8, Shift.LATE: 8, Shift.NIGHT: 10}[self]


NURSES = ["Amal", "Bente", "Chidi", "Dora", "Emil", "Farah"]
DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
OFF = {("Amal", "Wed"), ("Dora", "Sat"), ("Dora", "Sun"), ("Emil", "Mon")}


def violations(plan):
    total = 0
    by_day = {}
    for a in plan:
        by_day.setdefault((a.day, a.nurse), []).append(a.shift)
        total += (a.nurse, a.day) in OFF
    total += sum(len(shifts) - 1 for shifts in by_day.values())
    for today, tomorrow in itertools.pairwise(DAYS):
        for nurse in NURSES:
            if Shift.NIGHT in by_day.get((today, nurse), []) and Shift.EARLY in by_day.get((tomorrow, nurse), []):
                total += 1
    hours = Counter()
    for a in plan:
        hours[a.nurse] += a.shift.hours
    return total * 100 + max(hours.values()) - min(hours[n] for n in NURSES)


def improve(plan, rng, rounds=3000):
    best = violations(plan)
    for _ in range(rounds):
        i = rng.randrange(len(plan))
        trial = plan.copy()
        trial[i] = trial[i]._replace(nurse=rng.choice(NURSES))
        cost = violations(trial)
        if cost <= best:
            plan, best = trial, cost
    return plan, best


def main():
    rng = random.Random(11)
    cycle = itertools.cycle(NURSES)
    plan = [Assignment(day, shift, next(cycle)) for day in DAYS for shift in Shift]
    print("start cost", violations(plan))
    plan, cost = improve(plan, rng)
    print("final cost", cost)
    width = max(map(len, NURSES)) + 2
    print(" " * 8 + "".join(f"{str(s):>{width}}" for s in Shift))
    for day in DAYS:
        row = {a.shift: a.nurse for a in plan if a.day == day}
        print(f"{day:<8}" + "".join(f"{row[s]:>{width}}" for s in Shift))
    print(plan[0]._asdict(), Assignment._fields)


if __name__ == "__main__":
    main()
