import math
from numbers import Real
class Vec:
    __slots__ = ("x", "y", "z")
    def __init__(self, x=0.0, y=0.0, z=0.0):
        for n, v in zip(self.__slots__, (x, y, z)):
            if not isinstance(v, Real): raise TypeError(f"{n} must be a number, got {v!r}")
            setattr(self, n, float(v))
    def __iter__(self): return (getattr(self, n) for n in self.__slots__)
    def __repr__(self): return f"{type(self).__name__}({', '.join(f'{c:g}' for c in self)})"
    def __add__(self, o): return Vec(*(a + b for a, b in zip(self, o))) if isinstance(o, Vec) else NotImplemented
    def __mul__(self, k): return Vec(*(a * k for a in self)) if isinstance(k, Real) else NotImplemented
    __rmul__ = __mul__
    def __neg__(self): return self * -1
    def __sub__(self, o): return self + -o
    def __matmul__(self, o): return math.sumprod(self, o)
    def __abs__(self): return math.hypot(*self)
    def __eq__(self, o): return isinstance(o, Vec) and all(map(math.isclose, self, o))
    def __hash__(self): return hash(tuple(self))
    def __bool__(self): return any(self)
    def __getitem__(self, i): return tuple(self)[i]
    def __len__(self): return 3
    def __format__(self, spec): return "<" + " ".join(format(c, spec or "g") for c in self) + ">"
    def __round__(self, n=0): return Vec(*(round(c, n) for c in self))
    def __contains__(self, v): return v in tuple(self)
    def __call__(self, f): return Vec(*map(f, self))
    def __complex__(self): return complex(self.x, self.y)
    def cross(self, o):
        (a, b, c), (d, e, f) = self, o
        return Vec(b * f - c * e, c * d - a * f, a * e - b * d)
a, b = Vec(1, 2, 3), Vec(-1, 0.5, 2)
print(a + b, 2 * a, a - b, a @ b, round(abs(b), 4), a.cross(b), a == Vec(1, 2, 3 + 1e-12), len({a, Vec(1, 2, 3)}))
print(f"{a:.2f} {b}", a[0], a[-1:], list(reversed(a)), 3 in a, bool(Vec()), complex(a), a(math.sqrt), round(b * 1.234, 1), sum([a, b], Vec()))
for op in (lambda: a + 1, lambda: a * "x", lambda: Vec("q"), lambda: setattr(a, "w", 1), lambda: a[5], lambda: a < b):
    try: print(op())
    except (TypeError, AttributeError, IndexError) as e: print(type(e).__name__, "-", e)
x, *rest = a; print(x, rest, max(a), sorted(b), math.dist(a, b).__round__(3), dict(zip("xyz", a)))
