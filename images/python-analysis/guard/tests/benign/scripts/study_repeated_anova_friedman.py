import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.anova import AnovaRM
from statsmodels.stats.multitest import multipletests
from itertools import combinations

wide = visits.pivot(index="patient_id", columns="visit", values="sbp").dropna()
print(f"{len(wide)} patients with all four visits")
long = wide.stack().rename("sbp").reset_index()
aov = AnovaRM(long, depvar="sbp", subject="patient_id", within=["visit"]).fit()
print(aov.anova_table.round(4))

chi2, p = stats.friedmanchisquare(*[wide[c] for c in wide])
print(f"Friedman chi2 = {chi2:.2f}, p = {p:.4f}, Kendall's W = {chi2 / (len(wide) * (wide.shape[1] - 1)):.3f}")

pairs = list(combinations(wide.columns, 2))
pvals = [stats.ttest_rel(wide[a], wide[b]).pvalue for a, b in pairs]
reject, adj, _, _ = multipletests(pvals, alpha=0.05, method="holm")
for (a, b), raw, pa, r in zip(pairs, pvals, adj, reject):
    print(f"visit {a} vs {b}: diff {(wide[a] - wide[b]).mean():6.2f}  p={raw:.4f}  Holm={pa:.4f} {'*' if r else ''}")

W, sph = np.linalg.det(np.corrcoef(wide.T.values)), wide.cov().round(0)
print("determinant of the correlation matrix: %.3f" % W)
print(sph)
