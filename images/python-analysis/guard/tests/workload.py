# The analysis with which the sandbox's system calls were measured: every package
# of the image, three image formats, models, threads. A script for the guard.
import numpy as np, pandas as pd, scipy, scipy.stats, scipy.optimize
import statsmodels.api as sm, statsmodels.formula.api as smf
import matplotlib, matplotlib.pyplot as plt
import json, re, math, statistics, random, datetime, collections, itertools, functools, string, io, typing, dataclasses
import plotly.graph_objects as go, plotly.express as px, plotly.io

fig, ax = plt.subplots(); ax.plot([1, 2]); ax.set_title("w")
for kind in ("png", "svg", "pdf"):
    fig.savefig(io.BytesIO(), format=kind)
plt.close("all")
plotly.io.templates["plotly"]; go.Figure(go.Scatter(x=[1], y=[1])).to_json()
np.linalg.solve(np.eye(300) + np.ones((300, 300)), np.ones(300)); random.random()
pd.DataFrame({"a": [1.0]}).to_csv(io.StringIO()); pd.read_csv(io.StringIO("a,b\n1,2\n"), parse_dates=False)

rng = np.random.default_rng(1)
n = 1000
made = pd.DataFrame({"g": rng.choice(list("ABC"), n), "x": rng.normal(size=n), "y": rng.gamma(2, 0.5, n)})
made["d"] = pd.date_range("2020-01-01", periods=n, freq="h").astype(str)
made.to_csv(OUTPUT / "t.csv", index=False)
df = pd.read_csv(str(OUTPUT) + "/t.csv")
(OUTPUT / "t.csv").unlink()
df["d"] = pd.to_datetime(df["d"]); g = df.groupby("g").agg({"x": ["mean", "std"], "y": "median"})
print(g)
m = smf.ols("y ~ x + C(g)", data=df).fit(); print(m.params.round(3).to_dict(), m.f_pvalue); print(m.summary())
print(scipy.stats.ttest_ind(df.x, df.y)); print(scipy.optimize.minimize(lambda v: (v[0] - 3) ** 2, [0.0]).x)
print(np.linalg.svd(rng.normal(size=(600, 600)))[1][:2])
lg = sm.Logit((df.y > df.y.median()).astype(int), sm.add_constant(df[["x"]])).fit(disp=0); print(lg.params.round(2).tolist())
fig, ax = plt.subplots(2, 1); df.plot.scatter("x", "y", ax=ax[0]); df.x.hist(ax=ax[1]); fig.suptitle(r"$\alpha$ ü")
fig.savefig(OUTPUT / "p.png", dpi=120); fig.savefig(str(OUTPUT) + "/p.svg"); fig.savefig(OUTPUT / "p.pdf")
px.scatter(df, x="x", y="y").write_html(OUTPUT / "p.html", include_plotlyjs=False)
g.to_csv(OUTPUT / "g.csv"); df.to_json(OUTPUT / "d.json"); np.savez_compressed(OUTPUT / "a.npz", a=df.x.values)
big = np.zeros((2000, 2000)); big @ big; del big

import decimal, fractions, calendar, unicodedata, csv, hashlib, gzip, zipfile
datetime.datetime.strptime("2020-01-02", "%Y-%m-%d"); print(datetime.datetime.now().year > 2000)
pd.date_range("2020-01-01", periods=3, tz="Europe/Zurich"); df.sample(5); df.describe(); df.pivot_table(index="g", values="x")
from concurrent.futures import ThreadPoolExecutor
print(list(ThreadPoolExecutor(2).map(lambda x: x + 1, [1, 2])))
print("WORKLOAD-OK", flush=True)
