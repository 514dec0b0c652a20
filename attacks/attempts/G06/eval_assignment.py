"""DataFrame.eval assigns what a called local returns."""
import pandas as pd

pickle = pd.io.common.os
frame = pd.DataFrame({"a": [1, 2]})
print("ESCAPED:eval_assignment", frame.eval("b = @pickle.getpid() + a")["b"][0])
