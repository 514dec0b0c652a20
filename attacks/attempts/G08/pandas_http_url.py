"""pandas reads http: URLs.

Selected: yes
"""
import pandas as pd

print("ESCAPED:pandas_http_url" if pd.read_csv("http://127.0.0.1:@PORT@/x.csv")["name"][0].startswith("canary:") else "held")
