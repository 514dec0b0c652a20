"""Distributions of one's own: a wedge, a clipped wait, a loaded die; their samplers, fits and random engines."""
import numpy as np
from scipy import stats
from scipy.stats import bootstrap, goodness_of_fit, monte_carlo_test, permutation_test, qmc, rv_continuous, rv_discrete, rv_histogram
from scipy.stats.sampling import DiscreteAliasUrn, NumericalInversePolynomial, TransformedDensityRejection


class Wedge(rv_continuous):
    """Density that falls in a straight line from height + 1/2 ... to its end at one."""

    def _argcheck(self, tilt):
        return (tilt >= -1) & (tilt <= 1)

    def _get_support(self, tilt):
        return 0.0, 1.0

    def _pdf(self, x, tilt):
        return 1 + tilt * (1 - 2 * x)

    def _cdf(self, x, tilt):
        return x + tilt * x * (1 - x)

    def _stats(self, tilt, moments="mv"):
        mean = 0.5 - tilt / 6
        return mean, 1 / 3 - tilt / 6 - mean**2, None, None


class Waiting(rv_continuous):
    def _pdf(self, x, limit):
        return np.exp(-x) / -np.expm1(-limit)

    def _get_support(self, limit):
        return 0.0, limit

    def _ppf(self, q, limit):
        return -np.log1p(q * np.expm1(-limit))

    def _rvs(self, limit, size=None, random_state=None):
        return self._ppf(random_state.uniform(size=size), limit)


class Loaded(rv_discrete):
    def _pmf(self, k, load):
        return np.where(k == 6, load, (1 - load) / 5)


class Steps(qmc.QMCEngine):
    """Even steps of an irrational number."""

    def __init__(self, d, seed=None):
        super().__init__(d=d, seed=seed)
        self.speeds = np.sqrt(np.array([2.0, 3.0, 5.0])[:d])

    def _random(self, n=1, *, workers=1):
        at = np.arange(self.num_generated, self.num_generated + n)[:, None]
        return (at * self.speeds + 0.25) % 1

    def reset(self):
        super().reset()
        return self


class Bump:
    """What a sampler needs of a density."""

    def pdf(self, x):
        return np.exp(-(x**2) * 2) * (1 + 0.2 * x * x)

    def dpdf(self, x):
        return np.exp(-(x**2) * 2) * (0.4 * x - 4 * x * (1 + 0.2 * x * x))


wedge, waiting, loaded = Wedge(name="wedge"), Waiting(name="waiting", shapes="limit"), Loaded(a=1, b=6, name="loaded", shapes="load")
print(wedge.shapes, round(wedge.mean(0.6), 4), round(float(wedge.cdf(0.5, 0.6)), 4), wedge.support(0.5), np.isnan(wedge.pdf(0.5, 3)))
print(np.round(waiting.rvs(2.0, size=4, random_state=5), 3), round(waiting.ppf(0.5, 2.0), 4), round(waiting.expect(lambda x: x**2, args=(2.0,)), 4))
print(np.round(loaded.pmf(np.arange(1, 7), 0.3), 2), round(loaded.mean(0.3), 2), loaded.rvs(0.3, size=5, random_state=1).max() <= 6)
frozen = wedge(0.4)
print(round(frozen.std(), 4), frozen.interval(0.8), np.round(wedge.fit(frozen.rvs(200, random_state=2), floc=0, fscale=1)[0]) in (0.0, 1.0))
shapes = rv_histogram(np.histogram([1, 2, 2, 3, 9], bins=4), density=False)
print(round(float(shapes.pdf(2)), 3), shapes.mean() > 0)
engine = Steps(2, seed=1)
print(engine.random(3).round(3).tolist(), engine.fast_forward(2).num_generated, qmc.discrepancy(engine.reset().random(16)) < 0.2)
print(qmc.scale(qmc.Halton(2, scramble=False).random(2), [0, 10], [1, 20]).tolist(), qmc.LatinHypercube(3, seed=0).random(4).shape)
sampler = TransformedDensityRejection(Bump(), random_state=np.random.default_rng(3))
print(abs(sampler.rvs(500).mean()) < 0.2, NumericalInversePolynomial(Bump(), random_state=1).rvs(3).shape, DiscreteAliasUrn([0.2, 0.8], random_state=1).rvs(4).tolist())
rng = np.random.default_rng(14)
times = rng.gamma(2, 3, 60)
ci = bootstrap((times,), np.median, n_resamples=300, method="percentile", rng=rng) if "rng" in bootstrap.__doc__ else bootstrap((times,), np.median, n_resamples=300, method="percentile", random_state=rng)
print(ci.confidence_interval.low < np.median(times) < ci.confidence_interval.high)
swap = permutation_test((times[:30], times[30:]), lambda a, b, axis=-1: a.mean(axis) - b.mean(axis), vectorized=True, n_resamples=200)
print(0 <= swap.pvalue <= 1, monte_carlo_test(times, rng.standard_normal, stats.skew, n_resamples=100).pvalue <= 1, goodness_of_fit(stats.norm, times, statistic="ks", n_mc_samples=50).pvalue < 1)
