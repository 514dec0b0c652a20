class Typed:
    def __init__(self, kind, *, minimum=None):
        self.kind, self.minimum = kind, minimum

    def __set_name__(self, owner, name):
        self.name = name
        self.storage = "_" + name

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return getattr(obj, self.storage, None)

    def __set__(self, obj, value):
        if not isinstance(value, self.kind):
            raise TypeError(f"{self.name} must be {self.kind.__name__}")
        if self.minimum is not None and value < self.minimum:
            raise ValueError(f"{self.name} must be at least {self.minimum}")
        setattr(obj, self.storage, value)


class Product:
    name = Typed(str)
    price = Typed(float, minimum=0)

    def __init__(self, name, price):
        self.name = name
        self.price = price


class Singleton:
    _instance = None

    def __new__(cls, *args):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance


class Meta(type):
    registry = []

    def __new__(mcls, name, bases, namespace):
        cls = super().__new__(mcls, name, bases, namespace)
        mcls.registry.append(name)
        return cls


class Plugin(metaclass=Meta):
    pass


class CsvPlugin(Plugin):
    pass


p = Product("pen", 1.5)
print(p.name, p.price)
for args in ((5, 1.0), ("x", -1.0)):
    try:
        Product(*args)
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
print(Singleton() is Singleton(), Meta.registry, type(CsvPlugin).__name__)
