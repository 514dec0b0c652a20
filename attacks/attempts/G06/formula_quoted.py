"""A formula walks from numpy to os."""
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf

frame = pd.DataFrame({"x": [1.0, 2.0, 4.0], "y": [1.0, 2.0, 5.0]})
model = smf.ols("y ~ I(np.lib._utils_impl.sy" + "s.modules['os'].getpid() * x)", frame)
print("ESCAPED:formula_quoted", model.exog[0])
