GRID = ["PYTHONX", "XCODEAB", "JAVALMZ", "RUBYQPG", "SWIFTEO", "KLMNOPQ"]
WORDS = ["PYTHON", "CODE", "JAVA", "RUBY", "SWIFT", "GO", "EPM", "MISSING"]
DIRECTIONS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]


def find(word):
    for r, row in enumerate(GRID):
        for c in range(len(row)):
            for dr, dc in DIRECTIONS:
                cells = [(r + dr * k, c + dc * k) for k in range(len(word))]
                if all(0 <= a < len(GRID) and 0 <= b < len(row) for a, b in cells) and all(GRID[a][b] == ch for (a, b), ch in zip(cells, word)):
                    return (r, c), (dr, dc)
    return None


names = {(0, 1): "east", (0, -1): "west", (1, 0): "south", (-1, 0): "north"}
for word in WORDS:
    hit = find(word)
    print(f"{word:<8}", f"at {hit[0]} going {names.get(hit[1], hit[1])}" if hit else "not found")


def boggle(board, words):
    rows, cols = len(board), len(board[0])
    prefixes = {w[:i] for w in words for i in range(len(w) + 1)}
    found = set()

    def walk(r, c, text, seen):
        text += board[r][c]
        if text not in prefixes:
            return
        if text in words:
            found.add(text)
        for dr, dc in DIRECTIONS:
            nr, nc = r + dr, c + dc
            if 0 <= nr < rows and 0 <= nc < cols and (nr, nc) not in seen:
                walk(nr, nc, text, seen | {(nr, nc)})

    for r in range(rows):
        for c in range(cols):
            walk(r, c, "", {(r, c)})
    return sorted(found)


print(boggle(["tac", "oge", "dhs"], {"cat", "dog", "cage", "toad", "egg", "hog"}))
