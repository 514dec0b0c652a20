from collections import OrderedDict


class LRUCache:
    """Least recently used cache with statistics."""

    def __init__(self, capacity: int):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self._data = OrderedDict()
        self.hits = self.misses = 0

    def __getitem__(self, key):
        if key not in self._data:
            self.misses += 1
            raise KeyError(key)
        self.hits += 1
        self._data.move_to_end(key)
        return self._data[key]

    def __setitem__(self, key, value):
        if key in self._data:
            self._data.move_to_end(key)
        self._data[key] = value
        while len(self._data) > self.capacity:
            self._data.popitem(last=False)

    def __contains__(self, key):
        return key in self._data

    def __len__(self):
        return len(self._data)

    def __iter__(self):
        return iter(self._data)

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __repr__(self):
        return f"{type(self).__name__}({list(self._data.items())})"


cache = LRUCache(3)
for i, ch in enumerate("abcadb"):
    if cache.get(ch) is None:
        cache[ch] = i
    print(ch, cache)
print("hits", cache.hits, "misses", cache.misses, "a" in cache, len(cache), sorted(cache))
try:
    cache["zzz"]
except KeyError as e:
    print("KeyError", e)
