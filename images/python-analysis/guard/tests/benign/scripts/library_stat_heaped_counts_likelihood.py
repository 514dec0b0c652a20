# # Cigarettes per day, heaped at multiples of ten
import numpy as np
import pandas as pd
from scipy import stats
from scipy.special import gammaln, expit, logit
from statsmodels.base.model import GenericLikelihoodModel

class HeapedPoisson(GenericLikelihoodModel):
    def __init__(self, endog, exog, grid=10, **kw):
        super().__init__(endog, exog, grid=grid, extra_params_names=["logit_heap"], **kw)
        self.grid = grid

    def _rounded(self, mu):
        y = self.endog
        lo, hi = y - self.grid / 2, y + self.grid / 2 - 1
        p = stats.poisson.cdf(hi, mu) - stats.poisson.cdf(lo - 1, mu)
        return np.where(y % self.grid == 0, p, 0)

    def nloglikeobs(self, params):
        mu = np.exp(self.exog @ params[:-1])
        h = expit(params[-1])
        like = (1 - h) * stats.poisson.pmf(self.endog, mu) + h * self._rounded(mu)
        return -np.log(np.clip(like, 1e-300, None))

    def predict(self, params, exog=None, *args, **kwargs):
        exog = self.exog if exog is None else exog
        return np.exp(exog @ np.asarray(params)[:exog.shape[1]])

class ZTPoisson(GenericLikelihoodModel):
    start_params = None
    def loglike(self, params):
        return self.loglikeobs(params).sum()
    def loglikeobs(self, params):
        lam = np.exp(np.dot(self.exog, params))
        return self.endog * np.log(lam) - lam - gammaln(self.endog + 1) - np.log1p(-np.exp(-lam))
    def score(self, params):
        lam = np.exp(self.exog @ params)
        return self.exog.T @ (self.endog - lam / -np.expm1(-lam))

rng = np.random.default_rng(1001)
n = 700
x = np.column_stack([np.ones(n), rng.binomial(1, .5, n)])
true = rng.poisson(np.exp(x @ [2.5, .3]))
heap = rng.random(n) < .4
y = np.where(heap, (np.floor(true / 10 + .5) * 10).astype(int), true)
print(pd.Series(y).value_counts().head())
m = HeapedPoisson(y, x)
r = m.fit(start_params=[2, 0, 0], method="bfgs", disp=False)
print(r.summary(xname=["const", "male", "logit_heap"]))
print("heaping", expit(r.params[-1]).round(2), "means", np.unique(r.predict().round(1)))
print(r.llf.round(1), r.nobs, r.df_resid)
f = m.fit(start_params=r.params, method="newton", disp=0)
print(np.allclose(f.params, r.params, atol=1e-3))
k = true[true > 0]
z = ZTPoisson(k, x[true > 0])
zr = z.fit(start_params=[1., 0.], method="bfgs", disp=0)
print(zr.params.round(2), zr.conf_int().round(2).tolist())
print(zr.summary().tables[1].as_html()[:40])
print(np.round(z.hessian(zr.params), 0).shape, z.score(zr.params).round(2).shape)
print(np.round(zr.cov_params(), 4).shape)
