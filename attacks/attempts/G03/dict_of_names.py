"""apply with a dict of names, each called on a column."""
import pandas as pd

found = pd.DataFrame({"a": [1]}).agg({"a": "__dir" + "__"})
print("ESCAPED:dict_of_names", found)
