"""A vectorised analysis: what most of a study's runs are."""

import time

import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from scipy import stats

began = time.thread_time()
rng = np.random.default_rng(1)
n = 150_000
df = pd.DataFrame(
    {
        "id": rng.integers(0, 5_000, n),
        "g": rng.choice(list("ABCD"), n),
        "x": rng.normal(size=n),
        "y": rng.gamma(2, 0.5, n),
        "d": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D"),
    }
)
df["z"] = np.where(df["x"] > 0, np.log1p(df["y"]), df["x"] ** 2)
by = df.groupby(["g", df["d"].dt.to_period("M")]).agg({"x": ["mean", "std"], "y": "median"})
wide = df.pivot_table(index="id", columns="g", values="y", aggfunc="mean").add_prefix("mean_")
joined = df.merge(wide.reset_index(), on="id", how="left").query("x > -1 and y < 5")
joined["r"] = joined.sort_values("d").groupby("g")["x"].transform(lambda s: s.rolling(30).mean())
fit = smf.ols("y ~ x + C(g)", joined.head(50_000)).fit()
p = stats.ttest_ind(joined["x"], joined["y"]).pvalue
text = df["g"].str.lower().str.replace("a", "b").value_counts()
eigen = np.linalg.eigvalsh(np.cov(rng.normal(size=(300, 2_000))))
print(time.thread_time() - began)
