import numpy as np
from scipy import stats

a = visits.merge(patients).query("arm == 'active'")["sbp"].dropna()
b = visits.merge(patients).query("arm == 'placebo'")["sbp"].dropna()
results = {
    "t": stats.ttest_ind(a, b),
    "welch": stats.ttest_ind(a, b, equal_var=False),
    "mann-whitney": stats.mannwhitneyu(a, b),
    "ks": stats.ks_2samp(a, b),
    "levene": stats.levene(a, b),
}
for name, result in results.items():
    print(f"{name:>14}: statistic={result.statistic:.3f} p={result.pvalue:.4f}")
print(stats.ttest_ind(a, b).confidence_interval(0.95))
w = visits.pivot(index="patient_id", columns="visit", values="sbp").dropna()
print(stats.ttest_rel(w[1], w[2]).pvalue.round(5), stats.wilcoxon(w[1] - w[2]).pvalue.round(5))
print(stats.f_oneway(*(g["sbp"].dropna() for _, g in visits.groupby("visit"))).pvalue.round(5))
print(stats.kruskal(a, b).pvalue.round(5), stats.shapiro(a.sample(50, random_state=0)).pvalue.round(4))
d = (a.mean() - b.mean()) / np.sqrt((a.var(ddof=1) + b.var(ddof=1)) / 2)
print(f"Cohen's d = {d:+.3f}")
print(stats.spearmanr(visits["sbp"], visits["dbp"], nan_policy="omit").statistic.round(3))
