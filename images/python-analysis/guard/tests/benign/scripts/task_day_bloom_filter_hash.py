import hashlib
import math
import random
from array import array


class BloomFilter:
    def __init__(self, expected: int, error: float = 0.01):
        self.size = math.ceil(-expected * math.log(error) / math.log(2) ** 2)
        self.hashes = max(1, round(self.size / expected * math.log(2)))
        self.bits = array("B", bytes((self.size + 7) // 8))
        self.n = 0

    def _positions(self, item):
        digest = hashlib.sha256(str(item).encode("utf-8")).digest()
        a, b = int.from_bytes(digest[:8], "big"), int.from_bytes(digest[8:16], "big")
        return ((a + i * b) % self.size for i in range(self.hashes))

    def add(self, item):
        for p in self._positions(item):
            self.bits[p >> 3] |= 1 << (p & 7)
        self.n += 1

    def __contains__(self, item):
        return all(self.bits[p >> 3] >> (p & 7) & 1 for p in self._positions(item))

    def __or__(self, other):
        if self.size != other.size:
            raise ValueError("different sizes")
        out = BloomFilter.__new__(BloomFilter)
        out.__dict__.update(self.__dict__)
        out.bits = array("B", (x | y for x, y in zip(self.bits, other.bits)))
        return out

    @property
    def fill(self):
        return sum(b.bit_count() for b in self.bits) / self.size


bf = BloomFilter(500)
random.seed(10)
members = {f"patient-{i}" for i in random.sample(range(10 ** 6), 500)}
for m in members:
    bf.add(m)
assert all(m in bf for m in members)
false = sum(f"visitor-{i}" in bf for i in range(2000))
print(bf.size, bf.hashes, f"{bf.fill:.2f}", false < 60, "patient-x" in bf)
other = BloomFilter(500)
other.add("extra")
both = bf | other
print("extra" in both, next(iter(sorted(members))) in both, type(both).__name__, sorted(vars(both)))
