"""A plot's residuals are an attribute of what a model's fit answers, by a name that is given."""
import logging

import numpy as np
import statsmodels.api as sm
from statsmodels.graphics.regressionplots import added_variable_resids


class Model(sm.OLS):
    def fit(self, **options):
        return logging.getLogger().handlers[0]


class Result:
    pass


logging.basicConfig(filename=str(OUTPUT / "log.txt"), force=True)
random = np.random.default_rng(0)
result = Result()
result.model = Model(random.normal(size=30), random.normal(size=(30, 3)))
result.params = np.zeros(3)
found = added_variable_resids(result, 0, resid_type="_builtin_open")[0]
print("ESCAPED:residuals_by_name" if callable(found) else "held")
