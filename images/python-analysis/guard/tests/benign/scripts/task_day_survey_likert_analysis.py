import pandas as pd
import numpy as np
from scipy import stats
import matplotlib.pyplot as plt
from collections import OrderedDict

LEVELS = ["strongly disagree", "disagree", "neutral", "agree", "strongly agree"]
rng = np.random.default_rng(31)
raw = pd.DataFrame({f"q{i}": rng.choice(LEVELS, 90, p=p) for i, p in enumerate(([.1, .1, .2, .4, .2], [.3, .3, .2, .1, .1], [.05, .15, .3, .3, .2], [.2] * 5), 1)})
raw["group"] = rng.choice(["staff", "student"], len(raw))
cat = pd.CategoricalDtype(LEVELS, ordered=True)
qs = [c for c in raw.columns if c.startswith("q")]
df = raw.assign(**{q: raw[q].astype(cat) for q in qs})
codes = df[qs].apply(lambda s: s.cat.codes + 1)
print(codes.describe().loc[["mean", "std", "50%"]].round(2))


def cronbach(items: pd.DataFrame) -> float:
    k = items.shape[1]
    return k / (k - 1) * (1 - items.var(ddof=1).sum() / items.sum(axis=1).var(ddof=1))


print(f"alpha = {cronbach(codes):.2f}")
props = df[qs].apply(lambda s: s.value_counts(normalize=True, sort=False)).T
print(props.round(2).to_string())
for q in qs:
    a, b = (codes.loc[df["group"] == g, q] for g in ("staff", "student"))
    u, p = stats.mannwhitneyu(a, b)
    print(f"{q}: U={u:.0f} {'*' if p < 0.05 else 'ns'}")
print(df["q1"].max(), (df["q1"] >= "agree").mean().round(2), df["q2"].cat.categories[0], df["q3"].min() < df["q3"].max())
fig, ax = plt.subplots(figsize=(9, 3))
left = -(props.iloc[:, :2].sum(axis=1) + props.iloc[:, 2] / 2)
for level, color in zip(LEVELS, plt.cm.RdYlGn(np.linspace(0.1, 0.9, 5))):
    ax.barh(props.index, props[level], left=left, color=color, label=level, edgecolor="w")
    left = left + props[level]
ax.axvline(0, color="k", lw=0.8)
ax.legend(ncol=5, bbox_to_anchor=(0.5, 1.15), loc="upper center", fontsize=7)
ax.invert_yaxis()
plt.savefig("likert.png", bbox_inches="tight")
print(OrderedDict(df.groupby("group", observed=True)["q1"].agg(lambda s: s.cat.codes.median()).items()))
