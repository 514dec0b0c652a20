"""pandas writes Stata files anywhere."""
import pandas as pd

pd.DataFrame({"a": [1]}).to_stata("@OUTSIDE@/w.dta")
print("ESCAPED:stata_writer")
