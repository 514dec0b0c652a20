from abc import ABC, abstractmethod
from collections.abc import Sequence, MutableMapping, Iterable, Hashable, Callable
class Drawable(ABC):
    @classmethod
    def __subclasshook__(cls, C):
        if cls is Drawable:
            return True if any("draw" in B.__dict__ for B in C.__mro__) else NotImplemented
        return NotImplemented
    @abstractmethod
    def draw(self): ...
class Circle:
    def draw(self): return "o"
print(issubclass(Circle, Drawable), isinstance(Circle(), Drawable), isinstance(3, Drawable), issubclass(str, Drawable))
class CaseMap(MutableMapping):
    def __init__(self, *a, **k): self._d = {}; self.update(*a, **k)
    def __getitem__(self, k): return self._d[k.lower()][1]
    def __setitem__(self, k, v): self._d[k.lower()] = (k, v)
    def __delitem__(self, k): del self._d[k.lower()]
    def __iter__(self): return (k for k, _ in self._d.values())
    def __len__(self): return len(self._d)
    def __repr__(self): return f"{self.__class__.__name__}({dict(self.items())})"
m = CaseMap(Wind="N"); m["RAIN"] = 3; print(m, m["wind"], "rain" in m, m.pop("Wind"), m.setdefault("x", 1), dict(m), m == {"RAIN": 3, "x": 1})
class Span(Sequence):
    def __init__(self, n): self.n = n
    def __len__(self): return self.n
    def __getitem__(self, i):
        if isinstance(i, slice): return [self[k] for k in range(*i.indices(self.n))]
        if not -self.n <= i < self.n: raise IndexError(i)
        return (i % self.n) * 10
s = Span(5); print(list(s), s[-1], s[1:4:2], s.index(20), s.count(30), 40 in s, list(reversed(s)), isinstance(s, Iterable), isinstance([], Hashable), callable(s), isinstance(len, Callable))
@Sequence.register
class Fake: pass
print(isinstance(Fake(), Sequence), issubclass(Circle, Sequence))
