from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, asdict, replace, fields, astuple, FrozenInstanceError
from functools import total_ordering
from typing import ClassVar


@total_ordering
class Shape(ABC):
    registry: ClassVar[dict[str, type]] = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Shape.registry[cls.__name__.lower()] = cls

    @property
    @abstractmethod
    def area(self) -> float: ...

    @abstractmethod
    def perimeter(self) -> float:
        raise NotImplementedError

    def __eq__(self, other):
        if not isinstance(other, Shape):
            return NotImplemented
        return math.isclose(self.area, other.area)

    def __lt__(self, other):
        if not isinstance(other, Shape):
            return NotImplemented
        return self.area < other.area

    __hash__ = None


@dataclass(eq=False)
class Circle(Shape):
    radius: float

    def __post_init__(self):
        if self.radius < 0:
            raise ValueError("radius must not be negative")

    @property
    def area(self):
        return math.pi * self.radius ** 2

    def perimeter(self):
        return 2 * math.pi * self.radius


@dataclass(eq=False)
class Rectangle(Shape):
    width: float
    height: float = 1.0
    tags: list[str] = field(default_factory=list, repr=False)

    @property
    def area(self):
        return self.width * self.height

    def perimeter(self):
        return 2 * (self.width + self.height)


class Square(Rectangle):
    def __init__(self, side):
        super().__init__(side, side)


@dataclass(frozen=True)
class Point:
    x: int
    y: int


def test_area():
    assert math.isclose(Circle(1).area, math.pi)
    assert Rectangle(2, 3).area == 6


def test_ordering():
    shapes = [Rectangle(4, 4), Circle(1), Square(2)]
    assert [type(s).__name__ for s in sorted(shapes)] == ["Circle", "Square", "Rectangle"]
    assert Square(2) == Rectangle(1, 4)
    assert Square(1) <= Circle(1)


def test_validation():
    try:
        Circle(-1)
    except ValueError as e:
        assert "negative" in str(e)
    else:
        raise AssertionError("no error")


def test_abstract():
    try:
        Shape()
    except TypeError as e:
        print("abstract:", type(e).__name__)


def test_frozen():
    p = Point(1, 2)
    try:
        p.x = 3
    except FrozenInstanceError:
        pass
    assert replace(p, y=5) == Point(1, 5) and hash(Point(1, 2)) == hash(p)


if __name__ == "__main__":
    tests = [obj for name, obj in sorted(globals().items()) if name.startswith("test_") and callable(obj)]
    for test in tests:
        test()
        print(f"PASS {test.__name__}")
    print(sorted(Shape.registry), asdict(Rectangle(2, tags=["a"])), astuple(Point(1, 2)))
    print([f.name for f in fields(Rectangle)], repr(Rectangle(2)), Square.__mro__[1].__name__, vars(Circle(2)))
