"""pandas.read_json takes the path as bytes of a BytesIO's name."""
import pandas as pd

frame = pd.read_fwf("@CANARY@", header=None)
print("ESCAPED:pandas_json_path" if frame.iloc[0, 0].startswith("canary:") else "held")
