"""Plugins by decorator, descriptors and a metaclass that orders fields."""
import inspect
import types
import weakref
from collections import ChainMap
from typing import Any


class Typed:
    def __init__(self, kind, default=None):
        self.kind, self.default = kind, default

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.name, self.default)

    def __set__(self, obj, value):
        if not isinstance(value, self.kind):
            raise TypeError(f"{self.name[1:]} must be {self.kind.__name__}, not {type(value).__name__}")
        setattr(obj, self.name, value)


class Ordered(type):
    def __new__(mcs, name, bases, ns, **kw):
        cls = super().__new__(mcs, name, bases, ns)
        cls.fields = [k for k, v in ns.items() if isinstance(v, Typed)]
        return cls

    def __call__(cls, *args, **kwargs):
        obj = super().__call__()
        for key, value in {**dict(zip(cls.fields, args)), **kwargs}.items():
            setattr(obj, key, value)
        return obj


class Sensor(metaclass=Ordered):
    name = Typed(str, "unnamed")
    rate = Typed((int, float).__class__ and int, 1)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{f}={getattr(self, f)!r}' for f in self.fields)})"


class Registry:
    def __init__(self):
        self._plugins: dict[str, Any] = {}
        self._seen = weakref.WeakSet()

    def register(self, name=None, **defaults):
        def decorate(func):
            self._plugins[name or func.__name__] = (func, defaults)
            return func
        return decorate

    def run(self, name, **kwargs):
        func, defaults = self._plugins[name]
        known = inspect.signature(func).parameters
        merged = ChainMap(kwargs, defaults)
        return func(**{k: v for k, v in merged.items() if k in known})


plugins = Registry()


@plugins.register(scale=2)
def stretch(values, scale):
    """Multiply every value."""
    return [v * scale for v in values]


@plugins.register("flip")
def _reverse(values):
    return values[::-1]


print(plugins.run("stretch", values=[1, 2], unused=1), plugins.run("flip", values="abc"))
s = Sensor("north", rate=5)
print(s, Sensor(), Sensor.fields, Sensor.name.kind)
try:
    s.rate = "fast"
except TypeError as exc:
    print(exc)
s.describe = types.MethodType(lambda self: f"<{self.name}>", s)
print(s.describe(), inspect.getdoc(stretch), str(inspect.signature(stretch)), inspect.isfunction(stretch))
ref = weakref.ref(s)
print(ref() is s, vars(s).keys() >= {"_name"}, callable(plugins.run), [n for n, _ in inspect.getmembers(s, inspect.ismethod)])
ns = types.SimpleNamespace(a=1, **{"b": 2})
print(ns, ns == types.SimpleNamespace(a=1, b=2))
