"""get_type_hints takes the namespaces that hints are evaluated in."""
import typing


def f(x: "y.__globals__['__builtins__']"):
    return x


import textwrap

try:
    print("ESCAPED:type_hint_own_globals", typing.get_type_hints(f, {"y": textwrap.dedent}))
except TypeError as error:
    print("ESCAPED:type_hint_own_globals", error)
