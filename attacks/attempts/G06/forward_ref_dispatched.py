"""singledispatch evaluates the hint of a function that it registers, and shows what it has found."""
import functools
import typing

@functools.singledispatch
def f(x):
    return x

@f.register
def g(x: typing.ForwardRef("FileIO", module="io")):
    return x

[opener] = [kind for kind in f.registry if kind is not object]
print("ESCAPED:forward_ref_dispatched", opener("@CANARY@").read()[:7])
