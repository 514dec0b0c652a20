"""A formula is evaluated with the real builtins, getattr among them."""
import pandas as pd
import statsmodels.formula.api as smf

found = []
frame = pd.DataFrame({"x": [1.0, 2.0, 4.0], "y": [1.0, 2.0, 5.0]})
name = "__se" + "lf__"
try:
    smf.ols("y ~ x + found.append(getattr(print, name))", frame).fit()
except Exception:
    pass
print("ESCAPED:formula_real_builtins", found[0].__name__)
