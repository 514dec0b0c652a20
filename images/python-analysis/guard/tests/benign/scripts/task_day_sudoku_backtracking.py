"""Solve a sudoku by backtracking with constraint propagation."""
from __future__ import annotations

import time
from itertools import product
from typing import Dict, List, Optional, Set, Tuple

Cell = Tuple[int, int]
PUZZLE = """
0 0 0 | 2 6 0 | 7 0 1
6 8 0 | 0 7 0 | 0 9 0
1 9 0 | 0 0 4 | 5 0 0
8 2 0 | 1 0 0 | 0 4 0
0 0 4 | 6 0 2 | 9 0 0
0 5 0 | 0 0 3 | 0 2 8
0 0 9 | 3 0 0 | 0 7 4
0 4 0 | 0 5 0 | 0 3 6
7 0 3 | 0 1 8 | 0 0 0
"""


class Sudoku:
    def __init__(self, text: str) -> None:
        digits = [int(ch) for ch in text if ch.isdigit()]
        if len(digits) != 81:
            raise ValueError(f"expected 81 cells, got {len(digits)}")
        self.grid: List[List[int]] = [digits[i * 9:(i + 1) * 9] for i in range(9)]
        self.steps = 0

    def __getitem__(self, cell: Cell) -> int:
        r, c = cell
        return self.grid[r][c]

    def __setitem__(self, cell: Cell, value: int) -> None:
        r, c = cell
        self.grid[r][c] = value

    def candidates(self, cell: Cell) -> Set[int]:
        r, c = cell
        used = set(self.grid[r]) | {row[c] for row in self.grid}
        br, bc = 3 * (r // 3), 3 * (c // 3)
        used |= {self.grid[i][j] for i, j in product(range(br, br + 3), range(bc, bc + 3))}
        return set(range(1, 10)) - used

    def best_empty(self) -> Optional[Cell]:
        options: Dict[Cell, Set[int]] = {
            (r, c): self.candidates((r, c)) for r, c in product(range(9), repeat=2) if not self[r, c]
        }
        return min(options, key=lambda cell: len(options[cell]), default=None)

    def solve(self) -> bool:
        self.steps += 1
        cell = self.best_empty()
        if cell is None:
            return True
        for value in sorted(self.candidates(cell)):
            self[cell] = value
            if self.solve():
                return True
            self[cell] = 0
        return False

    def __str__(self) -> str:
        lines = []
        for i, row in enumerate(self.grid):
            if i in (3, 6):
                lines.append("------+-------+------")
            lines.append(" | ".join(" ".join(map(str, row[j:j + 3])) for j in (0, 3, 6)))
        return "\n".join(lines)


if __name__ == "__main__":
    start = time.perf_counter()
    puzzle = Sudoku(PUZZLE)
    assert puzzle.solve(), "no solution"
    elapsed = time.perf_counter() - start
    print(puzzle)
    print(f"steps: {puzzle.steps}, fast: {elapsed < 60}")
    assert all(sum(row) == 45 for row in puzzle.grid)
