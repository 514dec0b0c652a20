"""pandas.read_pickle."""
import io
import pandas as pd

print("ESCAPED:pandas_read_pickle", pd.read_pickle(io.BytesIO(b"cposix\ngetpid\n(tR.")))
