"""pandas names what @x stands for __pd_eval_local_x; the script does so itself."""
import pandas as pd

__pd_eval_local_x = 1
frame = pd.DataFrame({"a": [1]})
read = pd.read_csv
print("ESCAPED:pandas_eval_private_local", len(frame.query("a < @read.__modu" + "le__.__len__() and @read.__co" + "de__.co_argcount >= 0")))
