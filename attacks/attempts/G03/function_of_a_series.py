"""The same into a function of the script's, by wraps()."""
import functools
import pandas as pd

@functools.wraps(pd.Series([1]), assigned=())
def f():
    pass

print("ESCAPED:function_of_a_series", type(f._mgr).__name__)
