"""A type hint reads private attributes by super() in a lambda, which compiles to an operation of its own."""
import typing

import matplotlib.pyplot
import plotly.graph_objects as go

got = []


class Own(go.layout.Image):
    pass


own = Own()


def first(x: "got.append((lambda: super(Own, own)._get_validator('source'))())"):
    pass


typing.get_type_hints(first)
Validator = type(got[0])


class V(Validator):
    pass


v = V()


def second(x: "got.append((lambda: super(V, v)._PIL)())"):
    pass


typing.get_type_hints(second)
real = got[1]
if type(real) is type(typing) and "dist-packages" in repr(real):
    print("ESCAPED:hint_by_super", real, real.Image.logging.threading)
