import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler, OneHotEncoder
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.neighbors import NearestNeighbors

df = patients.merge(events[["patient_id", "event", "time_days"]], on="patient_id").assign(treated=lambda d: (d.smoker == "yes").astype(int))
cov_num, cov_cat = ["age", "bmi"], ["sex", "site"]
prep = ColumnTransformer([("n", make_pipeline(SimpleImputer(strategy="mean"), StandardScaler()), cov_num), ("c", OneHotEncoder(drop="first"), cov_cat)])
ps = make_pipeline(prep, LogisticRegression(C=1e6, max_iter=1000)).fit(df[cov_num + cov_cat], df.treated)
df["ps"] = ps.predict_proba(df[cov_num + cov_cat])[:, 1]
df["lps"] = np.log(df.ps / (1 - df.ps))
p = df.treated.mean()
df["sw"] = np.where(df.treated == 1, p / df.ps, (1 - p) / (1 - df.ps))
df["ow"] = np.where(df.treated == 1, 1 - df.ps, df.ps)
print(df.groupby("treated")[["ps", "sw"]].describe().T.round(3).loc[lambda x: x.index.get_level_values(1).isin(["mean", "min", "max"])])

def smd(x, t, w=None):
    w = np.ones(len(x)) if w is None else w
    m = [np.average(x[t == k], weights=w[t == k]) for k in (1, 0)]
    v = [np.average((x[t == k] - m[i]) ** 2, weights=w[t == k]) for i, k in enumerate((1, 0))]
    return (m[0] - m[1]) / np.sqrt(sum(v) / 2)

X = pd.get_dummies(df[cov_num + cov_cat], dtype=float).fillna(df[cov_num].mean())
bal = pd.DataFrame({k: X.apply(lambda s: smd(s.values, df.treated.values, None if k == "raw" else df[k].values)) for k in ("raw", "sw", "ow")})
print(bal.abs().round(3))
t, c = df[df.treated == 1], df[df.treated == 0]
nn = NearestNeighbors(n_neighbors=1).fit(c[["lps"]])
dist, i = nn.kneighbors(t[["lps"]])
ok = dist.ravel() < .2 * df.lps.std()
pairs = pd.DataFrame({"t": t.patient_id.values[ok], "c": c.patient_id.values[i.ravel()[ok]]})
print(len(pairs), "pairs,", pairs.c.nunique(), "distinct controls")
rd = t.event.values[ok].mean() - c.event.values[i.ravel()[ok]].mean()
print(f"matched risk difference {rd:.3f}")
for w in ("sw", "ow"):
    r = df.groupby("treated").apply(lambda g: np.average(g.event, weights=g[w]), include_groups=False)
    print(w, (r[1] - r[0]).round(3))
ess = df.groupby("treated").sw.agg(lambda w: w.sum() ** 2 / (w ** 2).sum())
print("effective", ess.round(1).to_dict())
fig, ax = plt.subplots(1, 2, figsize=(10, 4))
for k, g in df.groupby("treated"):
    ax[0].hist(g.ps, bins=15, weights=np.full(len(g), -1 if k else 1), alpha=.7, label="exposed" if k else "not")
ax[0].legend()
ax[1].plot(bal.raw.abs(), bal.index, "o", bal.sw.abs(), bal.index, "s"); ax[1].axvline(.1, ls=":")
