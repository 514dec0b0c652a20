"""The decorator that wraps() gives is called with a library's class."""
import functools
import pandas as pd

def mine():
    """Mine."""

functools.wraps(mine, ("__doc__",), ())(pd.DataFrame)
print("ESCAPED:wraps_a_library_class" if pd.DataFrame.__doc__ == "Mine." else "held")
