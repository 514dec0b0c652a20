"""The ``__setattr__`` is that of a class without a library's base, which another class inherits from."""
import numpy as np
from scipy import stats

kept = {}


class Listening:
    def __setattr__(self, name, value):
        kept[name] = value


class Result(Listening, type(stats.ttest_ind([1.0, 2.0, 3.0], [1.0, 2.0, 4.0]))):
    pass


Result(np.array(0.5), np.array(0.5), df=3, alternative=1, standard_error=1, estimate=1)
print("ESCAPED:setter_of_a_mixin_is_told_a_module", kept["_xp"].linalg)
