"""plotly asks an object for its table by the interchange protocol, and pandas believes the address of a buffer."""
import copy
import time
import plotly.express as px

secret = b"0123456789abcdef"

def made(**named):
    return copy.replace(time.get_clock_info("time"), **named)

kind = (1, 8, "C", "=")
buffer = made(bufsize=48, ptr=id(secret))
column = made(
    dtype=kind, size=lambda: 48, offset=0, null_count=0, metadata={}, describe_null=(0, None), num_chunks=lambda: 1,
    get_buffers=lambda: {"data": (buffer, kind), "validity": None, "offsets": None},
)
methods = {
    "metadata": {}, "column_names": lambda: ["a"], "get_column_by_name": lambda name: column, "num_chunks": lambda: 1,
    "num_rows": lambda: 48, "num_columns": lambda: 1, "get_chunks": lambda n=None: [made(**methods)],
    "select_columns_by_name": lambda names: holder, "__dataframe__": lambda *args, **named: made(**methods),
}
holder = made(**methods)
figure = px.scatter(holder, y="a")
found = bytes(int(each) & 255 for each in figure.data[0].y)
print("ESCAPED:frame_that_points" if secret in found else "held", found)
