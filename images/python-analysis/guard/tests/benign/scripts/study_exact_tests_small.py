import numpy as np
from scipy import stats

observed = np.array([[7, 2], [3, 9]])
odds, p = stats.fisher_exact(observed)
print(f"Fisher: OR={odds:.2f}, p={p:.4f}")
res = stats.contingency.odds_ratio(observed)
ci = res.confidence_interval(confidence_level=0.95)
print(f"conditional MLE {res.statistic:.2f} [{ci.low:.2f}, {ci.high:.2f}]")
print(f"Barnard: p={stats.barnard_exact(observed).pvalue:.4f}")
print(f"Boschloo: p={stats.boschloo_exact(observed).pvalue:.4f}")

bt = stats.binomtest(3, n=20, p=0.3, alternative="two-sided")
for method in ("exact", "wilson"):
    ci = bt.proportion_ci(method=method)
    print(f"{method}: {ci.low:.3f} to {ci.high:.3f}")

x = [12.1, 14.3, 11.8, 15.2, 13.9]
y = [16.0, 15.1, 17.3, 14.9, 18.2, 16.6]
print("exact Mann-Whitney:", stats.mannwhitneyu(x, y, method="exact"))
print("permutation test p: %.4f" % stats.permutation_test((x, y), lambda a, b, axis: np.mean(a, axis=axis) - np.mean(b, axis=axis), vectorized=True, n_resamples=np.inf).pvalue)
print("rule of three, 0/50:", round(stats.beta.ppf(0.975, 1, 50), 4), "~", 3 / 50)
rr = stats.contingency.relative_risk(7, 9, 3, 12)
print(f"RR {rr.relative_risk:.2f}", tuple(round(v, 2) for v in rr.confidence_interval(0.95)))
