from __future__ import annotations
from collections import OrderedDict
from functools import lru_cache, wraps
from threading import RLock
from typing import Any, Generic, Hashable, Iterator, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LRUCache(Generic[K, V]):
    """Least-recently-used cache."""

    __slots__ = ("_capacity", "_data", "_lock", "hits", "misses")

    def __init__(self, capacity: int):
        if capacity < 1:
            raise ValueError("capacity must be >= 1")
        self._capacity = capacity
        self._data: OrderedDict[K, V] = OrderedDict()
        self._lock = RLock()
        self.hits = self.misses = 0

    def get(self, key: K, default: Any = None) -> V | Any:
        with self._lock:
            try:
                self._data.move_to_end(key)
            except KeyError:
                self.misses += 1
                return default
            self.hits += 1
            return self._data[key]

    def put(self, key: K, value: V) -> None:
        with self._lock:
            self._data[key] = value
            self._data.move_to_end(key)
            while len(self._data) > self._capacity:
                evicted, _ = self._data.popitem(last=False)

    def __contains__(self, key: object) -> bool:
        return key in self._data

    def __len__(self) -> int:
        return len(self._data)

    def __iter__(self) -> Iterator[K]:
        return iter(self._data)

    def __repr__(self) -> str:
        items = ", ".join(f"{k!r}: {v!r}" for k, v in self._data.items())
        return f"{self.__class__.__name__}({{{items}}})"


def memoize(maxsize=32):
    def decorator(func):
        cache: LRUCache = LRUCache(maxsize)

        @wraps(func)
        def wrapper(*args):
            missing = object()
            value = cache.get(args, missing)
            if value is missing:
                value = func(*args)
                cache.put(args, value)
            return value

        wrapper.cache = cache
        return wrapper
    return decorator


@memoize(maxsize=100)
def stirling(n: int, k: int) -> int:
    """Stirling numbers of the second kind."""
    if n == k:
        return 1
    if k == 0 or k > n:
        return 0
    return k * stirling(n - 1, k) + stirling(n - 1, k - 1)


@lru_cache(maxsize=None)
def partitions(n, largest):
    if n == 0:
        return 1
    return sum(partitions(n - k, k) for k in range(1, min(n, largest) + 1))


cache = LRUCache[str, int](2)
cache.put("a", 1)
cache.put("b", 2)
cache.get("a")
cache.put("c", 3)
print(cache, "b" in cache, len(cache), list(cache), cache.hits, cache.misses)
print(stirling(12, 4), stirling.__name__, stirling.__doc__, stirling.cache.hits > 0, stirling.__wrapped__ is not None)
print(partitions(40, 40), partitions.cache_info().currsize > 10)
partitions.cache_clear()
print(partitions.cache_info())
try:
    cache.extra = 1
except AttributeError as e:
    print("no new attributes")
