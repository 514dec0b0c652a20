"""The target of a with statement is a special attribute."""
import contextlib


class A:
    pass


with contextlib.nullcontext(lambda self: print("ESCAPED:with_target")) as A.__del__:
    a = A()
