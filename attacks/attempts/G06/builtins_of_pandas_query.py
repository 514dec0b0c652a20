"""The name of the builtins in text that pandas evaluates: the table, and what the guard keeps there."""
import pandas as pd

frame = pd.DataFrame({"a": [1]})
found = []
for ask in (lambda: frame.eval("@__builtins__", engine="python"), lambda: pd.eval("@__builtins__"),
            lambda: frame.query("@found.append(@__builtins__) or a == 1"), lambda: pd.eval("__builtins__", engine="python")):
    try:
        found.append(ask())
    except Exception:
        continue
for table in found:
    names = table if isinstance(table, dict) else vars(table)
    if "len" in names:
        print("ESCAPED:builtins_of_pandas_query", len(names))
