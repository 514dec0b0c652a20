def queens(n, row=0, cols=(), diag1=(), diag2=()):
    if row == n:
        yield cols
        return
    for c in range(n):
        if c not in cols and row + c not in diag1 and row - c not in diag2:
            yield from queens(n, row + 1, cols + (c,), diag1 + (row + c,), diag2 + (row - c,))


first = next(queens(8))
print("\n".join("." * c + "Q" + "." * (7 - c) for c in first))
print("solutions for n=6:", sum(1 for _ in queens(6)))

PUZZLE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"


def solve(board):
    if "0" not in board:
        return board
    options = {}
    for i, ch in enumerate(board):
        if ch == "0":
            r, c = divmod(i, 9)
            used = {board[j] for j in range(81) if j // 9 == r or j % 9 == c or (j // 27 == r // 3 and j % 9 // 3 == c // 3)}
            options[i] = set("123456789") - used
    i = min(options, key=lambda k: len(options[k]))
    for choice in sorted(options[i]):
        solved = solve(board[:i] + choice + board[i + 1:])
        if solved:
            return solved
    return None


solution = solve(PUZZLE)
for r in range(9):
    print(" ".join(solution[r * 9:(r + 1) * 9]))
print(all(set(solution[r * 9:(r + 1) * 9]) == set("123456789") for r in range(9)))
