"""Compare three fertilisers with classical tests."""
import numpy as np
from scipy import stats
import itertools

rng = np.random.RandomState(21)
groups = {
    "control": rng.normal(20.0, 3.0, 30),
    "nitrate": rng.normal(22.5, 3.2, 28),
    "compost": rng.normal(23.0, 2.7, 31),
}


def describe(x):
    q1, med, q3 = np.percentile(x, [25, 50, 75])
    return dict(n=len(x), mean=x.mean(), sd=x.std(ddof=1), median=med, iqr=q3 - q1)


def cohens_d(a, b):
    pooled = np.sqrt(((len(a) - 1) * a.var(ddof=1) + (len(b) - 1) * b.var(ddof=1)) / (len(a) + len(b) - 2))
    return (a.mean() - b.mean()) / pooled


for name, values in groups.items():
    print(f"{name:8s}", " ".join(f"{k}={v:.2f}" for k, v in describe(values).items()))
    w, p = stats.shapiro(values)
    print(f"         Shapiro W={w:.3f} p={p:.3f}")
print("Levene   F=%.3f p=%.3f" % stats.levene(*groups.values()))
f, p = stats.f_oneway(*groups.values())
print(f"ANOVA    F={f:.3f} p={p:.4f}")
h, p = stats.kruskal(*groups.values())
print(f"Kruskal  H={h:.3f} p={p:.4f}")
pairs = list(itertools.combinations(groups, 2))
pvals = []
for a, b in pairs:
    t, p = stats.ttest_ind(groups[a], groups[b], equal_var=False)
    pvals.append(p)
    ci = stats.ttest_ind(groups[a], groups[b], equal_var=False).confidence_interval()
    print(f"{a} vs {b}: t={t:.2f} p={p:.4f} d={cohens_d(groups[a], groups[b]):.2f} CI=({ci.low:.2f}, {ci.high:.2f})")
order = np.argsort(pvals)
for rank, idx in enumerate(order):
    adj = min(1.0, pvals[idx] * (len(pvals) - rank))
    print("Holm", pairs[idx], round(adj, 4))
res = stats.bootstrap((groups["compost"],), np.mean, n_resamples=999, random_state=rng)
print("bootstrap", np.round([res.confidence_interval.low, res.confidence_interval.high], 2))
print(stats.tukey_hsd(*groups.values()).pvalue.round(3))
