"""Swimmer plot of a small trial: bars, event markers, legends in two parts."""
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.legend_handler import HandlerTuple
from matplotlib.transforms import blended_transform_factory, offset_copy

rng = np.random.default_rng(17)
n = 14
trial = pd.DataFrame({"id": [f"S-{k:03d}" for k in range(n)], "months": rng.gamma(4, 3, n).round(1), "arm": rng.choice(["low", "high"], n),
                      "ongoing": rng.random(n) < 0.3, "response": np.where(rng.random(n) < 0.6, rng.uniform(1, 4, n), np.nan)})
trial = trial.sort_values("months", ignore_index=True)
colours = {"low": "#88ccee", "high": "#cc6677"}
fig, ax = plt.subplots(figsize=(7, 5))
bars = ax.barh(trial.index, trial.months, color=trial.arm.map(colours), height=0.65)
hit = ax.scatter(trial.response, trial.index, marker="D", c="k", s=22, zorder=3, label="response")
for row in trial[trial.ongoing].itertuples():
    ax.annotate("", xy=(row.months + 1.2, row.Index), xytext=(row.months, row.Index), arrowprops=dict(arrowstyle="-|>", color="0.2"))
ax.bar_label(bars, labels=[f"{m:.0f}" for m in trial.months], label_type="center", fontsize=7, color="w")
ax.set_yticks(trial.index, trial.id)
place = blended_transform_factory(ax.transAxes, ax.transData)
for row in trial.itertuples():
    ax.text(1.01, row.Index, row.arm, transform=offset_copy(place, fig, x=2, units="points"), va="center", fontsize=7)
first = ax.legend([(bars[0], bars[1]), hit], ["treatment", "response"], handler_map={tuple: HandlerTuple(ndivide=None)}, loc="lower right")
ax.add_artist(first)
ax.legend(handles=[plt.Rectangle((0, 0), 1, 1, fc=c, label=a) for a, c in colours.items()], loc="center right", title="dose")
ax.set_xlabel("months")
ax.margins(y=0.02)
ax.tick_params(axis="y", length=0, labelsize=7)
fig.tight_layout()
fig.savefig(OUTPUT / "swimmer.png")
print(trial[["id", "months", "arm"]].head(3).to_string(index=False), len(ax.texts), bars.datavalues.sum().round(1))
