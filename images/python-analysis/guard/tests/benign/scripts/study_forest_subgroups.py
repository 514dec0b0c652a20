import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
import statsmodels.formula.api as smf

df = patients.merge(events, on="patient_id")
df["treat"] = np.where(df["arm"] == "active", 1, 0)
df["agegrp"] = pd.cut(df["age"], [0, 50, 65, 120], labels=["<50", "50-64", "65+"], right=False)

subgroups = [("Overall", None)] + [(c, c) for c in ["sex", "agegrp", "smoker", "site"]]
lines = []
for title, col in subgroups:
    if col is None:
        groups = [("", df)]
    else:
        groups = [(str(level), part) for level, part in df.groupby(col, observed=True)]
    for level, part in groups:
        tab = pd.crosstab(part["treat"], part["event"])
        a, b = tab.loc[1, 1] + 0.5, tab.loc[1, 0] + 0.5
        c, d = tab.loc[0, 1] + 0.5, tab.loc[0, 0] + 0.5
        log_or = np.log(a * d / (b * c))
        se = np.sqrt(1 / a + 1 / b + 1 / c + 1 / d)
        lines.append((f"{title} {level}".strip(), len(part), log_or, se))

res = pd.DataFrame(lines, columns=["subgroup", "n", "logor", "se"])
res["or"] = np.exp(res.logor)
res["lo"] = np.exp(res.logor - 1.96 * res.se)
res["hi"] = np.exp(res.logor + 1.96 * res.se)
print(res[["subgroup", "n", "or", "lo", "hi"]].round(2).to_string(index=False))

fig, ax = plt.subplots(figsize=(7, 0.35 * len(res) + 1.2))
y = np.arange(len(res))[::-1]
ax.errorbar(res["or"], y, xerr=[res["or"] - res["lo"], res["hi"] - res["or"]], fmt="s", color="black", capsize=2)
ax.axvline(1, ls=":", color="gray")
ax.set_xscale("log")
ax.set_yticks(y)
ax.set_yticklabels([f"{s} (n={n})" for s, n in zip(res.subgroup, res.n)])
for yi, (_, r) in zip(y, res.iterrows()):
    ax.annotate(f"{r['or']:.2f} ({r['lo']:.2f}–{r['hi']:.2f})", xy=(1.02, yi), xycoords=("axes fraction", "data"), va="center", fontsize=8)
ax.set_xlabel("Odds ratio (log scale)")
fig.tight_layout()
fig.savefig(OUTPUT / "forest_subgroups.png", dpi=150)
fig.savefig(OUTPUT / "forest_subgroups.pdf")
