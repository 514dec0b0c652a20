"""A function stands where a metaclass belongs; what it prepares answers for every name of the body."""
import abc


class Names(dict):
    def __missing__(self, name):
        if name.startswith("("):
            return lambda *args: args[0]
        raise KeyError(name)


def meta(name, bases, body, **options):
    return dict(body)


meta.__prepare__ = lambda *args, **options: Names()


class Any(abc.ABC):
    __match_args__ = ("__self__",)


Any.register(type(len))


class X(metaclass=meta):
    match len:
        case Any(b):
            print("ESCAPED:metaclass_function_prepares", b.open)
