"""A named tuple says that it is of another module: its type hints are names of that module."""
import collections
import typing

A = collections.namedtuple("A", "x", module="posix")
A.__annotations__["x"] = "getpid"
print("ESCAPED:hint_of_foreign_tuple", typing.get_type_hints(A)["x"]())
