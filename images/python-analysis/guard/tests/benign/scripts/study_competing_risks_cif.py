"""Aalen-Johansen cumulative incidence for two causes."""
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

df = events.copy()
df["status"] = np.select([df["cause"].eq("cardiac"), df["cause"].eq("other")], [1, 2], default=0)


def cumulative_incidence(time, status, cause):
    data = pd.DataFrame({"t": time, "s": status}).sort_values("t")
    n = len(data)
    surv, cif = 1.0, 0.0
    out = [(0, 0.0)]
    for t, grp in data.groupby("t"):
        d_any = (grp["s"] > 0).sum()
        d_cause = (grp["s"] == cause).sum()
        cif += surv * d_cause / n
        surv *= 1 - d_any / n
        n -= len(grp)
        out.append((t, cif))
    return pd.DataFrame(out, columns=["time", "cif"])


merged = df.merge(patients[["patient_id", "arm"]], on="patient_id")
fig, axs = plt.subplots(1, 2, sharey=True, figsize=(9, 4))
summary = {}
for ax, (arm, grp) in zip(axs, merged.groupby("arm")):
    curves = {c: cumulative_incidence(grp["time_days"], grp["status"], code) for c, code in (("cardiac", 1), ("other", 2))}
    for name, curve in curves.items():
        ax.step(curve["time"], curve["cif"], where="post", label=name)
        at_1y = curve.loc[curve["time"] <= 365, "cif"].iloc[-1]
        summary[(arm, name)] = at_1y
    ax.set_title(arm)
axs[0].set_ylabel("Cumulative incidence")
axs[1].legend()
fig.savefig(OUTPUT / "cif.png")
plt.close("all")
print(pd.Series(summary).unstack().map(lambda v: f"{v:.1%}"))
print(merged.groupby(["arm", "status"]).size().unstack(fill_value=0))
