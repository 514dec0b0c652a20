"""pandas reads file: URLs."""
import pandas as pd

print("ESCAPED:pandas_file_url" if pd.read_csv("file://@CANARY@").columns[0].startswith("canary:") else "held")
