"""A class below a library's has its own ``__setattr__``: it is called with what the library keeps in the object, a module too."""
import numpy as np
from scipy import stats

kept = {}


class Result(type(stats.ttest_ind([1.0, 2.0, 3.0], [1.0, 2.0, 4.0]))):
    def __setattr__(self, name, value):
        kept[name] = value


Result(np.array(0.5), np.array(0.5), df=3, alternative=1, standard_error=1, estimate=1)
print("ESCAPED:setter_is_told_a_module", kept["_xp"].linalg)
