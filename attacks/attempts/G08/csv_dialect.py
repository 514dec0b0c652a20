"""A library's compression opener by its class."""
import pandas as pd

pd.DataFrame({"a": [1]}).to_json("@OUTSIDE@/w.json.bz2")
print("ESCAPED:csv_dialect")
