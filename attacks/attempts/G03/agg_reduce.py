"""pandas calls __reduce__, which hands out a function that makes objects."""
import pandas as pd

made = pd.Series([1]).agg("__reduce__")
print("ESCAPED:agg_reduce", made[0])
