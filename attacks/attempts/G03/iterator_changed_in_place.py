"""An attribute that is changed in place is read before: by a library's class, of another object."""
import numpy as np
import pandas as pd


class Blocks(np.lib.Arrayterator):
    pass


class Keeps:
    def __radd__(self, other):
        self.found = other
        return other


keeps = Keeps()
blocks = Blocks(pd.DataFrame({"a": [1]}))
blocks._mgr += keeps
print("ESCAPED:iterator_changed_in_place", type(keeps.found).__name__)
