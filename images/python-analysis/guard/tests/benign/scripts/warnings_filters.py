import warnings
import numpy as np
import pandas as pd

warnings.filterwarnings("ignore", category=FutureWarning)
warnings.simplefilter("ignore", RuntimeWarning)
print(np.log(np.array([0.0, 1.0])), np.array([1.0]) / 0)
with np.errstate(all="ignore"):
    print(np.float64(0) / 0)
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        warnings.warn("as an error", UserWarning)
    except UserWarning as warning:
        print("caught", warning)
pd.options.mode.chained_assignment = None
part = visits[visits["sbp"] > 120]
part["high"] = True
print(part["high"].all(), np.seterr(all="warn")["divide"] in ("warn", "ignore"))
print(np.geterr()["over"])
