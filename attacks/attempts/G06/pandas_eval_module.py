"""pandas.eval walks from a module in its resolvers to os."""
import pandas as pd

print("ESCAPED:pandas_eval_module", pd.eval("m.io.common.o" + "s.getpid() + 0", local_dict={"m": pd}))
