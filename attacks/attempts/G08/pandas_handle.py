"""pandas' own function to open anything."""
import pandas as pd

with pd.io.common.get_handle("@CANARY@", "r") as handles:
    print("ESCAPED:pandas_handle" if handles.handle.read().startswith("canary:") else "held")
