"""Antibiotic prescriptions before and after a guideline: segmented regression."""
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
import statsmodels.api as sm
import matplotlib.pyplot as plt
import matplotlib.dates as mdates

rng = np.random.default_rng(42)
months = pd.date_range("2012-01-01", "2017-12-01", freq="MS")
its = pd.DataFrame({"month": months}).assign(
    time=lambda d: np.arange(1, len(d) + 1), level=lambda d: (d["month"] >= "2015-07-01").astype(int),
    trend=lambda d: (d["time"] - d.loc[d["level"] == 1, "time"].min() + 1).clip(lower=0),
    pop=lambda d: 50_000 + 20 * d["time"])
mu = its["pop"] * np.exp(-6 + .003 * its.time - .18 * its.level - .008 * its.trend + .15 * np.cos(2 * np.pi * its.month.dt.month / 12))
its["rx"] = rng.poisson(mu)
h = {f"{f}{k}": getattr(np, f)(2 * np.pi * k * its.month.dt.month / 12) for f in ("sin", "cos") for k in (1, 2)}
its = its.join(pd.DataFrame(h))
f = "rx ~ time + level + trend + " + " + ".join(h)
fit = smf.glm(f, its, family=sm.families.Poisson(), offset=np.log(its["pop"])).fit(cov_type="HAC", cov_kwds={"maxlags": 3})
print(fit.summary().tables[1])
rr = np.exp(pd.concat([fit.params, fit.conf_int()], axis=1).loc[["level", "trend"]]).set_axis(["RR", "lo", "hi"], axis=1)
print(rr.round(3))
cf = its.assign(level=0, trend=0)
its["fit"], its["cf"] = fit.predict(its, offset=np.log(its["pop"])), fit.predict(cf, offset=np.log(cf["pop"]))
post = its.query("level == 1")
print("avoided", int((post["cf"] - post["rx"]).sum()), f"({1 - post['rx'].sum() / post['cf'].sum():.1%})")
print("DW", sm.stats.durbin_watson(fit.resid_pearson).round(2), "dispersion", (fit.pearson_chi2 / fit.df_resid).round(2))
fig, ax = plt.subplots(figsize=(9, 4))
ax.plot(its.month, its.rx / its["pop"] * 1000, ".", c="grey")
ax.plot(its.month, its.fit / its["pop"] * 1000)
ax.plot(post.month, post.cf / post["pop"] * 1000, "--")
ax.axvspan(pd.Timestamp("2015-07-01"), months[-1], alpha=.08)
ax.xaxis.set_major_locator(mdates.YearLocator()); ax.xaxis.set_major_formatter(mdates.DateFormatter("%Y"))
ax.annotate("guideline", xy=(pd.Timestamp("2015-07-01"), ax.get_ylim()[1] * .97), xytext=(10, 0), textcoords="offset points")
fig.autofmt_xdate()
q = its.set_index("month")["rx"].resample("QS").sum()
print(q.tail(3), q.pct_change(4).tail(2).round(3).tolist(), its.set_index("month").rx.rolling(12).mean().dropna().iloc[[0, -1]].round(1).tolist())
