import time, threading, collections, functools, typing as t
K, V = t.TypeVar("K", bound=t.Hashable), t.TypeVar("V")
class TTLCache(collections.abc.MutableMapping[K, V]):
    def __init__(self, maxsize: int = 3, ttl: float = 60, clock=time.monotonic):
        self._data: "collections.OrderedDict[K, tuple[float, V]]" = collections.OrderedDict(); self.maxsize, self.ttl, self.clock = maxsize, ttl, clock; self._lock = threading.RLock(); self.hits = self.misses = 0
    def __getitem__(self, k: K) -> V:
        with self._lock:
            at, v = self._data[k]
            if self.clock() - at > self.ttl: del self._data[k]; raise KeyError(k)
            self._data.move_to_end(k); return v
    def __setitem__(self, k, v):
        with self._lock:
            self._data[k] = (self.clock(), v); self._data.move_to_end(k)
            while len(self._data) > self.maxsize: old, _ = self._data.popitem(last=False); print("evict", old)
    def __delitem__(self, k): del self._data[k]
    def __iter__(self): return iter(self._data)
    def __len__(self): return len(self._data)
def cached(cache):
    def deco(fn):
        @functools.wraps(fn)
        def inner(*args):
            try: v = cache[args]; cache.hits += 1; return v
            except KeyError: cache.misses += 1; cache[args] = v = fn(*args); return v
        inner.cache = cache; return inner
    return deco
now = [0.0]; c: TTLCache[tuple, int] = TTLCache(2, 5, clock=lambda: now[0])
@cached(c)
def slow_square(n: int) -> int: print("compute", n); return n * n
print([slow_square(n) for n in (2, 3, 2, 4, 3)], c.hits, c.misses); now[0] = 6; print(slow_square(3), slow_square.__name__, slow_square.cache is c, list(c), t.get_type_hints(slow_square))
class LRU(dict):
    def __missing__(self, key): self[key] = value = f"made-{key}"; return value
d = LRU(); print(d["x"], d, d.get("y"), type(d).__mro__, LRU.__bases__, issubclass(LRU, dict))
