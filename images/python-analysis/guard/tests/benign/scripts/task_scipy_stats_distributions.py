import numpy as np
from scipy import stats

for dist, args in [(stats.norm, (0, 1)), (stats.expon, ()), (stats.gamma, (2,)), (stats.beta, (2, 5)), (stats.t, (4,))]:
    frozen = dist(*args)
    mean, var, skew, kurt = (float(v) for v in frozen.stats(moments="mvsk"))
    print(f"{dist.name:<7} mean={mean:.3f} var={var:.3f} q95={frozen.ppf(0.95):.3f} sf(1)={frozen.sf(1):.4f}")
print(stats.binom.pmf(range(4), 3, 0.5), stats.poisson(3).cdf(2).round(4), stats.hypergeom(20, 7, 12).mean())

rng = np.random.default_rng(21)
sample = stats.weibull_min(1.8, scale=5).rvs(400, random_state=rng)
shape, loc, scale = stats.weibull_min.fit(sample, floc=0)
print(f"Weibull fit: shape {shape:.2f}, scale {scale:.2f}")
ks = stats.kstest(sample, stats.weibull_min(shape, loc, scale).cdf)
print(f"KS p = {ks.pvalue:.2f}")
a, b = rng.normal(0, 1, 40), rng.normal(0.6, 1, 45)
for test in (stats.ttest_ind, stats.mannwhitneyu, stats.ks_2samp, stats.levene):
    r = test(a, b)
    print(f"{test.__name__:<13} statistic={r.statistic:.3f} p={r.pvalue:.4f}")
print("ANOVA:", stats.f_oneway(a, b, a + 0.2).pvalue.round(4), "Kruskal:", stats.kruskal(a, b).pvalue.round(4))
print("pearson:", np.round(stats.pearsonr(a, b[:40]), 3), "kendall:", round(stats.kendalltau(a, b[:40]).statistic, 3))
print(stats.zscore([1, 2, 3]).round(3), stats.iqr(a).round(3), stats.entropy([0.5, 0.5]).round(4), stats.rankdata([3, 1, 3]))
kde = stats.gaussian_kde(a)
print("kde(0) = %.3f" % kde(0)[0], stats.describe(a).nobs, stats.mode([1, 2, 2]).mode, stats.trim_mean(a, 0.1).round(3))
mvn = stats.multivariate_normal([0, 0], [[1, 0.5], [0.5, 2]])
print(mvn.pdf([0, 0]).round(4), mvn.rvs(3, random_state=1).shape)
