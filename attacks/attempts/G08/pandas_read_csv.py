"""pandas reads any file."""
import pandas as pd

print("ESCAPED:pandas_read_csv" if pd.read_csv("@CANARY@").columns[0].startswith("canary:") else "held")
