"""query calls a method of a column that writes a file."""
import pandas as pd

frame = pd.DataFrame({"a": [1, 2]})
frame.query("a.to_csv('@OUTSIDE@/written.csv') == 1 or a > 0", engine="python")
print("ESCAPED:query_method")
