from collections import OrderedDict
from threading import RLock
from functools import lru_cache, wraps
import time


class LRUCache:
    """Thread safe least recently used cache."""

    def __init__(self, capacity):
        if capacity <= 0:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self._data = OrderedDict()
        self._lock = RLock()
        self.hits = self.misses = 0

    def get(self, key, default=None):
        with self._lock:
            try:
                self._data.move_to_end(key)
                self.hits += 1
                return self._data[key]
            except KeyError:
                self.misses += 1
                return default

    def put(self, key, value):
        with self._lock:
            self._data[key] = value
            self._data.move_to_end(key)
            while len(self._data) > self.capacity:
                self._data.popitem(last=False)

    __setitem__ = put

    def __getitem__(self, key):
        value = self.get(key, self)
        if value is self:
            raise KeyError(key)
        return value

    def __contains__(self, key):
        return key in self._data

    def __len__(self):
        return len(self._data)

    def __repr__(self):
        return f"{self.__class__.__name__}({dict(self._data)!r})"


def cached(capacity):
    def decorate(fn):
        cache = LRUCache(capacity)

        @wraps(fn)
        def wrapper(*args):
            if args in cache:
                return cache[args]
            cache[args] = result = fn(*args)
            return result

        wrapper.cache = cache
        return wrapper

    return decorate


@cached(3)
def slow_square(x):
    time.sleep(0.001)
    return x * x


@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


for i in [1, 2, 3, 1, 4, 5, 1]:
    slow_square(i)
print(slow_square.cache, slow_square.cache.hits)
print(fib(80), fib.cache_info())
fib.cache_clear()
print(fib.cache_info().currsize, fib.cache_parameters())
try:
    LRUCache(0)
except ValueError as err:
    print(err)
c = LRUCache(2)
c["a"] = 1
print("a" in c, len(c))
try:
    c["zz"]
except KeyError as err:
    print("missing", err)
