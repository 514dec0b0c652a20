from collections import OrderedDict, Counter
from textwrap import dedent, fill
import json
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from matplotlib.patches import FancyBboxPatch, FancyArrowPatch

screened = patients
steps = OrderedDict()
steps["screened"] = set(screened.patient_id)
def exclude(name, mask):
    last = list(steps.values())[-1]
    drop = set(screened.loc[mask, "patient_id"]) & last
    steps[name] = last - drop
    return len(drop)
excluded = {
    "age missing or < 40": exclude("age", screened.age.isna() | (screened.age < 40)),
    "no BMI": exclude("bmi", screened.bmi.isna()),
    "no baseline pressure": exclude("sbp", ~screened.patient_id.isin(visits.query("visit == 1 and sbp.notna()", engine="python").patient_id)),
}
final = screened[screened.patient_id.isin(steps["sbp"])]
flow = final.groupby("arm").agg(randomised=("patient_id", "size"))
last = visits.dropna(subset=["sbp"]).groupby("patient_id").visit.max()
flow["completed"] = final.assign(last=final.patient_id.map(last)).query("last == 4").groupby("arm").size()
flow["lost"] = flow.randomised - flow.completed
flow["analysed"] = final.merge(events, on="patient_id").groupby("arm").size()
print(pd.Series({k: len(v) for k, v in steps.items()}))
print(json.dumps(excluded, indent=1))
print(flow.T)
assert flow.randomised.sum() == len(steps["sbp"]), "patients lost on the way"
fig, ax = plt.subplots(figsize=(7, 6)); ax.axis("off"); ax.set(xlim=(0, 10), ylim=(0, 10))
def box(x, y, text, w=3.4, h=1.2):
    ax.add_patch(FancyBboxPatch((x - w / 2, y - h / 2), w, h, boxstyle="round,pad=0.05", fc="white", ec="k"))
    ax.text(x, y, text, ha="center", va="center", fontsize=8)
    return x, y - h / 2
def arrow(a, b):
    ax.add_patch(FancyArrowPatch(a, b, arrowstyle="-|>", mutation_scale=12, shrinkA=2, shrinkB=2))
top = box(5, 9, f"Assessed (n = {len(screened)})")
box(8.2, 7.2, dedent(f"""\
    Excluded (n = {sum(excluded.values())})
    """) + "\n".join(f"{k} (n = {v})" for k, v in excluded.items()), w=3.2, h=1.6)
for x, arm in ((2.5, "active"), (7.5, "placebo")):
    r = flow.loc[arm]
    arrow(top, (x, 5.1))
    b = box(x, 4.5, fill(f"Allocated to {arm} (n = {r.randomised})", 24))
    arrow(b, (x, 2.6)); box(x, 2, f"Completed {r.completed:.0f}, lost {r.lost:.0f}\nAnalysed {r.analysed}")
fig.savefig(OUTPUT / "consort.png", dpi=100)
print(Counter(final.site).most_common())
