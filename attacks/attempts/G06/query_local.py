"""query calls what a local's attribute reaches."""
import pandas as pd

frame = pd.DataFrame({"a": [1, 2]})
function = print
found = frame.query("a < @function.__se" + "lf__.open('@CANARY@').read().__len__()")
print("ESCAPED:query_local" if len(found) == 2 else "held")
