import re
from fractions import Fraction
from functools import reduce, cached_property
import math


class UnitError(ValueError):
    pass


class Units:
    _factors: dict[str, dict[str, Fraction]] = {}

    @classmethod
    def register(cls, dimension, **factors):
        cls._factors.setdefault(dimension, {}).update({k: Fraction(str(v)) for k, v in factors.items()})
        return cls

    @classmethod
    def dimension_of(cls, unit):
        for dim, units in cls._factors.items():
            if unit in units:
                return dim
        raise UnitError(f"unknown unit {unit!r}")

    @classmethod
    def convert(cls, value, src, dst):
        a, b = cls.dimension_of(src), cls.dimension_of(dst)
        if a != b:
            raise UnitError(f"cannot convert {a} to {b}")
        return float(Fraction(str(value)) * cls._factors[a][src] / cls._factors[a][dst])


Units.register("mass", kg=1, g="0.001", mg="0.000001", lb="0.45359237")
Units.register("length", m=1, cm="0.01", inch="0.0254", mile="1609.344")
Units.register("volume", l=1, ml="0.001", dl="0.1")


class Quantity:
    PATTERN = re.compile(r"^\s*([-+]?\d*\.?\d+(?:[eE][-+]?\d+)?)\s*([a-zA-Z]+)\s*$")

    def __init__(self, text):
        match = self.PATTERN.fullmatch(text)
        if not match:
            raise UnitError(f"cannot parse {text!r}")
        self.value, self.unit = float(match[1]), match[2]

    @cached_property
    def dimension(self):
        return Units.dimension_of(self.unit)

    def to(self, unit):
        return Quantity(f"{Units.convert(self.value, self.unit, unit)!r} {unit}")

    def __add__(self, other):
        return Quantity(f"{self.value + other.to(self.unit).value} {self.unit}")

    def __eq__(self, other):
        return math.isclose(self.value, other.to(self.unit).value, rel_tol=1e-9)

    def __format__(self, spec):
        return f"{self.value:{spec or 'g'}} {self.unit}"

    def __repr__(self):
        return f"Quantity('{self}')"

    def __str__(self):
        return format(self)


for text, unit in [("5 kg", "lb"), ("180cm", "inch"), ("2.5 dl", "ml"), ("3 kg", "m"), ("abc", "m"), ("1 parsec", "m")]:
    try:
        q = Quantity(text)
        print(f"{q} = {q.to(unit):.3f} [{q.dimension}]")
    except UnitError as e:
        print("error:", e)
total = reduce(lambda a, b: a + b, map(Quantity, ["500 g", "1 lb", "0.25 kg"]))
print(f"{total:.1f}", repr(total), Quantity("1 kg") == Quantity("1000 g"), "dimension" in Quantity("1 g").__dict__)
