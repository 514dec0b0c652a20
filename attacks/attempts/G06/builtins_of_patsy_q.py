"""patsy's Q() looks a text up among the names of the script."""
import numpy as np
import patsy

kept = []


def keep(value):
    kept.append(value)
    return np.ones(3)


patsy.dmatrix("keep(Q('__builtins__')) + x", {"x": np.arange(3.0)})
table = kept[0]
if "len" in (table if isinstance(table, dict) else vars(table)):
    print("ESCAPED:builtins_of_patsy_q")
