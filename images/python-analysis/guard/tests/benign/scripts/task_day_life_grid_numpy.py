import argparse
import os
import sys
import time
import numpy as np

PATTERNS = {
    "glider": [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)],
    "toad": [(0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2)],
}


def step(board: np.ndarray) -> np.ndarray:
    neighbours = sum(np.roll(np.roll(board, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
    return ((neighbours == 3) | (board & (neighbours == 2))).astype(np.uint8)


def render(board, alive="#", dead="."):
    return os.linesep.join("".join(alive if c else dead for c in row) for row in board)


def place(board, pattern, at=(0, 0)):
    for r, c in PATTERNS[pattern]:
        board[r + at[0], c + at[1]] = 1
    return board


def main(argv=None):
    ap = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    ap.add_argument("--size", type=int, nargs=2, default=[8, 10], metavar=("ROWS", "COLS"))
    ap.add_argument("--steps", type=int, default=4)
    ap.add_argument("--pattern", choices=sorted(PATTERNS), default="glider")
    ap.add_argument("-v", "--verbose", action="store_true")
    ns = ap.parse_args(argv)
    board = place(np.zeros(ns.size, dtype=np.uint8), ns.pattern, (1, 1))
    for i in range(ns.steps):
        if ns.verbose:
            print(f"step {i}: {board.sum()} alive")
        board = step(board)
        time.sleep(0)
    print(render(board))
    return board


if __name__ == "__main__":
    main(["--pattern", "toad", "-v"] if len(sys.argv) < 2 else None)
    final = main([])
    print(final.sum(), np.argwhere(final)[0].tolist())
    try:
        main(["--pattern", "nothing"])
    except SystemExit as e:
        print("argparse exit code", e.code)
