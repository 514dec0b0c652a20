"""A loop over objects of the script's own classes: attributes, methods, operators."""

import time
from dataclasses import dataclass

began = time.thread_time()


class Vector:
    __slots__ = ("_x", "_y")

    def __init__(self, x, y):
        self._x, self._y = x, y

    def __add__(self, other):
        return Vector(self._x + other._x, self._y + other._y)

    def norm(self):
        return (self._x * self._x + self._y * self._y) ** 0.5


@dataclass
class Account:
    owner: str
    balance: float = 0.0

    def deposit(self, amount):
        if amount < 0:
            raise ValueError(amount)
        self.balance += amount


total = Vector(0, 0)
for i in range(150_000):
    total = total + Vector(i, -i)
accounts = [Account(str(i)) for i in range(100)]
for i in range(300_000):
    accounts[i % 100].deposit(i)
errors = 0
for i in range(40_000):
    try:
        accounts[0].deposit(-1)
    except ValueError:
        errors += 1
length = sum(Vector(i, 1).norm() for i in range(80_000))
print(time.thread_time() - began)
