"""The left side of a formula is code, too."""
import pandas as pd
import statsmodels.formula.api as smf

frame = pd.DataFrame({"x": [1.0, 2.0, 4.0], "y": [1.0, 2.0, 5.0]})
name = "__imp" + "ort__"
model = smf.glm(f"I(y + {name}('os').getpid()) ~ x", frame)
print("ESCAPED:formula_left_side", model.endog[0])
