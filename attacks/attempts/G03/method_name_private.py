"""pandas reads a private attribute by a name."""
import pandas as pd

print("ESCAPED:method_name_private", type(pd.Series([1]).agg("_m" + "gr")))
