"""A style sheet of the script's own names a backend."""
import contextlib
import io

import matplotlib.pyplot as plt

text = io.StringIO()
with contextlib.redirect_stdout(text):
    try:
        plt.rcParams["backend"] = "module://this"
        plt.switch_backend(dict.__getitem__(plt.rcParams, "backend"))
    except (AttributeError, ImportError, ValueError):
        pass
print("ESCAPED:style_dictionary" if "Zen" in text.getvalue() else "held")
