"""A formula is evaluated in the frame at the depth that the script names: in a library's."""
import json
import pandas as pd
import statsmodels.formula.api as smf

frame = pd.DataFrame({"x": [1.0, 2.0, 4.0], "y": [1.0, 2.0, 5.0]})


def hook(pairs):
    return smf.ols("y ~ I(x * WHITESPACE.__class__.__name__.__len__())", frame, eval_env=0 + depth)


for depth in range(1, 8):
    try:
        model = json.loads("{}", object_pairs_hook=hook)
    except Exception:
        continue
    print("ESCAPED:formula_names_its_depth", model.exog[0])
    break
