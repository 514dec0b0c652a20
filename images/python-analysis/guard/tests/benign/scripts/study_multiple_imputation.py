import numpy as np
import pandas as pd
import statsmodels.api as sm
from statsmodels.imputation import mice

np.random.seed(123)
n = 250
x1 = np.random.normal(size=n)
x2 = 0.5 * x1 + np.random.normal(size=n)
y = 1 + 0.8 * x1 - 0.4 * x2 + np.random.normal(size=n)
df = pd.DataFrame({"y": y, "x1": x1, "x2": x2})
truth = sm.OLS.from_formula("y ~ x1 + x2", df).fit()
df.loc[np.random.rand(n) < 0.2, "x1"] = np.nan
df.loc[np.random.rand(n) < 0.15, "x2"] = np.nan
print(df.isna().mean().round(3).to_string())

complete = sm.OLS.from_formula("y ~ x1 + x2", df.dropna()).fit()
imp = mice.MICEData(df)
analysis = mice.MICE("y ~ x1 + x2", sm.OLS, imp)
pooled = analysis.fit(n_burnin=5, n_imputations=10)
print(pd.DataFrame({
    "full data": truth.params,
    "complete case": complete.params,
    "MICE": pd.Series(pooled.params, index=truth.params.index),
}).round(2))
print("fraction of missing information:", np.round(pooled.frac_miss_info, 1))
