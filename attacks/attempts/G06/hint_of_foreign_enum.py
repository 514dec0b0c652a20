"""An enumeration says that it is of another module: its type hints are names of that module."""
import enum
import typing

A = enum.Enum("A", "x", module="posix")
A.__annotations__["x"] = "getpid"
print("ESCAPED:hint_of_foreign_enum", typing.get_type_hints(A)["x"]())
