import math


class Vector:
    def __init__(self, *components):
        self._c = tuple(float(x) for x in components)

    def __repr__(self):
        return f"Vector({', '.join(f'{x:g}' for x in self._c)})"

    def __add__(self, other):
        return Vector(*(a + b for a, b in zip(self, other)))

    def __sub__(self, other):
        return self + -other

    def __neg__(self):
        return Vector(*(-a for a in self))

    def __mul__(self, k):
        if isinstance(k, Vector):
            return sum(a * b for a, b in zip(self, k))
        return Vector(*(a * k for a in self))

    __rmul__ = __mul__

    def __abs__(self):
        return math.sqrt(self * self)

    def __eq__(self, other):
        return isinstance(other, Vector) and self._c == other._c

    def __hash__(self):
        return hash(self._c)

    def __iter__(self):
        return iter(self._c)

    def __len__(self):
        return len(self._c)

    def __getitem__(self, i):
        return Vector(*self._c[i]) if isinstance(i, slice) else self._c[i]

    def __bool__(self):
        return any(self._c)

    def __format__(self, spec):
        return "<" + ", ".join(format(x, spec) for x in self) + ">"

    def __getattr__(self, name):
        if name in "xyz":
            return self._c["xyz".index(name)]
        raise AttributeError(name)

    def __call__(self, f):
        return Vector(*map(f, self))


v, w = Vector(3, 4), Vector(1, -2)
print(v + w, v - w, 2 * v, v * w, abs(v), -v)
print(v == Vector(3, 4), len({v, Vector(3, 4), w}), v[0], v[:1], list(v), len(v))
print(bool(Vector(0, 0)), f"{v:.2f}", v.x, v.y, v(lambda t: t**2))
try:
    v.q
except AttributeError as e:
    print("AttributeError", e)
x, y = v
print(x + y, max(v), sorted([v, w], key=abs)[0], v in [w, v])
