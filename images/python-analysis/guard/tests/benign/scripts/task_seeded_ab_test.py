import numpy as np
from scipy import stats
from statsmodels.stats.proportion import proportions_ztest, proportion_confint
import matplotlib.pyplot as plt


def ab_test(conv_a, n_a, conv_b, n_b, alpha=0.05):
    z, p = proportions_ztest([conv_a, conv_b], [n_a, n_b])
    pa, pb = conv_a / n_a, conv_b / n_b
    return {"a": pa, "b": pb, "lift": pb / pa - 1, "z": z, "p": p, "significant": bool(p < alpha)}


rng = np.random.default_rng(55)
visitors = 4000
a = rng.binomial(1, 0.10, visitors)
b = rng.binomial(1, 0.125, visitors)
report = ab_test(a.sum(), visitors, b.sum(), visitors)
for k, v in report.items():
    print(f"{k:>12}: {v if isinstance(v, bool) else format(v, '.4f')}")
for name, arr in (("A", a), ("B", b)):
    low, high = proportion_confint(arr.sum(), arr.size, method="wilson")
    print(f"{name}: {arr.mean():.2%} [{low:.2%}, {high:.2%}]")
post_a = stats.beta(1 + a.sum(), 1 + visitors - a.sum()).rvs(20000, random_state=1)
post_b = stats.beta(1 + b.sum(), 1 + visitors - b.sum()).rvs(20000, random_state=2)
print(f"P(B > A) = {(post_b > post_a).mean():.3f}")
cum = np.cumsum(b - a) / np.arange(1, visitors + 1)
plt.plot(cum[100:])
plt.axhline(0, color="k", lw=0.5)
plt.ylabel("cumulative difference")
plt.savefig("ab.png")
sizes = {d: int(np.ceil(2 * (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) ** 2 * 0.11 * 0.89 / d**2)) for d in (0.01, 0.02, 0.05)}
print("sample sizes:", sizes)
