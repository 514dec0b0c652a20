import numpy as np
import pandas as pd
import seaborn as sns
import matplotlib.pyplot as plt
from scipy import stats

sns.set_theme(style="whitegrid")
rng = np.random.default_rng(99)
n = 240
df = pd.DataFrame({
    "admit": pd.Timestamp("2031-01-01") + pd.to_timedelta(rng.integers(0, 180, n), unit="D"),
    "ward": rng.choice(["surgery", "medicine", "maternity"], n, p=[0.4, 0.4, 0.2]),
    "age": rng.integers(18, 95, n),
    "emergency": rng.random(n) < 0.3,
})
base = df["ward"].map({"surgery": 4.0, "medicine": 6.0, "maternity": 2.5})
df["los"] = np.ceil(rng.gamma(2, (base + df["age"] / 40) / 2))
df["discharge"] = df["admit"] + pd.to_timedelta(df["los"], unit="D")
df.loc[rng.choice(n, 8, replace=False), "los"] = np.nan

print(df.isna().sum()[lambda s: s > 0].to_dict())
df = df.dropna(subset=["los"]).reset_index(drop=True)
table = df.groupby(["ward", "emergency"]).agg(n=("los", "size"), median=("los", "median"), q75=("los", lambda s: s.quantile(0.75))).round(1)
print(table)
df["age_band"] = pd.cut(df["age"], [0, 40, 65, 120], labels=["<40", "40-64", "65+"], right=False)
print(df.pivot_table(index="age_band", columns="ward", values="los", aggfunc="mean", observed=False).round(2).to_string())
groups = [g["los"].to_numpy() for _, g in df.groupby("ward")]
h, p = stats.kruskal(*groups)
print(f"Kruskal-Wallis H={h:.1f}, p={'<0.001' if p < 0.001 else f'{p:.3f}'}")
r = stats.spearmanr(df["age"], df["los"])
print(f"Spearman rho={r.statistic:.2f}")
weekly = df.set_index("admit").resample("W")["los"].agg(["count", "mean"])
print(weekly.head(3).round(1))
occupancy = pd.Series(0, index=pd.date_range(df["admit"].min(), df["discharge"].max()))
for row in df.itertuples():
    occupancy.loc[row.admit:row.discharge] += 1
print("max occupancy", occupancy.max(), "on", occupancy.idxmax().date() in set(occupancy.index.date))
fig, axes = plt.subplots(1, 2, figsize=(11, 4))
sns.boxplot(data=df, x="ward", y="los", hue="emergency", ax=axes[0])
sns.lineplot(x=occupancy.index, y=occupancy.rolling(7).mean(), ax=axes[1])
axes[1].tick_params(axis="x", rotation=45)
plt.tight_layout()
plt.savefig("los.png", dpi=110)
print([t.get_text() for t in axes[0].get_legend().get_texts()])
