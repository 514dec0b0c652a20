import numpy as np
import pandas as pd
from statsmodels.discrete.conditional_models import ConditionalLogit, ConditionalPoisson
import statsmodels.formula.api as smf
import statsmodels.api as sm
from itertools import islice, chain, groupby
from bisect import bisect_left

rng = np.random.default_rng(2718)
days = pd.date_range("2020-05-01", "2020-09-30")
temp = pd.Series(18 + 8 * np.sin((days.dayofyear - 110) / 365 * 2 * np.pi) + rng.normal(0, 3, len(days)), index=days, name="temp")
counts = pd.Series(rng.poisson(np.exp(.5 + .04 * (temp - 20).clip(0))), index=days, name="deaths")
cases = days.repeat(counts)
print(len(cases), "cases", counts.describe().round(2).to_dict())
def referents(d):
    "same month, same weekday"
    return [x for x in pd.date_range(d.replace(day=1), periods=d.days_in_month) if x.dayofweek == d.dayofweek]
rows = [(i, d, int(d == c)) for i, c in enumerate(cases[:150]) for d in referents(c) if d in temp.index]
cc = pd.DataFrame(rows, columns=["set", "date", "case"]).assign(t0=lambda x: temp.reindex(x.date).values, t1=lambda x: temp.shift(1).reindex(x.date).values).dropna()
cc["hot"] = (cc.t0 > temp.quantile(.9)).astype(float)
m = ConditionalLogit(cc.case.values, cc[["t0"]].values, groups=cc["set"].values).fit(disp=False)
print("OR per 5 degrees", np.exp(5 * m.params).round(2), np.exp(5 * m.conf_int()).round(2))
ts = pd.concat([counts, temp], axis=1).assign(stratum=lambda x: x.index.strftime("%Y-%m-") + x.index.dayofweek.astype(str), lag1=lambda x: x.temp.shift(), roll=lambda x: x.temp.rolling(3).mean()).dropna()
cp = ConditionalPoisson(ts.deaths.values, ts[["temp"]].values, groups=ts.stratum.values).fit(disp=False)
pf = smf.poisson("deaths ~ temp + C(stratum)", ts).fit(disp=0, maxiter=100)
print(cp.params.round(4), round(pf.params["temp"], 4))
for v in ("temp", "lag1", "roll"):
    f = smf.glm(f"deaths ~ bs({v}, df=3) + C(stratum)", ts, family=sm.families.Poisson()).fit()
    print(v, f.aic.round(1))
thr = np.arange(16, 26, 2)
aic = {int(k): smf.glm("deaths ~ h + C(stratum)", ts.assign(h=(ts.temp - k).clip(lower=0)), family=sm.families.Poisson()).fit().aic for k in thr}
print(min(aic, key=aic.get), {k: round(v, 1) for k, v in islice(aic.items(), 2)})
hot = [(k, len(list(g))) for k, g in groupby(ts.temp > ts.temp.quantile(.85))]
print("longest heat wave", max(n for k, n in hot if k), bisect_left(sorted(ts.temp), 20), len(list(chain.from_iterable(referents(d) for d in cases[:2]))))
