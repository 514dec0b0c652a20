"""matplotlib imports the package that a style's name begins with."""
import contextlib
import io

import matplotlib.pyplot as plt

text = io.StringIO()
with contextlib.redirect_stdout(text):
    try:
        plt.style.use("this.x")
    except (OSError, TypeError):
        pass
print("ESCAPED:style_by_package" if "Zen" in text.getvalue() else "held")
