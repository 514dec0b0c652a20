import matplotlib.pyplot as plt
import numpy as np
import statsmodels.formula.api as smf

df = patients.merge(events, on="patient_id").dropna()
rows = []
for label, part in [("All", df), *((f"Site {s}", g) for s, g in df.groupby("site")), *df.groupby("sex")]:
    fit = smf.ols("event ~ C(arm)", part).fit()
    low, high = fit.conf_int().iloc[1]
    rows.append((label, fit.params.iloc[1], low, high))
fig, ax = plt.subplots(figsize=(5, 0.4 * len(rows) + 1))
for y, (label, estimate, low, high) in enumerate(reversed(rows)):
    ax.plot([low, high], [y, y], color="black")
    ax.plot(estimate, y, "s", color="C0", markersize=6)
ax.axvline(0, color="grey", lw=0.8)
ax.set_yticks(np.arange(len(rows)), [r[0] for r in reversed(rows)])
ax.invert_yaxis(); ax.margins(y=0.1)
fig.savefig(OUTPUT / "forest.svg")
for row in rows:
    print("{:<8}{:>8.3f} [{:.3f}; {:.3f}]".format(*row))
