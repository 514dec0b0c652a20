import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats

rng = np.random.default_rng(58)
x = rng.uniform(0, 10, 80)
y = 3 + 2 * x + rng.normal(0, 1.5, 80)
y[rng.choice(80, 6, replace=False)] += 25
df = pd.DataFrame({"x": x, "y": y})

ols = smf.ols("y ~ x", df).fit()
huber = smf.rlm("y ~ x", df, M=sm.robust.norms.HuberT()).fit()
tukey = smf.rlm("y ~ x", df, M=sm.robust.norms.TukeyBiweight()).fit()
lad = smf.quantreg("y ~ x", df).fit(q=0.5)
slope, intercept, lo, hi = stats.theilslopes(df["y"], df["x"])
siegel = stats.siegelslopes(df["y"], df["x"])

rows = {
    "OLS": (ols.params["Intercept"], ols.params["x"]),
    "Huber": (huber.params["Intercept"], huber.params["x"]),
    "Tukey": (tukey.params["Intercept"], tukey.params["x"]),
    "LAD": (lad.params["Intercept"], lad.params["x"]),
    "Theil-Sen": (intercept, slope),
    "Siegel": (siegel.intercept, siegel.slope),
}
print(pd.DataFrame(rows, index=["intercept", "slope"]).T.round(2))
print("Theil-Sen 95% CI:", round(lo, 2), round(hi, 2))
weights = pd.Series(huber.weights)
print("down-weighted observations:", int((weights < 0.5).sum()))
print("robust scale: %.2f, OLS scale: %.2f" % (huber.scale, np.sqrt(ols.scale)))
print("MAD:", round(float(stats.median_abs_deviation(ols.resid, scale="normal")), 2))
for cov in ("nonrobust", "HC0", "HC3"):
    print(cov, "%.3f" % ols.get_robustcov_results(cov).bse[1] if cov != "nonrobust" else "%.3f" % ols.bse["x"])
