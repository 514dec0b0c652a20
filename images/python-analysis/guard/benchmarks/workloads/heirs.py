"""Loops over objects whose class inherits from a library's, and that call their bases."""

import time
from collections import OrderedDict
from dataclasses import dataclass
from enum import Enum
from json import JSONEncoder

began = time.thread_time()


class Base:
    def __init__(self, name):
        self.name = name


class Heir(Base):
    def __init__(self, name, size):
        super().__init__(name)
        self._size = size


class Encoder(JSONEncoder):
    def __init__(self, **options):
        super().__init__(**options)
        self._count = 0

    def count(self, by):
        self._count = self._count + by
        self.total = self._count
        return self._count


class Colour(Enum):
    RED = 1
    BLUE = 2


@dataclass(frozen=True)
class Visit:
    who: str
    when: int


heirs = [Heir(str(i), i) for i in range(20_000)]
encoder = Encoder()
for i in range(60_000):
    encoder.count(i)
names = OrderedDict((heir.name, heir._size) for heir in heirs)
reds = sum(1 for i in range(40_000) if Colour.RED is Colour(1 + i % 2))
visits = {Visit(str(i % 100), i % 10) for i in range(20_000)}
print(time.thread_time() - began)
