"""The same by a built name."""
import io
import pandas as pd

print("ESCAPED:pandas_read_pickle_by_getattr", getattr(pd, "read_" + "pickle")(io.BytesIO(b"cposix\ngetpid\n(tR.")))
