import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

rng = np.random.default_rng(7)
df = pd.DataFrame({
    "date": pd.date_range("2024-01-01", periods=120, freq="D"),
    "region": rng.choice(["North", "South", "East"], 120),
    "units": rng.poisson(20, 120),
    "price": rng.uniform(5, 15, 120).round(2),
})
df["revenue"] = df.units * df.price
df["month"] = df["date"].dt.to_period("M")
monthly = df.groupby(["month", "region"])["revenue"].sum().unstack(fill_value=0)
print(monthly.round(0).to_string())
print(df.groupby("region", as_index=False).agg(total=("revenue", "sum"), best=("revenue", "max"), days=("date", "nunique")).round(1))
growth = monthly.sum(axis=1).pct_change().dropna()
print((growth * 100).round(1).astype(str) + "%")
df["share"] = df.groupby("month")["revenue"].transform(lambda s: s / s.sum())
print(df["share"].sum().round(6), df.nlargest(2, "revenue")[["region", "units"]].values.tolist())
fig, (ax1, ax2) = plt.subplots(1, 2, figsize=(10, 4))
monthly.plot(kind="bar", stacked=True, ax=ax1, title="Monthly revenue")
df.set_index("date")["revenue"].rolling(7).mean().plot(ax=ax2, color="k", lw=1)
ax2.set_ylabel("7-day mean")
for label in ax1.get_xticklabels(): label.set_rotation(0)
fig.tight_layout()
fig.savefig("dashboard.png", dpi=80)
monthly.to_csv("monthly.csv")
print(pd.read_csv("monthly.csv").shape, monthly.index[0], df["month"].dt.month.unique().tolist())
