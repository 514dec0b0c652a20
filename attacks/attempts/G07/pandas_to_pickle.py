"""What to_pickle has written and another reads."""
import pandas as pd


class Evil:
    def __reduce__(self):
        return print, ("ESCAPED:pandas_to_pickle",)


pd.to_pickle(Evil(), OUTPUT / "p")
pd.read_pickle(OUTPUT / "p")
