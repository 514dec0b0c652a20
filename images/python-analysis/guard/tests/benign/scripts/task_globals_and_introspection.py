import types


def greet(name: str, punctuation: str = "!") -> str:
    """Say hello."""
    return f"Hello {name}{punctuation}"


class Thing:
    kind = "thing"

    def __init__(self):
        self.a, self.b = 1, 2

    def method(self):
        return self.a


t = Thing()
print(greet.__name__, greet.__doc__, greet.__annotations__, greet.__defaults__)
print(type(t).__name__, isinstance(t, Thing), vars(t), sorted(n for n in dir(t) if not n.startswith("_")))
print("greet" in globals(), callable(globals()["greet"]), sorted(locals().keys() & {"t", "Thing"}))
for name in ("a", "b", "c"):
    print(name, getattr(t, name, None), hasattr(t, name))
setattr(t, "c", 3)
print(t.c, t.__class__.kind, t.__dict__, Thing.method(t))
Dynamic = type("Dynamic", (Thing,), {"extra": 10, "double": lambda self: self.a * 2})
d = Dynamic()
print(Dynamic.__name__, d.extra, d.double(), Dynamic.__mro__[1] is Thing, issubclass(Dynamic, Thing))
ns = types.SimpleNamespace(x=1, y=[2])
ns.z = 3
print(ns, isinstance(greet, types.FunctionType), isinstance(t.method, types.MethodType), isinstance((i for i in []), types.GeneratorType))
dispatch = {f.__name__: f for f in (greet, len, sorted)}
print(dispatch["greet"]("Ann", "?"), dispatch["len"]("abc"), dispatch["sorted"]([2, 1]))
print(eval("1 + 2") if False else 3, id(t) == id(t), repr(None), bool(NotImplemented is NotImplemented), ... is Ellipsis)
