"""Epidemic curve, doubling time and a Cori-type reproduction number."""
import numpy as np
import pandas as pd
from scipy import stats
import matplotlib.pyplot as plt

rng = np.random.default_rng(10)
serial = stats.gamma(a=2.5, scale=2).cdf(np.arange(0, 16))
w = np.diff(serial) / np.diff(serial).sum()
cases = [5]
for day in range(1, 50):
    r = 1.8 if day < 25 else 0.7
    infectiousness = sum(cases[-k] * w[k - 1] for k in range(1, min(len(cases), len(w)) + 1))
    cases.append(int(rng.poisson(max(r * infectiousness, 0.3))))
onset = pd.Series(cases, index=pd.date_range("2023-02-01", periods=len(cases), freq="D"), name="cases")
print(onset.resample("W").sum().to_string())

growth = onset.iloc[5:25]
slope, intercept, rvalue, p, se = stats.linregress(np.arange(len(growth)), np.log(growth.clip(lower=1)))
print(f"growth rate {slope:.3f}/day, doubling time {np.log(2) / slope:.1f} days")

lam = np.array([sum(cases[t - k] * w[k - 1] for k in range(1, min(t, len(w)) + 1)) for t in range(len(cases))])
window, a, b = 7, 1, 5
rt = pd.DataFrame(index=onset.index[window:], columns=["mean", "low", "high"], dtype=float)
for t in range(window, len(cases)):
    shape = a + sum(cases[t - window + 1 : t + 1])
    scale = 1 / (1 / b + lam[t - window + 1 : t + 1].sum())
    post = stats.gamma(shape, scale=scale)
    rt.iloc[t - window] = [post.mean(), *post.ppf([0.025, 0.975])]
print(rt.iloc[::10].round(2))
fig, (top, bottom) = plt.subplots(2, 1, sharex=True, height_ratios=[2, 1])
top.bar(onset.index, onset, width=1, edgecolor="white")
bottom.plot(rt.index, rt["mean"])
bottom.fill_between(rt.index, rt["low"], rt["high"], alpha=0.3)
bottom.axhline(1, color="k", lw=0.7)
fig.autofmt_xdate()
fig.savefig(OUTPUT / "epicurve.png")
