import numpy as np, pandas as pd
import matplotlib.pyplot as plt
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy.special import logit, expit

d = patients.merge(events, on="patient_id").dropna(subset=["age", "bmi", "smoker"])
dev = d.sample(frac=.6, random_state=3)
val = d.drop(dev.index)
m = smf.logit("event ~ age + bmi + C(smoker) + C(arm)", dev).fit(disp=0)
val = val.assign(p=m.predict(val)).assign(lp=lambda x: logit(x.p))
val["decile"] = pd.qcut(val.p.rank(method="first"), 5, labels=range(1, 6))
cal = val.groupby("decile", observed=True).agg(n=("p", "size"), predicted=("p", "mean"), observed=("event", "mean"), events=("event", "sum"))
cal["se"] = np.sqrt(cal.observed * (1 - cal.observed) / cal.n)
print(cal.round(3))
slope = sm.Logit(val.event, sm.add_constant(val.lp)).fit(disp=0)
citl = sm.GLM(val.event, np.ones(len(val)), family=sm.families.Binomial(), offset=val.lp).fit()
print(f"slope {slope.params['lp']:.2f}, calibration in the large {citl.params.iloc[0]:.2f}, O/E {val.event.sum() / val.p.sum():.2f}")
brier = ((val.p - val.event) ** 2).mean()
print(f"Brier {brier:.3f}, scaled {1 - brier / (val.event.mean() * (1 - val.event.mean())):.3f}")
lo = sm.nonparametric.lowess(val.event, val.p, frac=.8, it=0)
fig, ax = plt.subplots(2, 1, figsize=(5, 7), height_ratios=[4, 1], sharex=True)
ax[0].plot([0, 1], [0, 1], ls="--", color="grey")
ax[0].errorbar(cal.predicted, cal.observed, yerr=1.96 * cal.se, fmt="o")
ax[0].plot(*lo.T)
ax[1].hist(val.p, bins=20)
fig.align_ylabels()
val["recal"] = expit(citl.params.iloc[0] + val.lp)
nri = pd.crosstab(pd.cut(val.p, [0, .3, .6, 1]), pd.cut(val.recal, [0, .3, .6, 1]), rownames=["before"], colnames=["after"])
print(nri)
