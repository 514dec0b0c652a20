"""Kaplan-Meier estimator as a small class, with a log-rank test."""
from dataclasses import dataclass, field
from typing import Optional

import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from scipy import stats


@dataclass
class KaplanMeier:
    label: str = "all"
    alpha: float = 0.05
    table: Optional[pd.DataFrame] = field(default=None, repr=False)

    def fit(self, time, event) -> "KaplanMeier":
        time, event = np.asarray(time), np.asarray(event)
        rows, s, var = [], 1.0, 0.0
        for t in np.unique(time[event == 1]):
            n = (time >= t).sum()
            d = ((time == t) & (event == 1)).sum()
            s *= 1 - d / n
            if n > d:
                var += d / (n * (n - d))
            rows.append((t, n, d, s, s * np.sqrt(var)))
        self.table = pd.DataFrame(rows, columns=["time", "at_risk", "events", "survival", "se"])
        return self

    @property
    def median(self) -> float:
        below = self.table.loc[self.table["survival"] <= 0.5, "time"]
        return float(below.iloc[0]) if len(below) else float("nan")

    def at(self, t: float) -> float:
        past = self.table[self.table["time"] <= t]
        return float(past["survival"].iloc[-1]) if len(past) else 1.0


def logrank(t1, e1, t2, e2):
    o_minus_e = v = 0.0
    for t in np.unique(np.concatenate([t1[e1 == 1], t2[e2 == 1]])):
        n1, n2 = (t1 >= t).sum(), (t2 >= t).sum()
        d1, d2 = ((t1 == t) & (e1 == 1)).sum(), ((t2 == t) & (e2 == 1)).sum()
        n, d = n1 + n2, d1 + d2
        o_minus_e += d1 - d * n1 / n
        if n > 1:
            v += d * n1 * n2 * (n - d) / (n**2 * (n - 1))
    z2 = o_minus_e**2 / v
    return z2, stats.chi2.sf(z2, 1)


df = events.merge(patients[["patient_id", "arm"]])
parts = {arm: g for arm, g in df.groupby("arm")}
fig, ax = plt.subplots()
for arm, g in parts.items():
    km = KaplanMeier(arm).fit(g["time_days"], g["event"])
    ax.step(km.table["time"], km.table["survival"], where="post", label=arm)
    print(km, "median", km.median, "S(1y)", round(km.at(365), 3))
ax.set(xlabel="Days", ylabel="Survival", ylim=(0, 1.02))
ax.legend(frameon=False)
fig.savefig(OUTPUT / "km.svg")
a, p = parts["active"], parts["placebo"]
print("log-rank chi2 = %.3f, p = %.4f" % logrank(a.time_days.values, a.event.values, p.time_days.values, p.event.values))
