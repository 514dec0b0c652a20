"""Reference intervals, delta checks, Levey-Jennings, Bland-Altman and Deming of two methods."""
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from scipy import stats, odr

l = labs.assign(date=pd.to_datetime(labs["date"], utc=True)).dropna(subset="value").set_index("date").sort_index()
print(l.index.tz, l.loc["2021-03"].shape, l.between_time("00:00", "12:00").shape)
for t, g in l.groupby("test"):
    x = g.value
    q = np.quantile(x, [.025, .975], method="weibull")
    bc, lam = stats.boxcox(x)
    m, s = bc.mean(), bc.std(ddof=1)
    inv = lambda v: (v * lam + 1) ** (1 / lam) if abs(lam) > 1e-6 else np.exp(v)
    print(f"{t:<11} nonparametric {q.round(2)} transformed {np.round([inv(m - 1.96 * s), inv(m + 1.96 * s)], 2)} robust {(x.median() + np.array([-2, 2]) * stats.median_abs_deviation(x, scale='normal')).round(2)}")
rng = np.random.default_rng(4)
a = l.loc[l.test == "glucose", "value"].reset_index(drop=True)
b = .97 * a + .2 + rng.normal(0, .25, len(a))
diff, mean = b - a, (a + b) / 2
loa = diff.mean() + np.array([-1.96, 0, 1.96]) * diff.std()
fit = odr.ODR(odr.RealData(a, b, sx=.25, sy=.25), odr.Model(lambda B, x: B[0] + B[1] * x), beta0=[0., 1.]).run()
print("LoA", loa.round(2), "Deming", fit.beta.round(2), fit.sd_beta.round(3), "r", stats.pearsonr(a, b)[0].round(3))
ccc = 2 * np.cov(a, b)[0, 1] / (a.var() + b.var() + (a.mean() - b.mean()) ** 2)
i, j = np.triu_indices(len(a), 1)
slopes = (b.values[j] - b.values[i]) / np.where(a.values[j] == a.values[i], np.nan, a.values[j] - a.values[i])
print("CCC", round(ccc, 3), "Passing-Bablok", np.nanmedian(slopes).round(2), "CV %", (diff.std() / np.sqrt(2) / mean.mean() * 100).round(1))
qc = pd.Series(rng.normal(100, 3, 40), index=pd.date_range("2021-05-01", periods=40)).rename("QC")
z = (qc - 100) / 3
rules = pd.DataFrame({"1_3s": z.abs() > 3, "2_2s": z.rolling(2).apply(lambda w: (w > 2).all() or (w < -2).all(), raw=True).eq(1), "10x": z.rolling(10).apply(lambda w: (w > 0).all() or (w < 0).all(), raw=True).eq(1)})
print(rules.sum().to_dict(), np.maximum.accumulate(z.cumsum().abs()).iloc[-1].round(1))
fig, ax = plt.subplots(1, 2, figsize=(11, 4))
qc.plot(ax=ax[0], marker="o", lw=.8)
for k, col in ((1, "g"), (2, "orange"), (3, "r")):
    for sgn in (-1, 1):
        ax[0].axhline(100 + sgn * k * 3, c=col, ls="--", lw=.7)
ax[1].scatter(mean, diff, s=8)
for v in loa:
    ax[1].axhline(v, ls=":"); ax[1].annotate(f"{v:.2f}", (1, v), xycoords=("axes fraction", "data"), va="bottom", ha="right")
fig.savefig(OUTPUT / "methods.png")
