import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from scipy import stats
from sklearn.metrics import roc_curve, auc, roc_auc_score, confusion_matrix
from statsmodels.stats.proportion import proportion_confint

g = labs.query("test == 'glucose'").dropna(subset="value").merge(patients, on="patient_id")
rng = np.random.default_rng(1)
g["dm"] = rng.binomial(1, 1 / (1 + np.exp(-2 * (g["value"] - 5.6))))
g["score2"] = g["value"] + rng.normal(0, .8, len(g))

fpr, tpr, thr = roc_curve(g.dm, g.value, drop_intermediate=False)
a = auc(fpr, tpr)
n1, n0 = g.dm.sum(), (1 - g.dm).sum()
q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
se = np.sqrt((a * (1 - a) + (n1 - 1) * (q1 - a ** 2) + (n0 - 1) * (q2 - a ** 2)) / n1 / n0)
print(f"AUC {a:.3f} (Hanley-McNeil {a - 1.96 * se:.3f} to {a + 1.96 * se:.3f}); by U: {stats.mannwhitneyu(g.value[g.dm == 1], g.value[g.dm == 0]).statistic / n1 / n0:.3f}")

def accuracy(cut):
    tn, fp, fn, tp = confusion_matrix(g.dm, g.value >= cut).ravel()
    out = {}
    for nm, (x, n) in {"sens": (tp, tp + fn), "spec": (tn, tn + fp), "ppv": (tp, tp + fp), "npv": (tn, tn + fn)}.items():
        lo, hi = proportion_confint(x, n, method="wilson") if n else (np.nan, np.nan)
        out[nm] = f"{x / n:.2f} ({lo:.2f}-{hi:.2f})" if n else "-"
    return pd.Series(out | {"LR+": round((tp / (tp + fn)) / (fp / (tn + fp)), 2) if fp else np.inf}, name=cut)

cuts = sorted({4.8, 5.2, 5.6, 6.0, round(float(thr[np.argmax(tpr - fpr)]), 2)})
print(pd.concat([accuracy(c) for c in cuts], axis=1).T.to_string())
boot = []
for _ in range(200):
    s = g.sample(frac=1, replace=True, random_state=rng.integers(1e6))
    if s.dm.nunique() == 2:
        boot.append(roc_auc_score(s.dm, s.value) - roc_auc_score(s.dm, s.score2))
print("difference of AUCs", np.round(np.percentile(boot, [2.5, 50, 97.5]), 3))
fig, ax = plt.subplots(figsize=(5, 5))
for col, lab in (("value", "measured"), ("score2", "noisy")):
    f, t, _ = roc_curve(g.dm, g[col])
    ax.plot(f, t, label=f"{lab}: {roc_auc_score(g.dm, g[col]):.2f}", drawstyle="steps-post")
ax.plot([0, 1], [0, 1], "k:", lw=.7)
ax.set_aspect("equal"); ax.legend(loc="lower right"); ax.set(xlabel="1 - specificity", ylabel="sensitivity")
plt.savefig(OUTPUT / "roc.png")
by = g.groupby("sex").apply(lambda s: roc_auc_score(s.dm, s.value), include_groups=False)
print(by.round(2).to_dict())
