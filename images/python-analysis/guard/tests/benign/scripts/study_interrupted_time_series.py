import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
import matplotlib.pyplot as plt
import matplotlib.dates as mdates

np.random.seed(2020)
dates = pd.date_range("2017-01-01", periods=60, freq="MS")
ts = pd.DataFrame({"date": dates, "t": np.arange(1, 61)})
ts["intervention"] = (ts["date"] >= "2020-01-01").astype(int)
ts["t_after"] = np.where(ts["intervention"] == 1, ts["t"] - 36, 0)
season = 8 * np.sin(2 * np.pi * ts["t"] / 12)
ts["admissions"] = np.random.poisson(100 + 0.5 * ts["t"] + season - 15 * ts["intervention"] - 0.4 * ts["t_after"])
ts["sin12"] = np.sin(2 * np.pi * ts["t"] / 12)
ts["cos12"] = np.cos(2 * np.pi * ts["t"] / 12)

m = smf.ols("admissions ~ t + intervention + t_after + sin12 + cos12", ts).fit(cov_type="HAC", cov_kwds={"maxlags": 3})
print(m.summary().tables[1])
counterfactual = m.predict(ts.assign(intervention=0, t_after=0))
avoided = (counterfactual - m.fittedvalues)[ts["intervention"] == 1].sum()
print(f"admissions avoided: {avoided:.0f}")

fig, ax = plt.subplots(figsize=(8, 4))
ax.scatter(ts["date"], ts["admissions"], s=12, color="black")
ax.plot(ts["date"], m.fittedvalues, label="fitted")
ax.plot(ts["date"], counterfactual.where(ts["intervention"] == 1), ls="--", label="counterfactual")
ax.axvspan(pd.Timestamp("2020-01-01"), ts["date"].iloc[-1], alpha=0.1)
ax.xaxis.set_major_locator(mdates.YearLocator())
ax.xaxis.set_major_formatter(mdates.DateFormatter("%Y"))
ax.legend()
fig.autofmt_xdate()
fig.savefig(OUTPUT / "its.png")
