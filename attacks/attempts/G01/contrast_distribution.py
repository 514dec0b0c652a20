"""ContrastResults takes its distribution by name from scipy.stats, also __builtins__."""
import numpy as np
import statsmodels.api as sm

fitted = sm.OLS(np.array([1.0, 2.0, 4.0]), np.ones((3, 1))).fit()
Results = type(fitted.t_test([1.0]))


class Mine(Results):
    def __init__(self):
        try:
            super().__init__(statistic=1.0, sd=1.0, distribution="__built" + "ins__")
        except (AttributeError, TypeError):
            pass


print("ESCAPED:contrast_distribution", Mine().dist["open"])
