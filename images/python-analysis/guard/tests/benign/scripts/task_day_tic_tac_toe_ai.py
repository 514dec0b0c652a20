from __future__ import annotations
from functools import lru_cache
from typing import Iterator

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Board(tuple):
    def __new__(cls, cells=" " * 9):
        return super().__new__(cls, cells)

    @property
    def winner(self) -> str | None:
        for a, b, c in LINES:
            if self[a] != " " and self[a] == self[b] == self[c]:
                return self[a]
        return None

    @property
    def full(self) -> bool:
        return " " not in self

    def moves(self) -> Iterator[int]:
        return (i for i, c in enumerate(self) if c == " ")

    def play(self, i: int, mark: str) -> "Board":
        cells = list(self)
        cells[i] = mark
        return type(self)(cells)

    def __str__(self):
        return "\n-+-+-\n".join("|".join(self[r:r + 3]) for r in (0, 3, 6))


@lru_cache(maxsize=None)
def minimax(board: Board, mark: str) -> int:
    if (w := board.winner):
        return 1 if w == "X" else -1
    if board.full:
        return 0
    scores = [minimax(board.play(m, mark), "O" if mark == "X" else "X") for m in board.moves()]
    return max(scores) if mark == "X" else min(scores)


def best(board, mark):
    pick = max if mark == "X" else min
    return pick(board.moves(), key=lambda m: minimax(board.play(m, mark), "O" if mark == "X" else "X"))


def game(start=None):
    board, mark = Board(), "X"
    if start is not None:
        board, mark = board.play(start, "X"), "O"
    while not board.winner and not board.full:
        board = board.play(best(board, mark), mark)
        mark = "O" if mark == "X" else "X"
    return board


final = game(4)
print(final)
print("winner:", final.winner, {s: game(s).winner for s in range(3)})
print(best(Board("XX OO    "), "X"), best(Board("X  OO X  "), "X"), minimax.cache_info().hits > 100)
print(isinstance(final, tuple), Board("X        ") == Board(["X"] + [" "] * 8), hash(Board()) == hash(Board()))
