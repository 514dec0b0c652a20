import matplotlib.pyplot as plt
import numpy as np

merged = visits.merge(patients, on="patient_id")
fig, ax = plt.subplots(figsize=(7, 4), constrained_layout=True)
for arm, part in merged.groupby("arm"):
    by = part.groupby("visit")["sbp"]
    mean, se = by.mean(), by.sem()
    ax.plot(mean.index, mean, marker="o", label=f"{arm} (n={part['patient_id'].nunique()})")
    ax.fill_between(mean.index, mean - 1.96 * se, mean + 1.96 * se, alpha=0.2)
ax.set(xlabel="Visit", ylabel="Systolic pressure, mmHg", title="Mean ± 95% CI")
ax.legend(frameon=False, loc="upper right")
ax.grid(True, which="major", axis="y", linestyle=":")
for side in ("top", "right"):
    ax.spines[side].set_visible(False)
ax.axhline(140, color="red", lw=0.8, ls="--")
ax.annotate("threshold", xy=(1, 140), xytext=(1.2, 145), arrowprops=dict(arrowstyle="->"))
fig.savefig(OUTPUT / "lines.png", dpi=100, bbox_inches="tight")
print(ax.get_title(), len(ax.lines), ax.get_xlim()[0] < 2)
