# Kaplan-Meier, Greenwood and log-rank written out
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from scipy.stats import chi2, norm

d = events.merge(patients[["patient_id", "arm"]], on="patient_id", validate="one_to_one")

def km(t, e, alpha=0.05):
    tab = pd.DataFrame({"t": t, "e": e}).groupby("t")["e"].agg(d="sum", n="size").sort_index()
    tab["at_risk"] = tab["n"][::-1].cumsum()[::-1]
    tab = tab.assign(S=lambda x: (1 - x["d"] / x["at_risk"]).cumprod(),
                     gw=lambda x: (x["d"] / (x["at_risk"] * (x["at_risk"] - x["d"])).replace(0, np.nan)).cumsum())
    z = norm.ppf(1 - alpha / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        theta = z * np.sqrt(tab["gw"]) / np.log(tab["S"])
        tab["lo"], tab["hi"] = tab["S"] ** np.exp(-theta), tab["S"] ** np.exp(theta)
    return tab

curves = {a: km(g.time_days, g.event) for a, g in d.groupby("arm")}
fig, (ax, rt) = plt.subplots(2, 1, figsize=(7, 6), sharex=True, gridspec_kw={"height_ratios": [4, 1]})
for (a, c), col in zip(curves.items(), ("C0", "C3")):
    ax.step(np.r_[0, c.index], np.r_[1, c.S], where="post", color=col, label=a)
    ax.fill_between(c.index, c.lo, c.hi, step="post", alpha=.15, color=col)
    cens = c[c.n > c.d]
    ax.plot(cens.index, cens.S, "|", color=col)
    med = c.index[c.S <= .5]
    print(a, "median", med[0] if len(med) else "not reached", "S(365)", round(c.S[c.index <= 365].iloc[-1], 3))
ticks = range(0, 1001, 200)
for i, (a, g) in enumerate(d.groupby("arm")):
    for t in ticks:
        rt.text(t, i, int((g.time_days >= t).sum()), ha="center", va="center", fontsize=8)
rt.set(yticks=[0, 1], yticklabels=list(curves), ylim=(-.5, 1.5), xticks=ticks, xlabel="days")
ax.legend(); ax.set_ylim(0, 1.02)
fig.savefig(OUTPUT / "km.png", dpi=120)

O = E = V = 0
for t in sorted(d.loc[d.event == 1, "time_days"].unique()):
    r = d[d.time_days >= t]
    n, n1 = len(r), (r.arm == "active").sum()
    dd = ((r.time_days == t) & (r.event == 1)).sum()
    d1 = ((r.time_days == t) & (r.event == 1) & (r.arm == "active")).sum()
    O += d1; E += dd * n1 / n
    if n > 1:
        V += dd * n1 / n * (1 - n1 / n) * (n - dd) / (n - 1)
stat = (O - E) ** 2 / V
print(f"log-rank chi2 = {stat:.3f}, p = {chi2.sf(stat, 1):.4f}; O/E = {O / E:.2f}")
print(curves["active"].head(4).round(3).to_string())
