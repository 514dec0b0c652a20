import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from statsmodels.duration.hazard_regression import PHReg
from statsmodels.duration.survfunc import SurvfuncRight
import statsmodels.api as sm
import patsy
from scipy import stats

d = events.merge(patients, on="patient_id").dropna(subset=["age", "bmi", "smoker"]).reset_index(drop=True)
X = patsy.dmatrix("arm + age + bmi + smoker - 1", d, return_type="dataframe").drop(columns="arm[placebo]")
fit = PHReg(d.time_days, X, status=d.event, ties="efron").fit()
tab = pd.DataFrame({"HR": np.exp(fit.params), "se": fit.bse, "z": fit.tvalues, "p": fit.pvalues}, index=X.columns).join(pd.DataFrame(np.exp(fit.conf_int()), index=X.columns, columns=["lo", "hi"]))
print(tab.round(3))
null = PHReg(d.time_days, X[["age"]], status=d.event, ties="efron").fit()
lr = 2 * (fit.llf - null.llf)
print(f"LR {lr:.2f} on 3 df, p {stats.chi2.sf(lr, 3):.3f}")
lp = X.values @ fit.params
def harrell(t, e, r):
    con = tot = 0
    t, e, r = map(np.asarray, (t, e, r))
    for i in np.flatnonzero(e):
        later = t > t[i]
        tot += later.sum(); con += (r[i] > r[later]).sum() + .5 * (r[i] == r[later]).sum()
    return con / tot
print("C", round(harrell(d.time_days, d.event, lp), 3))
sch = pd.DataFrame(fit.schoenfeld_residuals, columns=X.columns).assign(t=d.time_days)[d.event.values == 1].dropna()
print(sch.drop(columns="t").apply(lambda c: stats.spearmanr(c, sch.t)[1]).round(3).rename("p"))
H0 = fit.baseline_cumulative_hazard[0]
print(len(H0), H0[1][-1].round(3), fit.baseline_cumulative_hazard_function[0](365).round(3) if hasattr(fit, "baseline_cumulative_hazard_function") else "")
cs = d.event - fit.martingale_residuals
sf = SurvfuncRight(np.clip(cs, 1e-6, None), d.event)
fig, ax = plt.subplots(1, 3, figsize=(13, 4))
ax[0].step(sf.surv_times, -np.log(np.clip(sf.surv_prob, 1e-9, 1))); ax[0].plot([0, 2], [0, 2], "k:")
lo = sm.nonparametric.lowess(fit.martingale_residuals, d.age)
ax[1].plot(d.age, fit.martingale_residuals, "."); ax[1].plot(lo[:, 0], lo[:, 1])
d["risk"] = pd.qcut(lp, 3, labels=["low", "mid", "high"])
for k, g in d.groupby("risk", observed=True):
    s = SurvfuncRight(g.time_days, g.event); ax[2].step(s.surv_times, s.surv_prob, where="post", label=k)
ax[2].legend(); fig.tight_layout()
strat = PHReg(d.time_days, X, status=d.event, strata=d.site).fit()
print(np.round(strat.params - fit.params, 2), fit.summary().tables[0].shape)
split = pd.concat([d.assign(stop=d.time_days.clip(upper=365), start=0, e=d.event * (d.time_days <= 365)), d[d.time_days > 365].assign(start=365, stop=lambda x: x.time_days, e=lambda x: x.event)])
split["late"] = (split.start > 0) * (split.arm == "active")
tv = PHReg(split["stop"], np.c_[(split.arm == "active"), split.late, split.age].astype(float), status=split.e, entry=split.start).fit()
print(tv.params.round(2))
