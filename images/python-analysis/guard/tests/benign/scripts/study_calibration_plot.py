import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
import statsmodels.api as sm
import matplotlib.pyplot as plt
from scipy.stats import chi2

rng = np.random.default_rng(77)
n = 2000
d = pd.DataFrame({"x": rng.normal(size=n), "z": rng.binomial(1, 0.4, n)})
d["p_true"] = 1 / (1 + np.exp(-(-1 + 0.9 * d.x + 0.5 * d.z + 0.25 * d.x**2)))
d["y"] = rng.binomial(1, d.p_true)
train, test = d.iloc[:1200], d.iloc[1200:].copy()

fit = smf.logit("y ~ x + z", train).fit(disp=0)
test["pred"] = fit.predict(test)
test["lp"] = np.log(test.pred / (1 - test.pred))

brier = ((test.pred - test.y) ** 2).mean()
slope = smf.logit("y ~ lp", test).fit(disp=0).params["lp"]
citl = sm.GLM(test["y"], np.ones((len(test), 1)), family=sm.families.Binomial(), offset=test["lp"]).fit().params.iloc[0]
print(f"Brier {brier:.4f}  slope {slope:.3f}  calibration-in-the-large {citl:.3f}")

test["decile"] = pd.qcut(test["pred"], 10, labels=False) + 1
cal = test.groupby("decile").agg(n=("y", "size"), obs=("y", "sum"), exp=("pred", "sum"), mean_pred=("pred", "mean"))
hl = (((cal.obs - cal.exp) ** 2) / (cal.exp * (1 - cal.exp / cal.n))).sum()
print(cal.round(3).to_string())
print(f"Hosmer-Lemeshow chi2(8) = {hl:.2f}, p = {chi2.sf(hl, 8):.3f}")

fig, ax = plt.subplots(figsize=(5, 5))
ax.plot([0, 1], [0, 1], color="grey", ls="--")
ax.plot(cal["mean_pred"], cal["obs"] / cal["n"], "o-")
low = sm.nonparametric.lowess(test["y"], test["pred"], frac=0.6, return_sorted=True)
ax.plot(low[:, 0], low[:, 1], color="C1", label="lowess")
ax.legend()
ax.set(xlabel="Predicted", ylabel="Observed", xlim=(0, 1), ylim=(0, 1))
fig.savefig(OUTPUT / "calibration.png")
