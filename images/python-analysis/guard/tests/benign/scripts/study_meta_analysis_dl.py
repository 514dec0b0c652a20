import numpy as np
import pandas as pd
from scipy import stats
import matplotlib.pyplot as plt

studies = pd.DataFrame(
    [
        ("Adams 2005", 12, 120, 24, 118),
        ("Brown 2009", 8, 95, 15, 99),
        ("Chen 2012", 30, 310, 41, 305),
        ("Diaz 2016", 5, 60, 4, 62),
        ("Evans 2020", 44, 520, 70, 515),
    ],
    columns=["study", "ev_t", "n_t", "ev_c", "n_c"],
)
studies["yi"] = np.log((studies.ev_t / studies.n_t) / (studies.ev_c / studies.n_c))
studies["vi"] = 1 / studies.ev_t - 1 / studies.n_t + 1 / studies.ev_c - 1 / studies.n_c

w = 1 / studies.vi
fixed = np.average(studies.yi, weights=w)
Q = float((w * (studies.yi - fixed) ** 2).sum())
k = len(studies)
tau2 = max(0.0, (Q - (k - 1)) / (w.sum() - (w**2).sum() / w.sum()))
I2 = max(0.0, (Q - (k - 1)) / Q) * 100
wr = 1 / (studies.vi + tau2)
random_eff = np.average(studies.yi, weights=wr)
se = wr.sum() ** -0.5

print(f"Fixed:  RR {np.exp(fixed):.3f}")
print(f"Random: RR {np.exp(random_eff):.3f} ({np.exp(random_eff - 1.96 * se):.3f}, {np.exp(random_eff + 1.96 * se):.3f})")
print(f"Q = {Q:.2f} (p = {stats.chi2.sf(Q, k - 1):.3f}), tau² = {tau2:.4f}, I² = {I2:.1f}%")

egger = stats.linregress(1 / np.sqrt(studies.vi), studies.yi / np.sqrt(studies.vi))
print(f"Egger intercept {egger.intercept:.2f} (p for slope {egger.pvalue:.3f})")

loo = {row.study: round(float(np.exp(np.average(studies.yi.drop(i), weights=wr.drop(i)))), 3) for i, row in studies.iterrows()}
print("leave-one-out:", loo)

fig, (ax1, ax2) = plt.subplots(1, 2, figsize=(10, 4), gridspec_kw={"width_ratios": [2, 1]})
ypos = np.arange(k, 0, -1)
ax1.errorbar(np.exp(studies.yi), ypos, xerr=None, fmt="none")
for yv, (_, s) in zip(ypos, studies.iterrows()):
    ax1.plot(np.exp([s.yi - 1.96 * s.vi**0.5, s.yi + 1.96 * s.vi**0.5]), [yv, yv], "k-")
    ax1.plot(np.exp(s.yi), yv, "ks", ms=4 + 10 / s.vi**0.5 / 5)
d = np.exp([random_eff - 1.96 * se, random_eff, random_eff + 1.96 * se, random_eff])
ax1.fill(d, [0, 0.25, 0, -0.25], color="C0")
ax1.set_yticks([*ypos, 0], [*studies.study, "Random effects"])
ax1.set_xscale("log")
ax2.scatter(studies.yi, np.sqrt(studies.vi))
ax2.invert_yaxis()
ax2.set_title("Funnel plot")
fig.savefig(OUTPUT / "meta.png", dpi=120, bbox_inches="tight")
