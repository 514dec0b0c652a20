import numpy as np
import pandas as pd
from functools import partial
from operator import itemgetter
from scipy import stats

v = visits.assign(date=pd.to_datetime(visits.date)).sort_values(["patient_id", "visit"])
v["change"] = v.sbp - v.groupby("patient_id").sbp.transform("first")
v["prev"] = v.groupby("patient_id")["sbp"].shift()
v["gap"] = v.groupby("patient_id")["date"].diff().dt.days
v["rank"] = v.groupby("visit").sbp.rank(ascending=False, method="dense")
v["z"] = v.groupby("visit").sbp.transform(lambda s: (s - s.mean()) / s.std(ddof=0))
v["run"] = v.groupby("patient_id").sbp.transform(lambda s: s.expanding().mean())
print(v.filter(["patient_id", "change", "gap", "z", "run"]).head(4).round(2))

def slope(g):
    g = g.dropna(subset=["sbp"])
    if len(g) < 3:
        return pd.Series({"slope": np.nan, "n": len(g)})
    r = stats.linregress(g.visit, g.sbp)
    return pd.Series({"slope": r.slope, "n": len(g), "r2": r.rvalue ** 2})

s = v.groupby("patient_id")[["visit", "sbp"]].apply(slope)
print(s.describe().round(2))
m = s.join(patients.set_index("patient_id")[["arm", "site"]])
print(m.groupby(["site", "arm"]).agg(slope=("slope", "mean"), sem=("slope", "sem"), n=("n", "sum"), r2=("r2", partial(pd.Series.quantile, q=.75))).round(2))
g = v.groupby("visit")
print(g.agg({"sbp": ["mean", "std", lambda x: x.quantile(.9)], "hr": [np.min, max]}).round(1))
print(g.sbp.describe().round(1), g.ngroups, g.get_group(2).shape, list(g.groups)[:2], g.indices[1][:3])
print(g["sbp"].nlargest(1).droplevel(1).round(1).to_dict(), g.nth(0).shape, g.cumcount().max(), g.head(1).shape, g.sample(1, random_state=0).shape)
print(v.groupby("patient_id").filter(lambda x: x.sbp.max() > 175).patient_id.nunique())
print(v.groupby(pd.Grouper(key="date", freq="QS")).sbp.agg(["count", "mean"]).round(1))
print(v.groupby(["visit", pd.cut(v.sbp, [0, 130, 150, 300])], observed=False).size().unstack(fill_value=0))
print(v.groupby("visit")[["sbp", "dbp"]].corr().iloc[0::2, -1].round(2))
print(v.groupby("visit").pipe(lambda gr: gr.sbp.max() - gr.sbp.min()).round(1).to_dict())
print(v.groupby(v.patient_id.str[-1]).hr.mean().round(1).head(3), v.groupby(lambda i: i % 2).size().to_dict(), v.groupby(level=0).ngroups)
top = v.loc[v.groupby("patient_id").sbp.idxmax().dropna().astype(int), ["patient_id", "visit", "sbp"]]
print(top.visit.value_counts().sort_index().to_dict())
print(dict(map(itemgetter(0, 1), v.groupby("visit").sbp.median().items())))
boot = v.dropna().groupby("visit", group_keys=True)["sbp"].apply(lambda s: pd.Series(np.percentile([s.sample(len(s), replace=True, random_state=i).mean() for i in range(50)], [2.5, 97.5]), ["lo", "hi"]))
print(boot.unstack().round(1))
