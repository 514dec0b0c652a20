"""Non-inferiority and equivalence on means and proportions."""
import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.weightstats import ttost_ind, DescrStatsW, CompareMeans
from statsmodels.stats.proportion import tost_proportions_2indep

MARGIN = 5.0
last = visits[visits["visit"] == 4].merge(patients[["patient_id", "arm"]], on="patient_id").dropna(subset=["sbp"])
a = last.loc[last["arm"].eq("active"), "sbp"]
p = last.loc[last["arm"].eq("placebo"), "sbp"]

cm = CompareMeans(DescrStatsW(a), DescrStatsW(p))
low, high = cm.tconfint_diff(alpha=0.05, usevar="unequal")
print(f"difference {a.mean() - p.mean():.2f}, 95% CI {low:.2f} to {high:.2f}")
print("non-inferior:", bool(high < MARGIN), "| superior:", bool(high < 0))
pval, (t1, p1, _), (t2, p2, _) = ttost_ind(a, p, -MARGIN, MARGIN, usevar="unequal")
print(f"TOST p = {pval:.4f} (lower {p1:.4f}, upper {p2:.4f})")

d = DescrStatsW(a)
print("mean %.2f, SE %.2f" % (d.mean, d.std_mean), "CI", np.round(d.tconfint_mean(), 2))

res = tost_proportions_2indep(83, 100, 80, 98, -0.1, 0.1)
print(f"equivalence of proportions p = {res.pvalue:.4f}")


def fixed_margin_power(n, delta=0.0, sd=14.0, margin=MARGIN, alpha=0.025):
    se = sd * np.sqrt(2 / n)
    return stats.norm.cdf((margin - delta) / se - stats.norm.ppf(1 - alpha))


print({n: round(float(fixed_margin_power(n)), 3) for n in (60, 100, 140, 180)})
