# # Distributions that scipy does not have
import numpy as np
import matplotlib.pyplot as plt
from scipy import stats, special, integrate
from scipy.stats import rv_continuous, rv_discrete, rv_histogram

class kumaraswamy_gen(rv_continuous):
    """F(x) = 1 - (1 - x^a)^b on (0, 1)"""
    def _argcheck(self, a, b):
        return (a > 0) & (b > 0)
    def _pdf(self, x, a, b):
        return a * b * x ** (a - 1) * (1 - x ** a) ** (b - 1)
    def _cdf(self, x, a, b):
        return 1 - (1 - x ** a) ** b
    def _ppf(self, q, a, b):
        return (1 - (1 - q) ** (1 / b)) ** (1 / a)
    def _stats(self, a, b):
        m = lambda k: b * special.beta(1 + k / a, b)
        return m(1), m(2) - m(1) ** 2, None, None
    def _fitstart(self, data, args=None):
        return super()._fitstart(data, args=(1.5, 1.5))

kuma = kumaraswamy_gen(a=0., b=1., name="kumaraswamy", shapes="a, b")
k = kuma(2., 3.)
print(k.mean().round(4), k.std().round(4), k.ppf([.1, .5, .9]).round(4), k.interval(.9))
x = kuma.rvs(2, 3, size=800, random_state=42)
a, b, loc, scale = kuma.fit(x, floc=0, fscale=1)
print("fit", round(a, 2), round(b, 2), loc, scale)
print(stats.kstest(x, kuma.cdf, args=(a, b)).pvalue.round(3), kuma.nnlf((a, b, 0, 1), x).round(2), kuma.numargs, kuma.shapes)
print(integrate.quad(lambda t: kuma.pdf(t, 2, 3), 0, 1)[0], kuma.expect(lambda t: t ** 2, args=(2, 3)).round(4), k.moment(3).round(4), k.entropy().round(3))

class hazard_gen(rv_continuous):
    "from a hazard that is a bathtub: only _pdf and _sf are given"
    def _sf(self, x, c):
        return np.exp(-(np.sqrt(x) + c * x ** 2))
    def _cdf(self, x, c):
        return 1 - self._sf(x, c)
    def _pdf(self, x, c):
        return (.5 / np.sqrt(x) + 2 * c * x) * self._sf(x, c)
bath = hazard_gen(a=0, name="bathtub")
print(bath(.1).median().round(4), bath.mean(.1).round(4), bath.sf(2, .1).round(4), bath.isf(.05, c=.1).round(3))
print(bath.rvs(.1, size=3, random_state=np.random.default_rng(1)).round(3))
print(bath.logpdf(1., .1).round(4), bath.logsf(1., .1).round(4))

class zip_gen(rv_discrete):
    def _pmf(self, k, mu, pi):
        return np.where(k == 0, pi + (1 - pi) * np.exp(-mu), (1 - pi) * stats.poisson.pmf(k, mu))
    def _argcheck(self, mu, pi):
        return (mu > 0) & (0 <= pi) & (pi < 1)
    def _rvs(self, mu, pi, size=None, random_state=None):
        return random_state.poisson(mu, size) * (random_state.random(size) >= pi)
zp = zip_gen(name="zip")
print(zp.pmf(np.arange(4), 2., .3).round(4), zp.mean(2., .3).round(3), zp.var(2., .3).round(3), zp.cdf(3, 2., .3).round(4))
print(np.bincount(zp.rvs(2., .3, size=1000, random_state=3))[:4], zp.ppf(.8, 2., .3))
die = rv_discrete(name="loaded", values=(np.arange(1, 7), [.1, .1, .1, .1, .1, .5]))
print(die.mean(), die.pmf(6), die.rvs(size=5, random_state=0), die.support())
h = rv_histogram(np.histogram(x, bins=20), density=False)
print(h.cdf(.5).round(3), h.ppf(.9).round(3))
names = ["norm", "gamma", "lognorm", "weibull_min"]
dat = stats.gamma.rvs(2.2, scale=3, size=400, random_state=5)
tab = []
for nm in names:
    dist = getattr(stats, nm)
    par = dist.fit(dat) if nm == "norm" else dist.fit(dat, floc=0)
    tab.append((nm, dist.logpdf(dat, *par).sum(), stats.kstest(dat, nm, par).statistic))
for row in sorted(tab, key=lambda r: -r[1]):
    print("%-12s %9.2f %6.3f" % row)
print(stats.fit(stats.gamma, dat, bounds={"a": (.1, 10), "scale": (.1, 20)}).params)
fig, ax = plt.subplots()
xs = np.linspace(.001, .999, 200)
for p in [(.5, .5), (2, 3), (5, 1)]:
    ax.plot(xs, kuma.pdf(xs, *p), label="a=%g b=%g" % p)
ax.legend(); ax.set_ylim(0, 4)
