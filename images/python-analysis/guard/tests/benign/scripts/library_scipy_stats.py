import warnings
warnings.filterwarnings('ignore')
import numpy as np, pandas as pd
from dataclasses import dataclass
from scipy import stats
from scipy.stats import ttest_ind, ttest_rel, ttest_1samp, mannwhitneyu, wilcoxon, kruskal, f_oneway, chi2_contingency, fisher_exact, pearsonr, spearmanr, kendalltau, linregress, shapiro, normaltest, anderson, levene, bartlett, fligner, ks_2samp, kstest, friedmanchisquare, binomtest, norm, zscore, iqr, sem, trim_mean, gmean, hmean, rankdata, percentileofscore, theilslopes, siegelslopes, pointbiserialr, somersd, weightedtau, boxcox, yeojohnson, tukey_hsd, dunnett, alexandergovern, brunnermunzel, mood, ansari, ranksums, epps_singleton_2samp, cramervonmises, cramervonmises_2samp, barnard_exact, boschloo_exact, combine_pvalues, false_discovery_control, bayes_mvs, mvsdist, gaussian_kde, ecdf, logrank, CensoredData, qmc, sampling, contingency, circmean, circstd, entropy, differential_entropy, energy_distance, wasserstein_distance, moment, skew, kurtosis, describe, mode, median_abs_deviation, relfreq, cumfreq, binned_statistic, binned_statistic_2d, probplot, expectile, page_trend_test, poisson_means_test, multiscale_graphcorr, rv_continuous, rv_discrete, rv_histogram, random_correlation, ortho_group, matrix_normal, multivariate_t, permutation_test, bootstrap, monte_carlo_test, power, make_distribution, Normal, Uniform, Mixture, truncate, order_statistic, quantile_test, bws_test, chatterjeexi, sigmaclip, trimboth, BootstrapMethod, PermutationMethod, MonteCarloMethod, goodness_of_fit
from scipy.stats import mstats, distributions
from scipy.stats.mstats import winsorize, mquantiles
from scipy.stats.contingency import association, crosstab, odds_ratio, relative_risk, expected_freq, margins

@dataclass(frozen=True, order=True)
class Outcome:
    p: float
    name: str
    stat: float

    def stars(self):
        return '***' if self.p < 0.001 else '**' if self.p < 0.01 else '*' if self.p < 0.05 else ''

class Skewed(rv_continuous):
    """a triangular-like density on [0, 1]"""

    def _pdf(self, x, k):
        return (k + 1) * x ** k

    def _cdf(self, x, k):
        return x ** (k + 1)

    def _ppf(self, q, k):
        return q ** (1 / (k + 1))

    def _argcheck(self, k):
        return k > -1

    def _munp(self, n, k):
        return (k + 1) / (k + n + 1)

class Biased(rv_discrete):

    def _pmf(self, k, p):
        return np.where(k == 1, p, 1 - p)

    def _cdf(self, k, p):
        return np.where(k < 0, 0, np.where(k < 1, 1 - p, 1))

class Kde2(gaussian_kde):

    def __init__(self, d, s=0.5):
        self.s = s
        super().__init__(d)

    def covariance_factor(self):
        return self.scotts_factor() * self.s

class NewStyle:
    parameters = {'a': {'endpoints': (0, np.inf)}}
    support = (0, 1)

    def pdf(self, x, a):
        return a * x ** (a - 1)

    def cdf(self, x, a):
        return x ** a

class StdPoly:

    def pdf(self, x):
        return 0.05 + 0.45 * (1 + np.sin(2 * np.pi * x))

    def dpdf(self, x):
        return 0.2 * 0.45 * 2 * np.pi * np.cos(2 * np.pi * x)

    def cdf(self, x):
        return 0.05 * (x + 1) + 0.9 * (1 + 2 * np.pi * (1 + x) - np.cos(2 * np.pi * x)) / (4 * np.pi)

    def support(self):
        return (-1, 1)

def main():
    rng = np.random.default_rng(3)
    a, b, c = (rng.normal(0, 1, 30), rng.normal(0.6, 1.4, 35), rng.normal(0.2, 1, 30))
    out = []
    for f, args in ((ttest_ind, (a, b)), (mannwhitneyu, (a, b)), (kruskal, (a, b, c)), (f_oneway, (a, b, c)), (levene, (a, b)), (bartlett, (a, b)), (fligner, (a, b)), (ks_2samp, (a, b)), (wilcoxon, (a, c)), (ttest_rel, (a, c)), (friedmanchisquare, (a, b[:30], c)), (brunnermunzel, (a, b)), (mood, (a, b)), (ansari, (a, b)), (ranksums, (a, b)), (epps_singleton_2samp, (a, b)), (cramervonmises_2samp, (a, b)), (alexandergovern, (a, b, c)), (bws_test, (a, b)), (shapiro, (a,)), (normaltest, (b,)), (pearsonr, (a, c)), (spearmanr, (a, c)), (kendalltau, (a, c)), (chatterjeexi, (a, c)), (cramervonmises, (a, 'norm')), (kstest, (a, 'norm')), (kstest, (a, norm(0, 1).cdf))):
        r = f(*args)
        out.append(Outcome(float(r.pvalue), f.__name__, float(np.ravel(r.statistic)[0])))
    for o in sorted(out):
        print(f'{o.name:<22}{o.stat:>10.4f}{o.p:>9.4f} {o.stars()}')
    r = ttest_ind(a, b, equal_var=False, alternative='less')
    print(r.df.round(2), r.confidence_interval(0.95), r._fields if hasattr(r, '_fields') else '')
    print(ttest_ind(a, b, permutations=99, random_state=1).pvalue, ttest_ind(a, b, trim=0.1).pvalue.round(4), pearsonr(a, c).confidence_interval(0.9), pearsonr(a, c, method=PermutationMethod(n_resamples=99, rng=np.random.default_rng(1)) if True else None).pvalue)
    t, p = ttest_1samp(a, 0)
    print(round(t, 3))
    chi2, p, dof, ex = chi2_contingency([[10, 20], [30, 5]])
    print(round(chi2, 3), dof, ex)
    print(fisher_exact([[1, 9], [11, 3]]), barnard_exact([[1, 9], [11, 3]]).pvalue.round(4), boschloo_exact([[1, 9], [11, 3]]).pvalue.round(4), binomtest(7, 20, 0.5).proportion_ci(method='wilson'), association(np.array([[10, 20], [30, 5]]), method='cramer'), odds_ratio([[10, 20], [30, 5]]).confidence_interval(), relative_risk(10, 30, 5, 35).confidence_interval(), crosstab(['a', 'b'], ['x', 'y']).count)
    lr = linregress(a, c)
    print(lr.slope.round(3), lr.intercept_stderr.round(3), lr)
    print(theilslopes(c, a)[:2], siegelslopes(c, a))
    print(anderson(a).critical_values, boxcox(np.exp(a))[1].round(3), yeojohnson(a)[1].round(3))
    print(tukey_hsd(a, b, c))
    print(tukey_hsd(a, b, c).confidence_interval().low.round(2))
    print(dunnett(a, b, control=c, random_state=1).pvalue.round(3))
    print(combine_pvalues([0.01, 0.2, 0.3], 'stouffer'), false_discovery_control([0.01, 0.02, 0.2]).round(3), bayes_mvs(a)[0], describe(a), mode([1, 2, 2]), zscore(a)[:2].round(3), sem(a).round(3), trim_mean(a, 0.1).round(3), gmean([1, 4]), winsorize(a, (0.1, 0.1)).max().round(3), mquantiles(a).round(3), sigmaclip(a)[1].round(2), median_abs_deviation(a, scale='normal').round(3), circmean([0.1, 6.2]).round(3), entropy([0.5, 0.5]).round(3), wasserstein_distance(a, b).round(3), energy_distance(a, b).round(3), differential_entropy(a).round(3), binned_statistic(a, c, statistic=lambda v: np.ptp(v) if len(v) else 0, bins=3)[0].round(2), binned_statistic_2d(a, c, None, 'count', 2)[0], expectile(a, 0.3).round(3), rankdata([3, 1, 2, 2]), percentileofscore(a, 0).round(1))
    e = ecdf(CensoredData.right_censored(np.abs(a) + 1, a > 0.5))
    print(e.sf.quantiles[:2].round(3), e.sf.probabilities[:2].round(3), e.sf.confidence_interval().low.probabilities[:2].round(3))
    print(logrank(CensoredData(np.abs(a)), CensoredData(np.abs(b))).pvalue.round(3))
    print(norm.fit(a), stats.gamma.fit(np.abs(a), floc=0), stats.weibull_min(1.5).rvs(2, random_state=1).round(3), getattr(stats, 'lognorm')(s=1).ppf(0.9).round(3))
    k = Kde2(a)
    print(k(0.0).round(3), k.integrate_box_1d(-1, 1).round(3), k.resample(2, seed=1).shape, gaussian_kde(np.vstack([a, c]), bw_method=lambda s: 0.4).evaluate([[0], [0]]).round(3))
    s = Skewed(a=0, b=1, name='skewed')
    print(s.mean(2), s.rvs(2, size=3, random_state=1).round(3), s.fit(s.rvs(2, size=50, random_state=2), floc=0, fscale=1)[0].round(1), s(2).interval(0.9), s.pdf(0.5, 2), s.shapes, s.numargs, s.freeze(2).median().round(3))
    print(Biased(a=0, b=1, name='biased').rvs(0.3, size=5, random_state=1), Biased(name='b2', a=0, b=1)(0.3).stats('mv'))
    X = Normal(mu=1.0, sigma=2.0)
    print(X, X.mean(), X.cdf(1.0), X.sample(2, rng=np.random.default_rng(1)).round(2), (X * 2 + 1).standard_deviation(), truncate(X, 0, 2).mean().round(3), Mixture([Normal(), Uniform(a=0, b=1)], weights=[0.5, 0.5]).mean().round(3), order_statistic(Normal(), r=2, n=3).mean().round(3), stats.exp(Normal()).median() if hasattr(stats, 'exp') else '')
    D = make_distribution(stats.gamma)
    print(D(a=2.0).mean().round(3), D.__name__)
    u = sampling.NumericalInversePolynomial(StdPoly(), random_state=1)
    print(u.rvs(2).round(2), sampling.TransformedDensityRejection(norm if False else type('N', (), {'pdf': lambda s, x: np.exp(-0.5 * x * x), 'dpdf': lambda s, x: -x * np.exp(-0.5 * x * x)})(), random_state=1).rvs(2).round(2), sampling.RatioUniforms(norm.pdf, umax=np.sqrt(norm.pdf(0)), vmin=-0.7, vmax=0.7, random_state=1).rvs(2).shape, sampling.FastGeneratorInversion(stats.gamma(2)).rvs(1).shape)

    class Mid(qmc.QMCEngine):

        def __init__(self, d, seed=None):
            super().__init__(d=d, seed=seed)

        def _random(self, n=1, *, workers=1):
            return (np.arange(n)[:, None] + 0.5) / n * np.ones((1, self.d))
    print(Mid(2).random(2))
    print(bootstrap((a, b), lambda x, y, axis=-1: np.mean(x, axis) - np.mean(y, axis), n_resamples=99, rng=1).confidence_interval.high.round(2), power(ttest_ind, (lambda size: np.random.default_rng(1).normal(size=size), lambda size: np.random.default_rng(2).normal(1, 1, size)), (20, 20), n_resamples=20).power if True else '', goodness_of_fit(norm, a, n_mc_samples=20, rng=1).pvalue > 0, quantile_test(a, q=0, p=0.5).pvalue.round(3), poisson_means_test(3, 20, 5, 25).pvalue.round(3), page_trend_test(rng.integers(0, 9, (5, 3))).pvalue.round(2), mstats.kruskalwallis(a, b).pvalue.round(3), mstats.trimmed_mean(a, 0.1).round(3), multivariate_t([0, 0]).pdf([0, 0]).round(3), random_correlation.rvs((0.5, 1.5), random_state=1).shape, ortho_group.rvs(2, random_state=1).shape)
    for name in ('norm', 'expon', 'gamma', 'beta', 'lognorm', 'weibull_min', 'logistic', 't'):
        d = getattr(stats, name)
        pars = d.fit(np.abs(a) / 4 + 0.01)
        print(name, stats.kstest(np.abs(a) / 4 + 0.01, name, args=pars)[1].round(2), d.name, d.shapes)
    print([n for n in dir(distributions) if n.startswith('n') and isinstance(getattr(distributions, n), stats.rv_continuous)][:4], pd.DataFrame([vars(o) if hasattr(o, '__dict__') else 0 for o in out]).head(2).round(3).to_string())
    fig = probplot(a, dist=stats.loggamma, sparams=(2.5,), fit=True)[1]
    print(np.round(fig, 2))
    s, pp = stats.ppcc_plot(np.abs(a) + 1, -2, 2, N=3)
    print(pp.round(2))
if __name__ == '__main__':
    main()
