"""pandas imports the plotting backend that a call names."""
import contextlib
import io

import pandas as pd

text = io.StringIO()
with contextlib.redirect_stdout(text):
    try:
        pd.Series([1]).plot(backend="this")
    except (AttributeError, ImportError, ValueError):
        pass
print("ESCAPED:plot_backend_argument" if "Zen" in text.getvalue() else "held")
