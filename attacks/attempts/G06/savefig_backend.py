"""savefig imports the backend that a call names."""
import contextlib
import io

import matplotlib.pyplot as plt

text = io.StringIO()
with contextlib.redirect_stdout(text):
    try:
        plt.figure().savefig(io.BytesIO(), format="png", backend="module://this")
    except (AttributeError, ImportError, ValueError):
        pass
print("ESCAPED:savefig_backend" if "Zen" in text.getvalue() else "held")
