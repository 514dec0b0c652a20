"""The metaclass of TypedDict makes its classes by type.__new__: nobody looks at their namespace."""
import copy
import typing
from abc import ABC

Meta = type(typing.TypedDict("T", {"x": int}))


class Any(ABC):
    __match_args__ = ("real",)


Any.register(type(print))


def reduce(self, protocol):
    return lambda: Any, (), (None, {"__match_args__": ("__self__",)})


Pouring = Meta("Pouring", (), {"__reduce_ex__": reduce, "__annotations__": {}})
pouring = dict.__new__(Pouring)
match print:
    case _ if not copy.copy(pouring):
        pass
    case Any(found):
        print("ESCAPED:typed_dict_metaclass", found.open)
