import numpy as np
import statsmodels.api as sm
from scipy import stats

rng = np.random.default_rng(11)
pvalues = np.array([stats.ttest_ind(rng.normal(0.3 * (i < 3), 1, 40), rng.normal(0, 1, 40)).pvalue for i in range(12)])
for method in ("bonferroni", "holm", "fdr_bh"):
    reject, adjusted, *_ = sm.stats.multipletests(pvalues, alpha=0.05, method=method)
    print(f"{method:<12}{int(reject.sum()):>3} {np.sort(adjusted)[:3].round(4)}")
power = sm.stats.TTestIndPower()
print(round(power.solve_power(effect_size=0.5, alpha=0.05, power=0.8), 2))
print(sm.stats.proportions_ztest([40, 55], [100, 100])[1].round(4), sm.stats.proportion_confint(40, 100, method="wilson"))
print(sm.stats.DescrStatsW(visits["sbp"].dropna()).tconfint_mean())
print(sm.stats.diagnostic.het_breuschpagan(rng.normal(size=50), sm.add_constant(rng.normal(size=50)))[1] <= 1)
print(stats.norm.ppf(0.975).round(3), stats.binom.pmf(3, 10, 0.5).round(4), stats.expon(scale=2).mean(), stats.t(5).sf(2).round(4))
print(stats.gaussian_kde(visits["sbp"].dropna())(120).round(4), stats.zscore([1, 2, 3]).round(3), stats.iqr([1, 2, 3, 4]))
