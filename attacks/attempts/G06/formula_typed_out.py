"""A formula whose code is spelt with string concatenation.

Selected: yes
"""
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf

frame = pd.DataFrame({"x": [1.0, 2.0, 4.0], "y": [1.0, 2.0, 5.0]})
model = smf.ols("y ~ x + I(x * getattr(getattr(print, '__se' + 'lf__'), '__imp' + 'ort__')('os').getpid())", frame)
print("ESCAPED:formula_typed_out", model.exog[0, -1])
