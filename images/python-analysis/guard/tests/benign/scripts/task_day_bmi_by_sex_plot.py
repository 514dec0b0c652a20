import os
from pathlib import Path

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

np.random.seed(7)
n = 200
cohort = pd.DataFrame({
    "patient_id": np.arange(1, n + 1),
    "sex": np.random.choice(["F", "M"], size=n),
    "height_cm": np.random.normal(170, 9, n).round(1),
    "weight_kg": np.random.normal(74, 13, n).round(1),
})
cohort["bmi"] = cohort["weight_kg"] / (cohort["height_cm"] / 100) ** 2

summary = cohort.groupby("sex")["bmi"].agg(["count", "mean", "std", "median"]).round(2)
print(summary.to_string())

fig, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=False)
for sex, colour in zip(["F", "M"], ["#c0504d", "#4f81bd"]):
    values = cohort.loc[cohort["sex"] == sex, "bmi"]
    axes[0].hist(values, bins=20, alpha=0.6, color=colour, label=f"{sex} (n={len(values)})")
axes[0].axvline(25, ls="--", color="grey", lw=1)
axes[0].set_xlabel("BMI (kg/m²)")
axes[0].legend()
cohort.boxplot(column="bmi", by="sex", ax=axes[1], grid=False)
axes[1].set_title("")
fig.suptitle("BMI by sex")
plt.tight_layout()

out_dir = Path("plots")
out_dir.mkdir(parents=True, exist_ok=True)
target = out_dir / "bmi_by_sex.png"
fig.savefig(target, dpi=100, bbox_inches="tight")
plt.close(fig)
print("saved", target, os.path.exists(target), os.path.getsize(target) > 1000)
