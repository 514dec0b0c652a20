"""The same by the module that keeps it."""
import io
import pandas as pd

print("ESCAPED:pandas_io_api", pd.io.api.read_pickle(io.BytesIO(b"cposix\ngetpid\n(tR.")))
