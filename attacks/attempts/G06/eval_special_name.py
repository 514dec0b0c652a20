"""pandas looks for a special name of the script's module: its builtins."""
import pandas as pd

found = pd.DataFrame({"a": [1]}).eval("@__builtins__", engine="python")
print("ESCAPED:eval_special_name" if found is not None else "held", type(found).__name__)
