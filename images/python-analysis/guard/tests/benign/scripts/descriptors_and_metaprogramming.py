class Positive:
    def __set_name__(self, owner, name):
        self.name = name
    def __get__(self, instance, owner=None):
        return self if instance is None else instance.values[self.name]
    def __set__(self, instance, value):
        if value <= 0:
            raise ValueError(f"{self.name} must be positive, is {value}")
        instance.values[self.name] = value

class Dose:
    amount = Positive()
    interval = Positive()
    def __init__(self, amount, interval):
        self.values = {}
        self.amount, self.interval = amount, interval
    def __getattr__(self, name):
        if name == "daily":
            return self.amount * 24 / self.interval
        raise AttributeError(f"Dose has no {name}")

class Registry(type):
    names = []
    def __new__(mcs, name, bases, namespace):
        cls = super().__new__(mcs, name, bases, namespace)
        mcs.names.append(name)
        return cls

class Base(metaclass=Registry):
    pass

class Child(Base):
    kind = "child"

class Config(dict):
    def __missing__(self, key):
        return f"<{key}>"

class Singleton:
    instance = None
    def __new__(cls):
        if cls.instance is None:
            cls.instance = super().__new__(cls)
        return cls.instance

dose = Dose(500, 8)
print(dose.amount, dose.daily, Registry.names, Child.kind, Config(a=1)["b"], "{a} {z}".format_map(Config(a=1)), Singleton() is Singleton())
for bad in (lambda: Dose(0, 8), lambda: dose.missing):
    try:
        bad()
    except (ValueError, AttributeError) as error:
        print(error)
print([n for n in dir(dose) if not n.startswith("_")])
