"""Likert items: reverse coding, scale scores, Cronbach's alpha, a factor analysis."""
import numpy as np
import pandas as pd
from statsmodels.multivariate.factor import Factor

rng = np.random.default_rng(47)
n = 200
f1, f2 = rng.normal(size=(2, n))
items = {}
for i in range(1, 5):
    items[f"q{i}"] = f1 + rng.normal(0, 0.8, n)
for i in range(5, 9):
    items[f"q{i}"] = f2 + rng.normal(0, 0.8, n)
likert = pd.DataFrame(items).apply(lambda s: pd.cut(s, [-np.inf, -1.2, -0.4, 0.4, 1.2, np.inf], labels=False) + 1)
likert["q3"] = 6 - likert["q3"]
likert = likert.mask(rng.random(likert.shape) < 0.03)

scored = likert.copy()
scored["q3"] = 6 - scored["q3"]


def cronbach_alpha(frame: pd.DataFrame) -> float:
    frame = frame.dropna()
    k = frame.shape[1]
    return k / (k - 1) * (1 - frame.var(ddof=1).sum() / frame.sum(axis=1).var(ddof=1))


SCALES = {"distress": ["q1", "q2", "q3", "q4"], "support": ["q5", "q6", "q7", "q8"]}
for scale, cols in SCALES.items():
    valid = scored[cols].notna().sum(axis=1) >= 3
    scored[scale] = scored[cols].mean(axis=1).where(valid)
    dropped = {c: round(cronbach_alpha(scored[[x for x in cols if x != c]]), 2) for c in cols}
    print(f"{scale}: alpha {cronbach_alpha(scored[cols]):.2f}, if item deleted {dropped}")
    item_total = {c: round(scored[c].corr(scored[[x for x in cols if x != c]].sum(axis=1, min_count=3)), 2) for c in cols}
    print("   item-rest correlations", item_total)
print(scored[list(SCALES)].describe().round(2))
fa = Factor(scored[[f"q{i}" for i in range(1, 9)]].dropna(), n_factor=2, method="pa").fit()
fa.rotate("varimax")
dominant = np.abs(fa.loadings).argmax(axis=1)
print("items 1-4 load together:", len(set(dominant[:4])) == 1, "| 5-8:", len(set(dominant[4:])) == 1)
print("floor effect: {:.1%}".format((likert == 1).mean().mean()))
