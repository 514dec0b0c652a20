import math
from abc import ABC, abstractmethod

class Model(ABC):
    """A model with one parameter."""

    registry = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.registry[cls.__name__.lower()] = cls

    def __init__(self, scale=1.0):
        self._scale = scale
        self.__secret = "kept"

    @abstractmethod
    def predict(self, x): ...

    @property
    def scale(self):
        return self._scale

    @scale.setter
    def scale(self, value):
        if value <= 0:
            raise ValueError("scale must be positive")
        self._scale = value

    @classmethod
    def default(cls):
        return cls()

    @staticmethod
    def clamp(x, low=0.0, high=1.0):
        return min(max(x, low), high)

    def __repr__(self):
        return f"{type(self).__name__}(scale={self._scale!r})"

    def reveal(self):
        return self.__secret

class Linear(Model):
    def predict(self, x):
        return self._scale * x

class Logistic(Model):
    def predict(self, x):
        return self.clamp(1 / (1 + math.exp(-self.scale * x)))

    def __call__(self, x):
        return self.predict(x)

for name, kind in sorted(Model.registry.items()):
    model = kind.default()
    model.scale = 2
    print(name, model, round(model.predict(0.3), 4), isinstance(model, Model), issubclass(kind, Model))
print(Logistic(3)(0), Linear(2).reveal(), hasattr(Linear(1), "scale"), callable(Logistic(1)))
try:
    Model()
except TypeError as error:
    print("abstract:", "abstract" in str(error))
try:
    Linear(1).scale = -1
except ValueError as error:
    print(error)
print(getattr(Linear(4), "scale"), getattr(Linear(4), "missing", None), Linear.__name__, Linear.__doc__)
setattr(model, "note", "set")
print(model.note)
