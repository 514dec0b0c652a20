"""A window's aggregation by a name with underscores."""
import pandas as pd

found = pd.Series([1.0, 2.0]).groupby([0, 0]).agg("__getattri" + "bute__", "__cla" + "ss__")
print("ESCAPED:groupby_by_name", found)
