"""A small end-to-end exploratory analysis with generated data."""
import os
import warnings

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

warnings.filterwarnings("ignore")
pd.set_option("display.max_columns", None)
np.random.seed(1912)
OUT = str(OUTPUT)
os.makedirs(OUT, exist_ok=True)

n = 400
df = pd.DataFrame({
    "Pclass": np.random.choice([1, 2, 3], n, p=[0.25, 0.2, 0.55]),
    "Sex": np.random.choice(["male", "female"], n, p=[0.65, 0.35]),
    "Age": np.random.normal(30, 14, n).clip(0.5, 80).round(1),
    "Fare": np.random.lognormal(3, 1, n).round(2),
})
p = 0.2 + 0.5 * (df["Sex"] == "female") - 0.08 * (df["Pclass"] - 1)
df["Survived"] = (np.random.rand(n) < p).astype(int)
df.loc[df.sample(frac=0.15, random_state=1).index, "Age"] = np.nan

print("=" * 50)
print("MISSING VALUES")
print("=" * 50)
print(df.isnull().sum())
df["Age"] = df.groupby(["Pclass", "Sex"])["Age"].transform(lambda s: s.fillna(s.median()))
df["AgeGroup"] = pd.cut(df["Age"], bins=[0, 12, 18, 35, 60, 100], labels=["Child", "Teen", "Young", "Adult", "Senior"])
print(df.groupby(["Sex", "Pclass"])["Survived"].mean().unstack().round(2))
print(pd.crosstab(df["AgeGroup"], df["Survived"], normalize="index").round(2))

fig, axes = plt.subplots(1, 3, figsize=(15, 4))
df.groupby("Pclass")["Survived"].mean().plot(kind="bar", ax=axes[0], color="skyblue", title="By class")
df["Age"].hist(bins=20, ax=axes[1])
for s, g in df.groupby("Survived"):
    axes[2].scatter(g["Age"], g["Fare"], s=8, label=f"Survived={s}")
axes[2].set_yscale("log")
axes[2].legend()
plt.tight_layout()
plt.savefig(os.path.join(OUT, "eda.png"), dpi=100, bbox_inches="tight")
plt.close()
df.to_csv(os.path.join(OUT, "clean.csv"), index=False)
print(f"\n✅ Analysis complete! Files: {sorted(os.listdir(OUT))}")
