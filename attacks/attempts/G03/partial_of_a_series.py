"""update_wrapper copies the private state of a library's object into a partial object."""
import functools
import pandas as pd

p = functools.partial(len)
functools.update_wrapper(p, pd.Series([1]), ())
print("ESCAPED:partial_of_a_series", type(p._mgr).__name__)
