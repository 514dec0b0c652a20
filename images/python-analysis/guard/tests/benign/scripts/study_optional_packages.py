"""Uses lifelines and seaborn where they are there, and falls back where they are not."""
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

try:
    from lifelines import KaplanMeierFitter
    HAVE_LIFELINES = True
except ImportError:
    HAVE_LIFELINES = False

try:
    import seaborn as sns
    sns.set_theme(style="whitegrid")
except ImportError:
    sns = None
    plt.rcParams.update({"axes.grid": True, "grid.alpha": 0.4, "axes.spines.top": False, "axes.spines.right": False})


def survival_at(time, event, horizon):
    if HAVE_LIFELINES:
        kmf = KaplanMeierFitter().fit(time, event)
        return float(kmf.predict(horizon))
    s = 1.0
    for t in np.sort(np.unique(time[event == 1])):
        if t > horizon:
            break
        s *= 1 - ((time == t) & (event == 1)).sum() / (time >= t).sum()
    return s


df = events.merge(patients, on="patient_id")
for arm in ["active", "placebo"]:
    part = df[df["arm"] == arm]
    values = [survival_at(part["time_days"].values, part["event"].values, h) for h in (180, 365, 730)]
    print(arm, " ".join(f"{v:.3f}" for v in values))

fig, ax = plt.subplots()
if sns is not None:
    sns.histplot(data=df, x="time_days", hue="arm", ax=ax)
else:
    ax.hist([g["time_days"] for _, g in df.groupby("arm")], bins=20, label=["active", "placebo"], stacked=True)
    ax.legend()
fig.savefig(OUTPUT / "time_hist.png")
print("figure saved")
