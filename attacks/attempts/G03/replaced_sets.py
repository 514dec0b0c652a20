"""dataclasses.replace reads the attributes that its fields name: __setattr__ is the real one."""
import copy
import dataclasses
from abc import ABC

box = []


@dataclasses.dataclass(init=False)
class Own:
    x: int = 0

    def __init__(self, **given):
        box.append(given)


dataclasses.fields(Own)[0].name = "__setattr__"
own = Own()
dataclasses.replace(own)
put = box[-1]["__setattr__"]
put("__reduce_ex__", lambda protocol: (lambda: Any, (), (None, {"__match_args__": ("__self__",)})))


class Any(ABC):
    __match_args__ = ("real",)


Any.register(type(print))
match print:
    case _ if not copy.deepcopy(own):
        pass
    case Any(found):
        print("ESCAPED:replaced_sets", found.open)
