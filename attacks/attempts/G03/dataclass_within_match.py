"""A class becomes a dataclass between the check of a pattern and its use: __match_args__ are its fields."""
import dataclasses
from abc import ABCMeta

Any = ABCMeta("Any", (), {"__annotations__": {"__self__": object}})
Any.register(type(print))

match print:
    case _ if not dataclasses.dataclass(init=False, repr=False, eq=False)(Any):
        pass
    case Any(found):
        print("ESCAPED:dataclass_within_match", found.open)
