"""pandas calls the method that a string names."""
import pandas as pd

method = pd.Series([1]).agg("__getattribute__", 0, "agg")
print("ESCAPED:agg_by_name", pd.Series([1]).agg("__getattri" + "bute__", 0, "__di" + "ct__")["_mgr"])
