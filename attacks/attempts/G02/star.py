"""A star import brings what __all__ lists; without one, all."""
from dataclasses import *
from functools import *

found = [name for name in dir() if name in ("recursive_repr", "RLock", "make_dataclass")]
field_type = make_dataclass("A", ["x"], namespace={"f": lambda self: 1})
print("ESCAPED:star", found)
