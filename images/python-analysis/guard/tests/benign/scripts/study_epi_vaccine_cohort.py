import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
import matplotlib.pyplot as plt

rng = np.random.default_rng(505)
n = 1500
c = pd.DataFrame({"id": np.arange(n), "age": rng.integers(18, 90, n), "start": pd.Timestamp("2021-01-01")})
c["vax"] = c.start + pd.to_timedelta(rng.exponential(120, n).round(), "D")
c.loc[rng.random(n) < .2, "vax"] = pd.NaT
haz = .0012 * np.exp(.01 * (c.age - 50))
c["inf"] = c.start + pd.to_timedelta(rng.exponential(1 / haz).round(), "D")
end = pd.Timestamp("2021-12-31")
late = c.vax.notna() & (c.inf > c.vax) & (rng.random(n) < .65)
c.loc[late, "inf"] = pd.NaT
c["stop"] = c.inf.fillna(end).clip(upper=end)
c["case"] = c.inf.le(end).astype(int)
parts = []
for lo, hi, lab in ((-9999, 0, "none"), (0, 14, "partial"), (14, 9999, "full")):
    s = (c.vax + pd.Timedelta(days=lo)).where(c.vax.notna() & (lo > -9999), c.start if lab == "none" else pd.NaT).clip(lower=c.start)
    e = (c.vax + pd.Timedelta(days=hi)).where(c.vax.notna() & (hi < 9999), c.stop).clip(upper=c.stop)
    x = c.assign(s=s, e=e, status=lab).query("s < e")
    parts.append(x.assign(days=(x.e - x.s).dt.days, ev=((x.case == 1) & (x.inf == x.e)).astype(int)))
pt = pd.concat(parts, ignore_index=True)
print(pt.groupby("status", sort=False)[["days", "ev"]].sum().assign(rate=lambda d: d.ev / d.days * 1e5).round(1))
m = smf.glm("ev ~ C(status, Treatment('none')) + bs(age, df=3)", pt, family=sm.families.Poisson(), offset=np.log(pt.days)).fit()
ve = (1 - np.exp(m.params.filter(like="status"))) * 100
print(ve.round(0).rename(lambda s: s.split("T.")[1][:-1]).to_dict())
w = pt.assign(month=pt.e.dt.to_period("M")).pivot_table(index="month", columns="status", values="ev", aggfunc="sum", fill_value=0)
print(w.tail(3), w.sum().to_dict())
ax = w.plot.bar(stacked=True, width=.9); ax.set_xticklabels([p.strftime("%b") for p in w.index], rotation=0)
t = pd.cut(pt.age, [17, 40, 65, 90]).astype(str)
print(pt.groupby([t, "status"])[["ev", "days"]].sum().eval("ev / days * 100000").unstack().round(1))
first = pt.sort_values(["id", "s"]).drop_duplicates("id", keep="first")
print(first.status.value_counts().to_dict(), pt.id.nunique(), pt.groupby("id").days.sum().max() <= 365)
