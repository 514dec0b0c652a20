"""Kaplan-Meier by hand, with a log-rank test and a figure."""
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import chi2

rng = np.random.default_rng(17)
n = 80
arm = np.repeat(["old pump", "new pump"], n // 2)
time = np.where(arm == "old pump", rng.exponential(10, n), rng.exponential(16, n))
censor = rng.uniform(5, 30, n)
df = pd.DataFrame({"arm": arm, "time": np.minimum(time, censor).round(2), "event": (time <= censor).astype(int)})


def kaplan_meier(t, e):
    order = np.argsort(t)
    t, e = np.asarray(t)[order], np.asarray(e)[order]
    out, s = [(0.0, 1.0, 0.0)], 1.0
    var = 0.0
    for u in np.unique(t[e == 1]):
        at_risk, d = (t >= u).sum(), ((t == u) & (e == 1)).sum()
        s *= 1 - d / at_risk
        var += d / (at_risk * max(at_risk - d, 1))
        out.append((u, s, s * np.sqrt(var)))
    return pd.DataFrame(out, columns=["time", "survival", "se"])


def logrank(data):
    a = data["arm"].unique()[0]
    oe = v = 0.0
    for u in np.sort(data.loc[data.event == 1, "time"].unique()):
        risk = data[data.time >= u]
        d = ((data.time == u) & (data.event == 1)).sum()
        n1, n = (risk.arm == a).sum(), len(risk)
        oe += ((data.time == u) & (data.event == 1) & (data.arm == a)).sum() - d * n1 / n
        if n > 1:
            v += d * (n1 / n) * (1 - n1 / n) * (n - d) / (n - 1)
    stat = oe**2 / v
    return stat, chi2.sf(stat, 1)


fig, ax = plt.subplots(figsize=(7, 4))
for name, group in df.groupby("arm"):
    km = kaplan_meier(group["time"], group["event"])
    ax.step(km["time"], km["survival"], where="post", label=f"{name} (n={len(group)})")
    ax.fill_between(km["time"], km["survival"] - 1.96 * km["se"], km["survival"] + 1.96 * km["se"], step="post", alpha=0.2)
    median = km.loc[km["survival"] <= 0.5, "time"].min()
    print(f"{name}: events={group['event'].sum()} median={median:.2f}")
ax.set(xlabel="months", ylabel="working", ylim=(0, 1.05))
ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)
fig.tight_layout()
fig.savefig("survival.png", dpi=150, bbox_inches="tight")
plt.show()
stat, p = logrank(df)
print(f"log-rank chi2={stat:.2f}, p={p:.3f}")
print(df.groupby("arm")["time"].describe().round(1))
