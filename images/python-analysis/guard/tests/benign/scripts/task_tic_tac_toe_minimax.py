from functools import lru_cache

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board):
    for a, b, c in LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return None


@lru_cache(maxsize=None)
def minimax(board, player):
    if (w := winner(board)) is not None:
        return (1 if w == "X" else -1), None
    moves = [i for i, c in enumerate(board) if c == " "]
    if not moves:
        return 0, None
    results = []
    for m in moves:
        nxt = board[:m] + player + board[m + 1:]
        results.append((minimax(nxt, "O" if player == "X" else "X")[0], m))
    return max(results, key=lambda r: (r[0], -r[1])) if player == "X" else min(results)


board, player = " " * 9, "X"
while winner(board) is None and " " in board:
    score, move = minimax(board, player)
    board = board[:move] + player + board[move + 1:]
    player = "O" if player == "X" else "X"
for r in range(0, 9, 3):
    print(" | ".join(board[r:r + 3]))
print("winner:", winner(board) or "draw", "| states:", minimax.cache_info().currsize > 1000)
