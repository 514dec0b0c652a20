"""Incidence-density sampling of controls and a conditional analysis of the pairs."""
import random
from collections import Counter

import numpy as np
import pandas as pd
from scipy.stats import binomtest

random.seed(99)
cohort = events.merge(patients, on="patient_id")
cases = cohort[cohort["event"] == 1].sort_values("time_days")
sets = []
for set_id, case in enumerate(cases.itertuples(index=False), start=1):
    at_risk = cohort[(cohort["time_days"] > case.time_days) & (cohort["sex"] == case.sex)]
    ids = sorted(at_risk["patient_id"])
    if len(ids) < 2:
        continue
    chosen = random.sample(ids, 2)
    sets.append({"set": set_id, "patient_id": case.patient_id, "case": 1, "index_day": case.time_days})
    sets.extend({"set": set_id, "patient_id": c, "case": 0, "index_day": case.time_days} for c in chosen)

ncc = pd.DataFrame(sets).merge(patients[["patient_id", "arm", "smoker"]], on="patient_id")
print("sets:", ncc["set"].nunique(), "rows:", len(ncc))
print(ncc.groupby("case")["arm"].value_counts(normalize=True).unstack().round(3))

pairs = Counter()
for _, s in ncc.groupby("set"):
    exposed_case = (s.loc[s.case == 1, "arm"] == "active").iloc[0]
    for exposed_control in s.loc[s.case == 0, "arm"] == "active":
        pairs[(bool(exposed_case), bool(exposed_control))] += 1
f, g = pairs[(True, False)], pairs[(False, True)]
print("discordant pairs:", f, g, "matched OR: %.3f" % (f / g))
print("exact p: %.4f" % binomtest(f, f + g, 0.5).pvalue)
print("repeat controls:", sum(v > 1 for v in Counter(ncc.loc[ncc.case == 0, "patient_id"]).values()))
