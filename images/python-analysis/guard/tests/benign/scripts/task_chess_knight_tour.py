def moves(r, c, n):
    for dr, dc in ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)):
        if 0 <= r + dr < n and 0 <= c + dc < n:
            yield r + dr, c + dc


def warnsdorff(n, start=(0, 0)):
    board = [[0] * n for _ in range(n)]
    r, c = start
    for step in range(1, n * n + 1):
        board[r][c] = step
        options = [(sum(board[a][b] == 0 for a, b in moves(x, y, n)), x, y) for x, y in moves(r, c, n) if board[x][y] == 0]
        if not options:
            return board, step
        _, r, c = min(options)
    return board, n * n


board, visited = warnsdorff(6)
print("visited", visited, "of 36")
for row in board:
    print(" ".join(f"{v:>2}" for v in row))


def parse_fen(fen):
    rows = []
    for part in fen.split()[0].split("/"):
        row = ""
        for ch in part:
            row += "." * int(ch) if ch.isdigit() else ch
        rows.append(row)
    return rows


position = parse_fen("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
print("\n".join(position))
values = dict(zip("pnbrq", (1, 3, 3, 5, 9)))
print("material:", sum(values.get(c.lower(), 0) * (1 if c.isupper() else -1) for row in position for c in row))
