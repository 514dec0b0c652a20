"""CONSORT-like flow of exclusions, printed and drawn."""
import matplotlib.pyplot as plt
from matplotlib.patches import FancyBboxPatch

steps = []


def log(msg, n):
    steps.append((msg, n))
    print(f"[{len(steps):02d}] {msg:.<48} n = {n}")


cohort = patients.copy()
log("Randomised", len(cohort))
cohort = cohort[cohort["age"].notna()]
log("With recorded age", len(cohort))
cohort = cohort[cohort["age"] >= 40]
log("Aged 40 or over", len(cohort))
has_baseline = visits.loc[visits["visit"].eq(1) & visits["sbp"].notna(), "patient_id"]
cohort = cohort[cohort["patient_id"].isin(has_baseline)]
log("Baseline blood pressure measured", len(cohort))
cohort = cohort.dropna(subset=["bmi", "smoker"])
log("Complete covariates (analysis set)", len(cohort))
for arm, n in cohort["arm"].value_counts().sort_index().items():
    print(f"     {arm}: {n}")

fig, ax = plt.subplots(figsize=(5, 7))
ax.axis("off")
ax.set_xlim(0, 10)
ax.set_ylim(0, len(steps) * 2)
for i, (text, n) in enumerate(steps):
    y = (len(steps) - i) * 2 - 1.5
    ax.add_patch(FancyBboxPatch((1, y), 8, 1, boxstyle="round,pad=0.1", fc="white", ec="black"))
    ax.text(5, y + 0.5, f"{text}\n(n = {n})", ha="center", va="center", fontsize=9)
    if i:
        ax.annotate("", xy=(5, y + 1.1), xytext=(5, y + 1.9), arrowprops={"arrowstyle": "->"})
fig.savefig(OUTPUT / "consort.svg", format="svg")
excluded = [(a[0], a[1] - b[1]) for a, b in zip(steps, steps[1:])]
assert sum(n for _, n in excluded) == steps[0][1] - steps[-1][1]
print("total excluded:", steps[0][1] - steps[-1][1])
