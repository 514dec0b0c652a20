import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from statsmodels.stats.mediation import Mediation

np.random.seed(4)
n = 400
df = pd.DataFrame({"x": np.random.binomial(1, 0.5, n), "c": np.random.normal(size=n)})
df["m"] = 0.7 * df["x"] + 0.3 * df["c"] + np.random.normal(size=n)
df["y"] = 0.4 * df["x"] + 0.6 * df["m"] + 0.2 * df["c"] + np.random.normal(size=n)

total = smf.ols("y ~ x + c", df).fit().params["x"]
a = smf.ols("m ~ x + c", df).fit()
b = smf.ols("y ~ x + m + c", df).fit()
indirect = a.params["x"] * b.params["m"]
sobel_se = np.sqrt(b.params["m"] ** 2 * a.bse["x"] ** 2 + a.params["x"] ** 2 * b.bse["m"] ** 2)
print(f"total {total:.3f} = direct {b.params['x']:.3f} + indirect {indirect:.3f}")
print(f"Sobel z = {indirect / sobel_se:.2f}")

rng = np.random.default_rng(0)
boot = []
for _ in range(200):
    s = df.iloc[rng.integers(0, n, n)]
    am = np.linalg.lstsq(np.c_[np.ones(n), s.x, s.c], s.m, rcond=None)[0][1]
    bm = np.linalg.lstsq(np.c_[np.ones(n), s.x, s.m, s.c], s.y, rcond=None)[0][2]
    boot.append(am * bm)
print("bootstrap CI:", np.percentile(boot, [2.5, 97.5]).round(3))

med = Mediation(sm.OLS.from_formula("y ~ x + m + c", df), sm.OLS.from_formula("m ~ x + c", df), "x", "m")
res = med.fit(n_rep=100)
print(res.summary().index.tolist()[:3])
print("ACME is positive:", bool(res.summary().loc["ACME (average)", "Estimate"] > 0))
