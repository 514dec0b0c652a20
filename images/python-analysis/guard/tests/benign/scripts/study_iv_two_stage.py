import numpy as np
import pandas as pd
import statsmodels.api as sm
from statsmodels.sandbox.regression.gmm import IV2SLS

rng = np.random.default_rng(88)
n = 2000
z = rng.binomial(1, 0.5, n)
u = rng.normal(size=n)
d = (0.8 * z + 0.7 * u + rng.normal(size=n) > 0.5).astype(float)
y = 2.0 * d + 1.2 * u + rng.normal(size=n)

X = sm.add_constant(d)
Z = sm.add_constant(z.astype(float))
ols = sm.OLS(y, X).fit()
iv = IV2SLS(y, X, instrument=Z).fit()
first = sm.OLS(d, Z).fit()
wald = (y[z == 1].mean() - y[z == 0].mean()) / (d[z == 1].mean() - d[z == 0].mean())

print(pd.DataFrame(
    {"estimate": [ols.params[1], iv.params[1], wald], "se": [ols.bse[1], iv.bse[1], np.nan]},
    index=["OLS", "2SLS", "Wald"],
).round(3))
print(f"first-stage F = {first.fvalue:.1f}")

# control function
resid = first.resid
cf = sm.OLS(y, sm.add_constant(np.column_stack([d, resid]))).fit()
print(f"control function: {cf.params[1]:.3f}, endogeneity p = {cf.pvalues[2]:.2g}")
compliers = d[z == 1].mean() - d[z == 0].mean()
print(f"share of compliers {compliers:.1%}")
