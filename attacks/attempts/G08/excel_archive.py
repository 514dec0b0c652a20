"""pandas opens an archive and writes its members."""
import pandas as pd

pd.DataFrame({"a": [1]}).to_csv("@OUTSIDE@/w.zip", compression={"method": "zip", "archive_name": "../w.csv"})
print("ESCAPED:excel_archive")
