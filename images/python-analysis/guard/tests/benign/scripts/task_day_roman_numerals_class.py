from __future__ import annotations
import re
from functools import total_ordering

NUMERALS = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


@total_ordering
class Roman:
    _valid = re.compile(r"^M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})$")

    def __init__(self, value: int | str):
        if isinstance(value, str):
            if not value or not self._valid.match(value):
                raise ValueError(f"invalid numeral: {value!r}")
            value = self._parse(value)
        if not 0 < value < 4000:
            raise OverflowError(f"{value} out of range")
        self.value = value

    @staticmethod
    def _parse(text):
        total = i = 0
        for number, symbol in NUMERALS:
            while text.startswith(symbol, i):
                total += number
                i += len(symbol)
        return total

    def __int__(self):
        return self.value

    __index__ = __int__

    def __str__(self):
        out, n = "", self.value
        for number, symbol in NUMERALS:
            count, n = divmod(n, number)
            out += symbol * count
        return out

    def __repr__(self):
        return f"{self.__class__.__name__}('{self}')"

    def __add__(self, other):
        return type(self)(int(self) + int(other))

    __radd__ = __add__

    def __eq__(self, other):
        return int(self) == int(other)

    def __lt__(self, other):
        return int(self) < int(other)

    def __hash__(self):
        return hash(self.value)


a, b = Roman("MCMXC"), Roman(49)
print(a, b, a + b, a > b, sorted([Roman(9), Roman("IV")]), hex(b), [10, 20, 30][Roman("II")], sum([Roman(1), Roman(2)], 0))
for bad in ("IIII", "ABC", "", 4000):
    try:
        print(Roman(bad))
    except (ValueError, OverflowError) as e:
        print(f"{type(e).__name__}: {e}")
assert all(int(Roman(str(Roman(i)))) == i for i in range(1, 4000))
