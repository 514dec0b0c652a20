import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
import statsmodels.api as sm
from numpy.lib.stride_tricks import sliding_window_view
from scipy import stats

rng = np.random.default_rng(99)
N, T = 250, 6
L = np.zeros((N, T)); A = np.zeros((N, T), int)
u = rng.normal(size=N)
for t in range(T):
    L[:, t] = .6 * (L[:, t - 1] if t else 0) - .5 * (A[:, t - 1] if t else 0) + .5 * u + rng.normal(size=N)
    A[:, t] = rng.random(N) < 1 / (1 + np.exp(-(-.5 + .8 * L[:, t] + (1. * A[:, t - 1] if t else 0))))
Y = 2 - .4 * A.sum(1) + u + rng.normal(size=N)
long = pd.DataFrame({"id": np.repeat(np.arange(N), T), "t": np.tile(np.arange(T), N), "L": L.ravel(), "A": A.ravel()}).assign(
    Alag=lambda d: d.groupby("id").A.shift(fill_value=0), cum=lambda d: d.groupby("id").A.cumsum(), L0=lambda d: d.groupby("id").L.transform("first"))
den = smf.logit("A ~ L + Alag + C(t)", long).fit(disp=0)
num = smf.logit("A ~ Alag + C(t)", long).fit(disp=0)
pd_, pn = den.predict(), num.predict()
long["w"] = np.where(long.A == 1, pn / pd_, (1 - pn) / (1 - pd_))
long["sw"] = long.groupby("id").w.cumprod()
last = long.groupby("id").last().assign(Y=Y)
last["sw"] = last.sw.clip(*last.sw.quantile([.01, .99]))
print(last.sw.describe().round(2).to_dict())
fits = {"crude": smf.ols("Y ~ cum", last).fit(), "adjusted": smf.ols("Y ~ cum + L", last).fit(), "MSM": smf.wls("Y ~ cum", last, weights=last.sw).fit(cov_type="HC1")}
print(pd.DataFrame({k: [f.params["cum"], f.bse["cum"]] for k, f in fits.items()}, index=["b", "se"]).T.round(3).assign(truth=-.4))
win = sliding_window_view(A, 3, axis=1)
print(win.shape, (win.sum(-1) == 3).any(1).mean().round(2), win.flags.writeable)
hist = long.groupby("id").A.agg(lambda s: "".join(map(str, s)))
print(hist.value_counts().head(3).to_dict(), hist.str.count("01").mean().round(2))
tr = pd.crosstab(long.Alag, long.A, normalize="index").round(2)
print(tr, np.linalg.matrix_power(tr.values, 5).round(2)[0])
lagm = pd.concat({k: long.groupby("id").L.shift(k) for k in range(3)}, axis=1).add_prefix("lag")
print(lagm.corr().round(2).iloc[0].tolist(), long.set_index(["id", "t"]).L.unstack().corr().round(2).iloc[0, :3].tolist())
g = smf.gee("A ~ L + Alag", "id", long, family=sm.families.Binomial(), cov_struct=sm.cov_struct.Independence()).fit()
print(np.exp(g.params).round(2).to_dict(), stats.rankdata(last.cum)[:3])
