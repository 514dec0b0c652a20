"""The metaclass of a metaclass answers __prepare__."""
import abc


class Names(dict):
    def __missing__(self, name):
        if name.startswith("("):
            return lambda *args: args[0]
        raise KeyError(name)


class Above(type):
    def __getattribute__(cls, name):
        return (lambda *args, **options: Names()) if name == "__prepare__" else type.__getattribute__(cls, name)


class Meta(type, metaclass=Above):
    pass


class Any(abc.ABC):
    __match_args__ = ("__self__",)


Any.register(type(len))


class X(metaclass=Meta):
    match len:
        case Any(b):
            print("ESCAPED:metaclass_prepares_by_metaclass", b.open)
