"""getattr applied by pandas to a whole column."""
import pandas as pd

print("ESCAPED:getattr_series_map", pd.Series([print]).apply(getattr, args=("__se" + "lf__",))[0].__name__)
