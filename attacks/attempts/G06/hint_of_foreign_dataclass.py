"""A dataclass says that it is of another module: its type hints are names of that module."""
import dataclasses
import typing

A = dataclasses.make_dataclass("A", [("x", "_getframe")], module="sys", init=False, repr=False, eq=False)
A = dataclasses.make_dataclass("A", [("x", "getdefaultencoding")], module="sys", init=False, repr=False, eq=False)
print("ESCAPED:hint_of_foreign_dataclass", typing.get_type_hints(A)["x"]())
