import numpy as np
import matplotlib.pyplot as plt
from scipy import stats

rng = np.random.default_rng(5)
y = rng.integers(0, 2, 300)
m1 = y * 1.2 + rng.normal(size=300)
m2 = y * 0.6 + 0.5 * m1 + rng.normal(size=300)


def roc_curve(y_true, score):
    order = np.argsort(-score)
    y_sorted = y_true[order]
    tpr = np.concatenate([[0], np.cumsum(y_sorted) / y_sorted.sum()])
    fpr = np.concatenate([[0], np.cumsum(1 - y_sorted) / (1 - y_sorted).sum()])
    return fpr, tpr


def delong_components(y_true, score):
    pos, neg = score[y_true == 1], score[y_true == 0]
    psi = (pos[:, None] > neg[None, :]) + 0.5 * (pos[:, None] == neg[None, :])
    return psi.mean(), psi.mean(axis=1), psi.mean(axis=0)


auc1, v10a, v01a = delong_components(y, m1)
auc2, v10b, v01b = delong_components(y, m2)
s10 = np.cov(np.vstack([v10a, v10b]))
s01 = np.cov(np.vstack([v01a, v01b]))
S = s10 / (y == 1).sum() + s01 / (y == 0).sum()
z = (auc1 - auc2) / np.sqrt(S[0, 0] + S[1, 1] - 2 * S[0, 1])
print(f"AUC 1 = {auc1:.3f} (SE {np.sqrt(S[0, 0]):.3f})")
print(f"AUC 2 = {auc2:.3f} (SE {np.sqrt(S[1, 1]):.3f})")
print(f"DeLong z = {z:.3f}, p = {2 * stats.norm.sf(abs(z)):.4f}")

plt.figure(figsize=(5, 5))
for name, m, auc in (("Marker 1", m1, auc1), ("Marker 2", m2, auc2)):
    fpr, tpr = roc_curve(y, m)
    print(name, "trapezoid AUC", round(float(np.trapezoid(tpr, fpr)), 3))
    plt.plot(fpr, tpr, label=f"{name}: AUC = {auc:.2f}")
plt.plot([0, 1], [0, 1], "k--", lw=0.8)
plt.xlabel("1 - specificity")
plt.ylabel("Sensitivity")
plt.legend(loc="lower right")
plt.savefig(OUTPUT / "roc.png")
