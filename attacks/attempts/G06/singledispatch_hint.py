"""functools.singledispatch evaluates the hint of what is registered."""
import functools

found = []


@functools.singledispatch
def f(x):
    return x


def g(x: "found.append(__import__('os').getpid()) or int"):
    return x


f.register(g)
print("ESCAPED:singledispatch_hint", found[0])
