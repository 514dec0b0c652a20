"""A named aggregation by a name with underscores, through a window."""
import pandas as pd

found = pd.Series([1.0, 2.0]).rolling(2).agg("__getattri" + "bute__", "_get_wind" + "ow_indexer")
print("ESCAPED:named_aggregation", found)
