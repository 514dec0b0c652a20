import numpy as np, pandas as pd, warnings
warnings.simplefilter('ignore')
from scipy import stats, special, integrate
from statsmodels.distributions.copula.api import CopulaDistribution, GumbelCopula, IndependenceCopula, ClaytonCopula, FrankCopula, GaussianCopula, StudentTCopula, ArchimedeanCopula, ExtremeValueCopula
from statsmodels.distributions.copula.transforms import Transforms, TransfFrank
from statsmodels.distributions.copula.other_copulas import rvs_kernel
from statsmodels.distributions.empirical_distribution import ECDF, StepFunction, monotone_fn_inverter, ECDFDiscrete
from statsmodels.distributions.discrete import genpoisson_p, zipoisson, zinegbin, zigenpoisson, truncatedpoisson, truncatednegbin, DiscretizedCount
from statsmodels.distributions.edgeworth import ExpandedNormal
from statsmodels.distributions.bernstein import BernsteinDistribution, BernsteinDistributionBV

class Gompertz2(stats.rv_continuous):
    """shape b, rate a"""

    def _argcheck(self, a, b):
        return (a > 0) & (b > 0)

    def _pdf(self, x, a, b):
        return a * np.exp(b * x - a / b * np.expm1(b * x))

    def _cdf(self, x, a, b):
        return -np.expm1(-a / b * np.expm1(b * x))

    def _ppf(self, q, a, b):
        return np.log1p(-b / a * np.log1p(-q)) / b

    def _get_support(self, a, b):
        return (0, np.inf)

    def _fitstart(self, data):
        return (1.0, 1.0, 0.0, 1.0)

class Zipf3(stats.rv_discrete):

    def _pmf(self, k, s):
        k = np.asarray(k)
        w = np.arange(1, 4) ** (-float(np.ravel(s)[0]))
        return k ** (-s) / w.sum()

class Pareto2(stats.rv_continuous):

    def _shape_info(self):
        return []

    def _logpdf(self, x):
        return np.log(2) - 3 * np.log(x)

    def _pdf(self, x):
        return np.exp(self._logpdf(x))

    def _stats(self):
        return (2.0, np.inf, None, None)

    def _rvs(self, size=None, random_state=None):
        return random_state.uniform(size=size) ** (-0.5)

    def _entropy(self):
        return np.log(1 / 2) + 1.5

def main():
    u = np.array([[0.2, 0.3], [0.6, 0.8]])
    for c in (ClaytonCopula(theta=2), FrankCopula(theta=4), GumbelCopula(theta=1.5), GaussianCopula(corr=0.5), StudentTCopula(corr=0.4, df=4), IndependenceCopula()):
        print(type(c).__name__, c.pdf(u).round(3), c.cdf(u).round(3) if not isinstance(c, StudentTCopula) else '-', round(float(c.tau()), 3) if hasattr(c, 'tau') and (not isinstance(c, IndependenceCopula)) else '', c.rvs(3, random_state=1).shape)
    j = CopulaDistribution(copula=GumbelCopula(theta=2), marginals=[stats.gamma(2), stats.norm])
    s = j.rvs(200, random_state=np.random.default_rng(1))
    print(s.mean(0).round(2), j.pdf([[1, 0.0]]).round(3), j.cdf([[2.0, 0.5]]).round(3))
    print(round(GumbelCopula().fit_corr_param(s), 2), ClaytonCopula().theta_from_tau(0.5))
    a = ArchimedeanCopula(TransfFrank(), args=(3.0,)) if False else None
    g = Gompertz2(name='gompertz2', shapes='a, b')
    f = g(0.1, 0.5)
    print(f.mean().round(3), f.std().round(3), f.ppf([0.1, 0.5, 0.9]).round(3), f.sf(2.0).round(4), f.interval(0.9), g.expect(lambda x: x ** 2, args=(0.1, 0.5)).round(3), round(float(g.moment(1, 0.1, 0.5)), 3))
    r = f.rvs(size=100, random_state=4)
    print(np.round(g.fit(r, floc=0, fscale=1), 2), g.nnlf((0.1, 0.5, 0, 1), r).round(2), stats.kstest(r, g.cdf, args=(0.1, 0.5)).pvalue.round(3))
    print(stats.kstest(r, lambda x: g.cdf(x, 0.1, 0.5)).statistic.round(3))
    p = Pareto2(a=1, name='pareto2')
    print(p.cdf(2.0).round(3), p.rvs(size=3, random_state=1).round(2), p.mean(), p.entropy())
    z = Zipf3(a=1, b=3, name='zipf3', shapes='s')
    print(z.pmf([1, 2, 3], 1.2).round(3), z.mean(1.2).round(3), z.rvs(1.2, size=4, random_state=1))
    cu = stats.rv_discrete(values=([0, 1, 4], [0.2, 0.5, 0.3]), name='cu')
    print(cu.mean(), cu.var().round(2), cu.rvs(size=5, random_state=2), cu.cdf(1))
    h = stats.rv_histogram(np.histogram(r, bins=10))
    print(h.mean().round(2), h.pdf(1.0).round(2))
    e = ECDF(r)
    print(e([1.0, 2.0]).round(2), e.x[1].round(2), e.y[-1], StepFunction(np.arange(3), np.arange(3))(1.5), monotone_fn_inverter(e, np.linspace(1, 4, 20))(0.5).round(2))
    print(genpoisson_p.pmf(2, 1.5, 0.2, 1).round(3), zipoisson.pmf([0, 1], 1.5, 0.2).round(3), zinegbin.rvs(1.5, 0.3, 1, 0.2, size=3, random_state=1).shape, truncatedpoisson.pmf(1, 2.0, 0).round(3) if True else '')
    dc = DiscretizedCount(stats.gamma)
    print(dc.pmf([0, 1], 2.0, 1.0).round(3) if True else '')
    en = ExpandedNormal([0, 1, 0.2, 0.1])
    print(en.pdf(np.array([0.0, 1])).round(3))
    x = np.linspace(0, 1, 11)
    bd = BernsteinDistribution(x ** 2)
    print(bd.cdf(np.array([0.5])).round(3))
    print(stats.fit(stats.norm, r, {'loc': (0, 10), 'scale': (0.1, 5)}).params)
    gof = stats.goodness_of_fit(stats.norm, r[:30], statistic='ad', n_mc_samples=50, random_state=1) if True else None
    print(gof.pvalue > 0)
    mv = stats.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]])
    print(mv.cdf([0, 0]).round(3), mv.rvs(2, random_state=1).round(2), stats.dirichlet([1, 2, 3]).mean().round(2), stats.wishart(3, np.eye(2)).rvs(random_state=1).shape, stats.multinomial(5, [0.2, 0.8]).pmf([1, 4]).round(3), stats.vonmises(2).std().round(2))
    b = stats.bootstrap((r,), np.median, n_resamples=199, method='BCa', random_state=1)
    print(b.confidence_interval.low.round(3), b.standard_error.round(3))
    pt = stats.permutation_test((r[:20], r[20:45]), lambda x, y, axis: np.mean(x, axis=axis) - np.mean(y, axis=axis), vectorized=True, n_resamples=99, random_state=1)
    print(pt.pvalue.round(2))
    mc = stats.monte_carlo_test(r[:30], stats.norm.rvs, lambda x, axis: stats.skew(x, axis), n_resamples=50)
    print(mc.null_distribution.shape)
main()
