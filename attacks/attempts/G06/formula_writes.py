"""A formula opens a file."""
import pandas as pd
import statsmodels.formula.api as smf

frame = pd.DataFrame({"x": [1.0, 2.0, 4.0], "y": [1.0, 2.0, 5.0]})
smf.ols("y ~ x + I(x * open('@OUTSIDE@/written', 'w').write('1'))", frame)
print("ESCAPED:formula_writes")
