"""Chess pieces with inheritance; list legal moves on an empty board."""
from abc import ABC, abstractmethod
from typing import ClassVar, Iterator

FILES = "abcdefgh"


class Square:
    __slots__ = ("file", "rank")
    _cache: ClassVar[dict] = {}

    def __new__(cls, file, rank):
        key = (file, rank)
        if key not in cls._cache:
            self = super().__new__(cls)
            self.file, self.rank = file, rank
            cls._cache[key] = self
        return cls._cache[key]

    @classmethod
    def parse(cls, text):
        file, rank = text
        return cls(FILES.index(file), int(rank) - 1)

    def __add__(self, step):
        return Square(self.file + step[0], self.rank + step[1])

    @property
    def valid(self):
        return 0 <= self.file < 8 and 0 <= self.rank < 8

    def __str__(self):
        return f"{FILES[self.file]}{self.rank + 1}"

    def __lt__(self, other):
        return str(self) < str(other)


class Piece(ABC):
    symbol = "?"

    def __init__(self, square):
        self.square = Square.parse(square) if isinstance(square, str) else square

    @abstractmethod
    def moves(self) -> Iterator[Square]:
        ...

    def __repr__(self):
        return f"{type(self).__name__}@{self.square}"

    def __len__(self):
        return len(set(self.moves()))


class Slider(Piece):
    directions = ()

    def moves(self):
        for d in self.directions:
            s = self.square + d
            while s.valid:
                yield s
                s = s + d


class Jumper(Piece):
    steps = ()

    def moves(self):
        yield from (s for s in (self.square + d for d in self.steps) if s.valid)


class Rook(Slider):
    symbol = "R"
    directions = ((1, 0), (-1, 0), (0, 1), (0, -1))


class Bishop(Slider):
    symbol = "B"
    directions = tuple((a, b) for a in (1, -1) for b in (1, -1))


class Queen(Rook, Bishop):
    symbol = "Q"
    directions = Rook.directions + Bishop.directions


class Knight(Jumper):
    symbol = "N"
    steps = tuple((a * x, b * y) for x, y in ((1, 2), (2, 1)) for a in (1, -1) for b in (1, -1))


for piece in (Rook("a1"), Bishop("c1"), Queen("d4"), Knight("g1")):
    print(piece, len(piece), " ".join(map(str, sorted(piece.moves())[:6])))
print([c.__name__ for c in Queen.__mro__], issubclass(Queen, Bishop), Square.parse("e4") is Square.parse("e4"))
try:
    Piece("a1")
except TypeError as e:
    print("TypeError" if "abstract" in str(e) else e)
board = [["." for _ in FILES] for _ in range(8)]
q = Queen("d4")
for s in q.moves():
    board[7 - s.rank][s.file] = "x"
board[7 - q.square.rank][q.square.file] = q.symbol
print("\n".join(" ".join(row) for row in board))
