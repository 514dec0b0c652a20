from functools import lru_cache
from typing import NamedTuple, Sequence
import sys

sys.setrecursionlimit(5000)


class Item(NamedTuple):
    name: str
    weight: int
    value: int

    def density(self) -> float:
        return self.value / self.weight


ITEMS = [Item("tent", 5, 60), Item("stove", 3, 35), Item("map", 1, 22), Item("rope", 4, 30), Item("lamp", 2, 18)]


def knapsack(items: Sequence[Item], capacity: int):
    @lru_cache(maxsize=None)
    def best(i: int, left: int) -> int:
        if i == len(items):
            return 0
        skip = best(i + 1, left)
        if items[i].weight > left:
            return skip
        return max(skip, items[i].value + best(i + 1, left - items[i].weight))

    chosen, left = [], capacity
    for i, item in enumerate(items):
        if item.weight <= left and best(i, left) != best(i + 1, left):
            chosen.append(item)
            left -= item.weight
    return best(0, capacity), chosen, best.cache_info()


def greedy(items, capacity):
    total = 0
    for item in sorted(items, key=Item.density, reverse=True):
        if item.weight <= capacity:
            capacity -= item.weight
            total += item.value
    return total


def min_coins(coins, amount):
    best = [0] + [float("inf")] * amount
    last = [None] * (amount + 1)
    for a in range(1, amount + 1):
        for c in coins:
            if c <= a and best[a - c] + 1 < best[a]:
                best[a], last[a] = best[a - c] + 1, c
    if best[amount] == float("inf"):
        return None
    out = []
    while amount:
        out.append(last[amount])
        amount -= last[amount]
    return sorted(out, reverse=True)


value, chosen, info = knapsack(ITEMS, 9)
print(value, [i.name for i in chosen], sum(i.weight for i in chosen), info.misses > 0)
print(greedy(ITEMS, 9), ITEMS[0]._replace(weight=1), Item._fields, ITEMS[2] > ITEMS[1])
print(min_coins([1, 7, 10], 14), min_coins([5, 10], 3))


def lcs(a: str, b: str) -> str:
    dp = [[""] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            dp[i][j] = dp[i - 1][j - 1] + x if x == y else max(dp[i - 1][j], dp[i][j - 1], key=len)
    return dp[-1][-1]


print(lcs("corridor", "record room"), sys.getrecursionlimit())
