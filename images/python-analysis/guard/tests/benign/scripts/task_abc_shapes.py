import math
from abc import ABC, abstractmethod
from typing import Protocol, runtime_checkable


class Shape(ABC):
    registry = []

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Shape.registry.append(cls.__name__)

    @property
    @abstractmethod
    def area(self) -> float:
        """The area."""

    @abstractmethod
    def perimeter(self) -> float: ...

    def describe(self) -> str:
        return f"{self.__class__.__name__}: area={self.area:.2f}, perimeter={self.perimeter():.2f}"


class Circle(Shape):
    def __init__(self, r):
        self.r = r

    @property
    def area(self):
        return math.pi * self.r**2

    def perimeter(self):
        return 2 * math.pi * self.r


class Rectangle(Shape):
    def __init__(self, w, h):
        self.w, self.h = w, h

    @property
    def area(self):
        return self.w * self.h

    def perimeter(self):
        return 2 * (self.w + self.h)


class Square(Rectangle):
    def __init__(self, side):
        super().__init__(side, side)


@runtime_checkable
class HasArea(Protocol):
    area: float


for shape in sorted([Circle(1), Rectangle(2, 3), Square(2)], key=lambda s: s.area):
    print(shape.describe())
print(Shape.registry, Square.__mro__[1].__name__, issubclass(Square, Shape))
print(isinstance(Square(1), HasArea), isinstance(3, HasArea))
try:
    Shape()
except TypeError as e:
    print("TypeError:", str(e).split(" with")[0])
