"""A hint keeps a private attribute of a library's object in what it says about a type."""
import typing
import pandas as pd

series = pd.Series([1])

def f(x: "typing.Annotated[int, series._mgr]"):
    return x

manager = typing.get_args(typing.get_type_hints(f, include_extras=True)["x"])[1]
print("ESCAPED:hint_keeps_private", type(manager).__name__)
