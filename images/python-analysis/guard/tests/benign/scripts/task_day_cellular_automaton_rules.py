import sys
from typing import Iterator

WIDTH = 41


def rule_table(number: int) -> dict:
    return {tuple(int(b) for b in f"{i:03b}"): number >> i & 1 for i in range(8)}


class Automaton:
    def __init__(self, rule: int, width: int = WIDTH):
        self.table = rule_table(rule)
        self.rule = rule
        self.cells = [0] * width
        self.cells[width // 2] = 1

    def __iter__(self) -> Iterator[list]:
        return self

    def __next__(self):
        current = self.cells
        n = len(current)
        self.cells = [self.table[current[i - 1], current[i], current[(i + 1) % n]] for i in range(n)]
        return current


def show(rule, steps=8):
    print(f"rule {rule}")
    for row, _ in zip(Automaton(rule), range(steps)):
        print("".join(" █"[c] for c in row).rstrip())


for r in (30, 90):
    show(r)
density = {r: sum(sum(row) for row, _ in zip(Automaton(r), range(50))) for r in (18, 30, 90, 110)}
print(max(density, key=density.get), density, file=sys.stdout)
