"""pandas imports a plotting backend by its name.

Selected: yes
"""
import pandas as pd

try:
    pd.set_option("plotting.backend", "this")
except ValueError:
    pass
import contextlib

print("ESCAPED:plotting_backend" if "this" in contextlib.sys.modules else "held")
