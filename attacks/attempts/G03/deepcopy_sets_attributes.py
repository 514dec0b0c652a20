"""A dataclass's field is called __reduce_ex__: deepcopy sets any attribute of any object."""
import copy
import dataclasses
from abc import ABC

Bag = dataclasses.make_dataclass("Bag", ["__reduce_ex__"])


def put(target, name, value):
    copy.deepcopy(Bag(lambda protocol: (lambda: target, (), (None, {name: value}))))


class Any(ABC):
    __match_args__ = ("real",)


Any.register(type(print))


def change():
    put(Any, "__match_args__", ("__self__",))
    return False


match print:
    case _ if change():
        pass
    case Any(found):
        print("ESCAPED:deepcopy_sets_attributes", found.open)
