"""pandas writes anywhere."""
import pandas as pd

pd.DataFrame({"a": [1]}).to_csv("@OUTSIDE@/w.csv")
print("ESCAPED:pandas_write")
