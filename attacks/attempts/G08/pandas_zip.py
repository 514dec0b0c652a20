"""pandas unpacks and writes archives by the path's ending."""
import pandas as pd

pd.DataFrame({"a": [1]}).to_csv("@OUTSIDE@/w.csv.gz")
print("ESCAPED:pandas_zip")
