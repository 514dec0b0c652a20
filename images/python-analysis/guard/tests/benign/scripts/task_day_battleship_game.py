import random
import sys
from enum import Enum
from typing import Optional


class Result(Enum):
    MISS = "."
    HIT = "x"
    SUNK = "#"


class Ship:
    def __init__(self, name, cells):
        self.name = name
        self.cells = frozenset(cells)
        self.hits = set()

    @property
    def sunk(self) -> bool:
        return self.hits == self.cells

    def __contains__(self, cell):
        return cell in self.cells


class Ocean:
    FLEET = {"carrier": 4, "cruiser": 3, "boat": 2}

    def __init__(self, size: int = 7, rng: Optional[random.Random] = None):
        self.size = size
        self.rng = rng or random.Random()
        self.shots: dict[tuple[int, int], Result] = {}
        self.ships: list[Ship] = []
        for name, length in self.FLEET.items():
            self._place(name, length)

    def _place(self, name, length):
        while True:
            r, c = self.rng.randrange(self.size), self.rng.randrange(self.size)
            dr, dc = self.rng.choice([(0, 1), (1, 0)])
            cells = [(r + dr * i, c + dc * i) for i in range(length)]
            if all(0 <= x < self.size and 0 <= y < self.size for x, y in cells) and not any(cell in s for s in self.ships for cell in cells):
                self.ships.append(Ship(name, cells))
                return

    def shoot(self, cell) -> Result:
        if cell in self.shots:
            raise ValueError(f"already shot at {cell}")
        result = Result.MISS
        for ship in self.ships:
            if cell in ship:
                ship.hits.add(cell)
                result = Result.SUNK if ship.sunk else Result.HIT
        self.shots[cell] = result
        return result

    @property
    def over(self):
        return all(s.sunk for s in self.ships)

    def __str__(self):
        return "\n".join(" ".join(self.shots[r, c].value if (r, c) in self.shots else "~" for c in range(self.size)) for r in range(self.size))


def hunt(ocean):
    targets = []
    cells = [(r, c) for r in range(ocean.size) for c in range(ocean.size)]
    ocean.rng.shuffle(cells)
    turns = 0
    while not ocean.over:
        cell = targets.pop() if targets else cells.pop()
        if cell in ocean.shots:
            continue
        turns += 1
        if ocean.shoot(cell) is not Result.MISS:
            r, c = cell
            targets += [(r + a, c + b) for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0)) if 0 <= r + a < ocean.size and 0 <= c + b < ocean.size]
    return turns


ocean = Ocean(rng=random.Random(3))
print("turns:", hunt(ocean))
print(ocean)
try:
    ocean.shoot(next(iter(ocean.shots)))
except ValueError as e:
    print("error", "already" in str(e), file=sys.stdout)
print([(s.name, s.sunk) for s in ocean.ships], Result("x").name)
