"""A class inherits from a library's that forwards attributes: private ones that no base uses seem its own."""
import numpy as np
import pandas as pd


class Blocks(np.lib.Arrayterator):
    pass


print("ESCAPED:iterator_inherited", type(Blocks(pd.DataFrame({"a": [1]}))._mgr).__name__)
