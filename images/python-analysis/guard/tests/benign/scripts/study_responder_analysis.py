import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from statsmodels.stats.proportion import proportions_ztest, confint_proportions_2indep, proportion_confint

wide = visits.pivot_table(index="patient_id", columns="visit", values="sbp")
change = (wide[4] - wide[1]).rename("change").dropna().to_frame().join(patients.set_index("patient_id")["arm"])

rows = []
for cut in (-5, -10, -15, -20):
    resp = change["change"].le(cut)
    k = resp.groupby(change["arm"]).sum()
    n = change["arm"].value_counts()
    stat, p = proportions_ztest([k["active"], k["placebo"]], [n["active"], n["placebo"]])
    low, high = confint_proportions_2indep(k["active"], n["active"], k["placebo"], n["placebo"], method="newcomb")
    rows.append([cut, f"{k['active']}/{n['active']}", f"{k['placebo']}/{n['placebo']}", k["active"] / n["active"] - k["placebo"] / n["placebo"], low, high, p])
print(pd.DataFrame(rows, columns=["cut", "active", "placebo", "RD", "low", "high", "p"]).round(3).to_string(index=False))

fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4))
for arm, g in change.groupby("arm"):
    xs = np.sort(g["change"])
    left.step(xs, np.arange(1, len(xs) + 1) / len(xs), where="post", label=arm)
left.set(xlabel="Change in SBP", ylabel="Cumulative proportion")
left.legend()
ordered = change.sort_values("change", ascending=False)
colors = ordered["arm"].map({"active": "tab:blue", "placebo": "tab:gray"})
right.bar(range(len(ordered)), ordered["change"], color=colors, width=1.0)
right.set_title("Waterfall plot")
right.set_xticks([])
fig.savefig(OUTPUT / "responders.png", dpi=80)
print("median change:", change.groupby("arm")["change"].median().round(1).to_dict())
