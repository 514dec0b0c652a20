"""The same, where the script has a variable of the attribute's name."""
import typing
import pandas as pd

series, _mgr = pd.Series([1]), 1

def f(x: "typing.Annotated[int, series._mgr, _mgr]"):
    return x

manager = typing.get_args(typing.get_type_hints(f, include_extras=True)["x"])[1]
print("ESCAPED:hint_keeps_private_variable", type(manager).__name__)
