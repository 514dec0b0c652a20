import numpy as np
import pandas as pd
from scipy.stats import norm

TAU = 600


def km(time, event):
    order = np.argsort(time)
    time, event = time[order], event[order]
    uniq = np.unique(time)
    s, surv, risk, deaths = 1.0, [], [], []
    for u in uniq:
        n = int((time >= u).sum())
        d = int(event[time == u].sum())
        s *= 1 - d / n
        surv.append(s)
        risk.append(n)
        deaths.append(d)
    return uniq, np.array(surv), np.array(risk), np.array(deaths)


def rmst(time, event, tau):
    t, s, n, d = km(time, event)
    keep = t <= tau
    grid = np.concatenate([[0], t[keep], [tau]])
    steps = np.concatenate([[1.0], s[keep]])
    area = np.sum(np.diff(grid) * steps)
    rest = np.cumsum((np.diff(grid) * steps)[::-1])[::-1][1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        var = np.nansum(rest**2 * d[keep] / (n[keep] * (n[keep] - d[keep])))
    return area, np.sqrt(var)


merged = events.merge(patients, on="patient_id")
est = {arm: rmst(g["time_days"].to_numpy(), g["event"].to_numpy(), TAU) for arm, g in merged.groupby("arm")}
for arm, (mean, se) in est.items():
    print(f"{arm:8s} RMST({TAU}) = {mean:6.1f} days (SE {se:.1f})")
diff = est["active"][0] - est["placebo"][0]
se = np.hypot(est["active"][1], est["placebo"][1])
print(f"difference {diff:.1f} days, 95% CI {diff - 1.96 * se:.1f} to {diff + 1.96 * se:.1f}, p = {2 * norm.sf(abs(diff / se)):.3f}")
