"""pandas.eval walks the classes from a tuple."""
import pandas as pd

thing = ()
found = pd.eval("thing.__class__.__ba" + "se__.__subclasses__()", engine="python")
print("ESCAPED:pandas_eval_class", found[0])
