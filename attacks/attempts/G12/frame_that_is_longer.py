"""The same with a buffer of pandas' own and a column that says it is longer."""
import copy
import time
import numpy as np
import pandas as pd
import plotly.express as px

def made(**named):
    return copy.replace(time.get_clock_info("time"), **named)

kind = (1, 8, "C", "=")
real = pd.DataFrame({"a": np.zeros(8, "u1")}).__dataframe__().get_column_by_name("a").get_buffers()["data"][0]
column = made(
    dtype=kind, size=lambda: 1 << 12, offset=0, null_count=0, metadata={}, describe_null=(0, None), num_chunks=lambda: 1,
    get_buffers=lambda: {"data": (real, kind), "validity": None, "offsets": None},
)
methods = {
    "metadata": {}, "column_names": lambda: ["a"], "get_column_by_name": lambda name: column, "num_chunks": lambda: 1,
    "num_rows": lambda: 1 << 12, "num_columns": lambda: 1, "get_chunks": lambda n=None: [made(**methods)],
    "select_columns_by_name": lambda names: holder, "__dataframe__": lambda *args, **named: made(**methods),
}
holder = made(**methods)
figure = px.scatter(holder, y="a")
print("ESCAPED:frame_that_is_longer" if any(figure.data[0].y) else "held", len(figure.data[0].y))
