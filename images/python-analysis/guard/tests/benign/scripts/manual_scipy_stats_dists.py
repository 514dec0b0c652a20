import numpy as np
from scipy import stats
from scipy.stats import bootstrap, goodness_of_fit, monte_carlo_test, permutation_test, qmc, rv_continuous, rv_discrete, rv_histogram
from scipy.stats.sampling import TransformedDensityRejection, NumericalInversePolynomial, RatioUniforms

class deterministic_gen(stats.rv_continuous):

    def _cdf(self, x):
        return np.where(x < 0, 0.0, 1.0)

    def _stats(self):
        return (0.0, 0.0, 0.0, 0.0)
d = deterministic_gen(name='deterministic')
print(d.cdf(np.arange(-3, 3, 0.5)), d.stats())

class triangle_gen(rv_continuous):
    """My triangle."""

    def _argcheck(self, c):
        return (c > 0) & (c < 1)

    def _pdf(self, x, c):
        return np.where(x < c, 2 * x / c, 2 * (1 - x) / (1 - c))

    def _get_support(self, c):
        return (0.0, 1.0)

    def _rvs(self, c, size=None, random_state=None):
        return random_state.triangular(0, c, 1, size)

    def fit(self, data, *args, **kwds):
        return super().fit(data, *args, floc=0, fscale=1, **kwds)
tri = triangle_gen(a=0.0, b=1.0, name='mytri', shapes='c')
print(np.round(tri.cdf(0.5, 0.3), 3), np.round(tri(0.4).ppf([0.1, 0.9]), 3), np.round(tri.rvs(0.5, size=3, random_state=1), 3), np.round(tri.expect(args=(0.3,)), 3), np.round(tri.fit(tri.rvs(0.3, size=50, random_state=2))[0], 1))
custm = stats.rv_discrete(name='custm', values=(np.arange(7), (0.1, 0.2, 0.3, 0.1, 0.1, 0.0, 0.2)))
print(custm.pmf(3), custm.rvs(size=4, random_state=1), np.round(rv_histogram(np.histogram([1, 2, 2, 3], bins=3)).pdf(2.0), 2))

class StdNorm:

    def pdf(self, x):
        return np.exp(-0.5 * x * x)

    def dpdf(self, x):
        return -x * np.exp(-0.5 * x * x)

    def cdf(self, x):
        return stats.norm.cdf(x)
rng = TransformedDensityRejection(StdNorm(), random_state=np.random.default_rng(1))
print(rng.rvs(2).shape, np.round(NumericalInversePolynomial(StdNorm(), random_state=1).ppf(0.975), 2))
data = (stats.norm.rvs(size=40, random_state=0),)
print(np.round(bootstrap(data, np.std, confidence_level=0.9, random_state=1, n_resamples=200).confidence_interval.low, 2))
print(np.round(permutation_test((data[0][:20], data[0][20:]), lambda x, y, axis: np.mean(x, axis=axis) - np.mean(y, axis=axis), vectorized=True, n_resamples=99, random_state=1).pvalue, 2), monte_carlo_test(data[0], stats.norm.rvs if False else lambda size: np.random.default_rng(1).normal(size=size), stats.skew, n_resamples=99).pvalue > 0)
s = qmc.Sobol(d=2, scramble=False)
print(s.random_base2(2), np.round(qmc.discrepancy(s.random(4)), 3), np.round(qmc.scale(qmc.LatinHypercube(2, seed=1).random(2), [0, 0], [2, 5]), 1))

class RandomEngine(qmc.QMCEngine):

    def __init__(self, d, seed=None):
        super().__init__(d=d, seed=seed)

    def _random(self, n=1, *, workers=1):
        return self.rng.random((n, self.d))

    def reset(self):
        super().__init__(d=self.d, seed=self.rng_seed)
        return self
print(np.round(RandomEngine(2, seed=3).random(2), 2))
print(stats.describe(data[0]), np.round(stats.multivariate_normal([0, 0]).logpdf([1, 1]), 3), stats.wishart.rvs(3, np.eye(2), random_state=1).shape, np.round(stats.gaussian_kde(data[0]).integrate_box_1d(-1, 1), 2), stats.ecdf(data[0]).cdf.evaluate(0), np.round(stats.anderson(data[0]).statistic, 2), stats.ks_2samp(data[0], data[0] + 0.1), stats.Mixture if False else '')
print(stats.binned_statistic([1, 2, 3.5], [10, 20, 30], statistic=lambda v: np.ptp(v) if len(v) else 0, bins=2), np.round(stats.trim_mean(data[0], 0.1), 3), np.round(stats.boxcox(np.exp(data[0]))[1], 2), stats.theilslopes([1, 2, 4]), np.round(stats.tukey_hsd([1, 2, 3], [4, 5, 6.5]).pvalue, 3)[0, 1], stats.false_discovery_control([0.01, 0.2]), np.round(stats.sobol_indices(func=lambda x: x[0] + x[1], n=64, dists=[stats.uniform(), stats.uniform()], random_state=1).first_order, 1))
dist = getattr(stats, 'lognorm')
print([getattr(stats, n)(2).mean() for n in ('expon', 'poisson')], dist.name, stats.norm.__class__.__name__, isinstance(stats.norm, stats.rv_continuous), [x.name for x in (stats.t, stats.f)], stats.norm.numargs, dist.shapes)
