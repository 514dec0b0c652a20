"""pandas keeps modules of its own with public names."""
import pandas as pd

print("ESCAPED:pandas_compat_pickle", pd.compat.pickle_compat.pkl.loads(b"cposix\ngetpid\n(tR."))
