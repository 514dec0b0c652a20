"""GroupBy.pipe and agg with tuples and dicts of names."""
import pandas as pd

frame = pd.DataFrame({"a": [1, 2], "b": [1, 1]})
found = frame.groupby("b")["a"].agg([("x", "__reduce" + "__")])
print("ESCAPED:pipe_by_name", found)
