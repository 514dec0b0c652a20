"""Reports of a table with what needs no further package."""

import io

import pandas as pd

table = pd.DataFrame({"site": ["a", "b", "b"], "n": [10, 20, 5], "rate": [0.125, 0.5, 0.25]})

try:
    text = table.to_markdown(index=False)
except ImportError:
    text = table.to_string(index=False)
print(len(text) > 0)

try:
    table.to_parquet("table.parquet")
    suffix = "parquet"
except ImportError:
    table.to_csv("table.csv", index=False)
    suffix = "csv"
print(suffix, pd.read_csv("table.csv").equals(table) if suffix == "csv" else True)

joined = table.merge(pd.DataFrame({"site": ["a", "b"], "name": ["Ann", "Bob"]}), on="site", how="left")
by_site = joined.groupby("name", as_index=False).agg(n=("n", "sum"), rate=("rate", "mean")).query("n > 1")
print(by_site.to_string(index=False))
buffer = io.StringIO()
by_site.to_html(buffer)
print(buffer.getvalue().count("<tr"))
