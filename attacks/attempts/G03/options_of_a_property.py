"""A result of a model copies attributes by names that a property of a subclass gives, from any object."""
import logging

import numpy as np
import statsmodels.api as sm

result = sm.tsa.SARIMAX(np.arange(20.0), order=(1, 0, 0)).fit(disp=0, maxiter=1)


class Result(type(result.filter_results)):
    def __init__(self):
        pass

    @property
    def _filter_options(self):
        return ["_builtin_open"]

    @property
    def _smoother_options(self):
        return []


logging.basicConfig(filename=str(OUTPUT / "log.txt"), force=True)
copied = Result()
copied.update_representation(logging.getLogger().handlers[0], only_options=True)
print("ESCAPED:options_of_a_property" if callable(copied._builtin_open) else "held")
