"""A query compares with a special name of the script's module, and a function of the script's takes it."""
import pandas as pd

held = []

def keep(value):
    held.append(value)
    return 1

pd.DataFrame({"a": [1]}).query("a == @keep(@__builtins__)", engine="python")
found = held[0]
print("ESCAPED:query_special_name" if found is not None else "held", type(found).__name__)
