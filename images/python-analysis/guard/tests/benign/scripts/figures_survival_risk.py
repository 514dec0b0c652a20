"""Survival curves with a table of those at risk, censor ticks and inset hazard."""
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import PercentFormatter

rng = np.random.default_rng(14)
groups = {}
for name, scale in {"usual": 9, "new": 15}.items():
    event, censor = rng.exponential(scale, 90), rng.uniform(2, 24, 90)
    groups[name] = pd.DataFrame({"time": np.minimum(event, censor), "event": event <= censor}).sort_values("time", ignore_index=True)


def km(frame):
    n = np.arange(len(frame), 0, -1)
    surv = np.cumprod(1 - frame.event / n)
    var = np.cumsum(frame.event / (n * np.maximum(n - 1, 1)))
    half = 1.96 * surv * np.sqrt(var)
    return pd.DataFrame({"time": frame.time, "s": surv, "low": (surv - half).clip(0), "high": (surv + half).clip(upper=1), "event": frame.event})


marks = np.arange(0, 25, 6)
fig, (ax, tab) = plt.subplots(2, 1, height_ratios=[5, 1], sharex=True, figsize=(6, 5))
for k, (name, frame) in enumerate(groups.items()):
    c = km(frame)
    ax.step(np.r_[0, c.time], np.r_[1, c.s], where="post", c=f"C{k}", label=f"{name} (n={len(frame)}, {frame.event.sum()} events)")
    ax.fill_between(c.time, c.low, c.high, step="post", alpha=0.15, color=f"C{k}", linewidth=0)
    censored = c[~c.event]
    ax.plot(censored.time, censored.s, "|", c=f"C{k}", ms=6)
    median = c.time[c.s <= 0.5].min()
    ax.vlines(median, 0, 0.5, ls=":", color=f"C{k}")
    for m in marks:
        tab.text(m, 1 - k, int((frame.time >= m).sum()), ha="center", va="center", fontsize=8)
    print(name, round(median, 2), c.s.iloc[-1].round(3))
ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
ax.set_ylim(0, 1.02)
ax.legend(loc="upper right", frameon=False)
tab.set(ylim=(-0.5, 1.5), yticks=[1, 0], yticklabels=list(groups), xticks=marks, xlabel="months")
tab.spines[["top", "right", "bottom", "left"]].set_visible(False)
tab.tick_params(length=0)
tab.set_title("at risk", loc="left", fontsize=8)
inset = ax.inset_axes([0.55, 0.45, 0.4, 0.3])
for k, frame in enumerate(groups.values()):
    c = km(frame)
    inset.plot(c.time, -np.log(c.s.clip(0.01)), c=f"C{k}")
inset.set_title("cumulative hazard", fontsize=6)
ax.indicate_inset_zoom(inset, edgecolor="none")
fig.savefig(OUTPUT / "km.png", dpi=120)
