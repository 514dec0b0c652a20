import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

df = labs.dropna(subset=["value"]).merge(patients[["patient_id", "arm", "sex"]], on="patient_id")
df["date"] = pd.to_datetime(df["date"])
df["month"] = df["date"].dt.to_period("M").dt.to_timestamp()

limits = {"glucose": (3.9, 6.1), "sodium": (135, 145), "hemoglobin": (12.0, 17.5)}
tests = sorted(df["test"].unique())
fig, axes = plt.subplots(len(tests), 1, figsize=(8, 9), sharex=True, constrained_layout=True)
for ax, test in zip(axes, tests):
    part = df[df["test"] == test]
    lo, hi = limits[test]
    ax.axhspan(lo, hi, color="green", alpha=0.08)
    for arm, g in part.groupby("arm"):
        stats = g.groupby("month")["value"].agg(["mean", "sem"])
        ax.errorbar(stats.index, stats["mean"], yerr=1.96 * stats["sem"], marker="o", capsize=3, label=arm)
    unit = part["unit"].iloc[0]
    ax.set_ylabel(f"{test.title()} ({unit})")
    out_of_range = ~part["value"].between(lo, hi)
    print(f"{test:>11}: {out_of_range.sum():3d}/{len(part)} out of range ({out_of_range.mean():.1%})")
axes[0].legend(ncol=2, loc="upper right")
axes[-1].tick_params(axis="x", rotation=30)
fig.suptitle("Laboratory values by month, mean and 95% CI")
fig.savefig(OUTPUT / "labs.png", dpi=90)

flags = pd.concat([df.loc[(df.test == t) & (df.value < lo)].assign(flag="L") for t, (lo, hi) in limits.items()]
                  + [df.loc[(df.test == t) & (df.value > hi)].assign(flag="H") for t, (lo, hi) in limits.items()])
print(flags.groupby(["test", "flag"]).size().unstack(fill_value=0))
