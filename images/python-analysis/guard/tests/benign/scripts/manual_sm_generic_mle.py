import numpy as np, pandas as pd
from scipy import stats, special
import statsmodels.api as sm
from statsmodels.base.model import GenericLikelihoodModel, GenericLikelihoodModelResults, LikelihoodModel, LikelihoodModelResults, Model, Results
from statsmodels.tools.numdiff import approx_hess, approx_fprime, approx_hess_cs, approx_fprime_cs
from statsmodels.tools.decorators import cache_readonly
from statsmodels.base.data import handle_data

class Beta(GenericLikelihoodModel):

    def __init__(self, endog, exog, Z=None, link=sm.families.links.Logit(), **kw):
        if Z is None:
            extra_names, Z = (['log-phi'], np.ones((len(endog), 1)))
        else:
            extra_names = ['log-phi-%s' % c for c in Z.columns]
            Z = np.asarray(Z)
        kw['extra_params_names'] = extra_names
        super().__init__(endog, exog, **kw)
        self.link, self.Z = (link, Z)
        self.exog_names.extend(extra_names) if False else None
        self.k_vars = self.exog.shape[1]
        self.nparams = self.exog.shape[1] + self.Z.shape[1]
        self.df_model = self.nparams - 1
        self.df_resid = len(endog) - self.nparams
        self._set_extra_params_names(extra_names)

    def nloglikeobs(self, params):
        return -self._ll(self.endog, self.exog, self.Z, params)

    def _ll(self, y, X, Z, params):
        b, g = (params[:X.shape[1]], params[X.shape[1]:])
        mu, phi = (self.link.inverse(X @ b), np.exp(Z @ g))
        a, c = (mu * phi, (1 - mu) * phi)
        return special.gammaln(phi) - special.gammaln(a) - special.gammaln(c) + (a - 1) * np.log(y) + (c - 1) * np.log(1 - y)

    def fit(self, start_params=None, maxiter=10000, maxfun=5000, disp=0, method='bfgs', **kw):
        if start_params is None:
            start_params = np.append(sm.OLS(self.link(self.endog), self.exog).fit().params, [0.5] * self.Z.shape[1])
        return super().fit(start_params=start_params, maxiter=maxiter, maxfun=maxfun, method=method, disp=disp, **kw)

class NBin(GenericLikelihoodModel):

    def nloglikeobs(self, params):
        alpha, beta = (params[-1], params[:-1])
        mu = np.exp(self.exog @ beta)
        size = 1 / alpha
        prob = size / (size + mu)
        return -stats.nbinom.logpmf(self.endog, size, prob)

    def fit(self, start_params=None, maxiter=10000, maxfun=5000, **kwds):
        self.exog_names.append('alpha')
        if start_params is None:
            start_params = np.append(np.zeros(self.exog.shape[1]), 0.5)
            start_params[-2] = np.log(self.endog.mean())
        return super().fit(start_params=start_params, maxiter=maxiter, maxfun=maxfun, **kwds)

class Weibull(GenericLikelihoodModel):
    _res_attrs = ()

    def __init__(self, endog, exog=None, event=None, **kwds):
        super().__init__(endog, exog, event=event, **kwds)
        self.event = event

    @property
    def start_params(self):
        return np.r_[np.zeros(self.exog.shape[1]), 0.1]

    @start_params.setter
    def start_params(self, v):
        pass

    def loglikeobs(self, params):
        b, ls = (params[:-1], params[-1])
        s = np.exp(ls)
        z = (np.log(self.endog) - self.exog @ b) / s
        return self.event * (z - ls - np.log(self.endog)) - np.exp(z)

    def score_obs(self, params, **kw):
        return approx_fprime(params, self.loglikeobs, centered=True)

    def hessian(self, params):
        return approx_hess(params, self.loglike)

class MyResults(GenericLikelihoodModelResults):

    @cache_readonly
    def bic2(self):
        return -2 * self.llf + np.log(self.nobs) * len(self.params)

    def hazard_ratios(self):
        return np.exp(-self.params[:-1])

class MyLL(LikelihoodModel):

    def __init__(self, endog, exog, **kw):
        super().__init__(endog, exog, **kw)

    def loglike(self, p):
        e = self.endog - self.exog @ p
        return -0.5 * e @ e

    def score(self, p):
        return self.exog.T @ (self.endog - self.exog @ p)

    def hessian(self, p):
        return -self.exog.T @ self.exog

    def information(self, p):
        return -self.hessian(p)

def main():
    rng = np.random.default_rng(8)
    n = 300
    X = pd.DataFrame({'const': 1.0, 'x': rng.normal(size=n)})
    mu = 1 / (1 + np.exp(-(0.3 + 0.5 * X.x)))
    y = pd.Series(rng.beta(mu * 8, (1 - mu) * 8), name='share')
    b = Beta(y, X).fit()
    print(b.params.round(2) if hasattr(b.params, 'round') else b.params, b.bse.round(3))
    yc = rng.negative_binomial(2, 2 / (2 + np.exp(0.5 + 0.3 * X.x)))
    m = NBin(yc, X)
    r = m.fit(disp=0)
    print(r.summary())
    print(r.conf_int().round(2), r.aic.round(2), r.bic.round(2), r.covjac.shape, r.jacv.shape if hasattr(r, 'jacv') else '')
    t = rng.weibull(1.5, n) * np.exp(0.5 + 0.4 * X.x)
    c = rng.exponential(4, n)
    ev = (t <= c).astype(float)
    w = Weibull(np.minimum(t, c).values, X.values, event=ev)
    w.data.xnames = ['const', 'x', 'log_sigma'] if False else w.data.xnames
    fit = w.fit(disp=0, method='bfgs')
    print(fit.params.round(2))
    mine = MyResults(w, fit.mlefit) if hasattr(fit, 'mlefit') else None
    if mine is not None:
        print(mine.hazard_ratios().round(2), round(mine.bic2, 1))
    print(fit.bootstrap(nrep=3)[0].round(1).shape)
    ll = MyLL(y.values, X.values).fit(method='newton', disp=0, start_params=np.zeros(2))
    print(ll.params.round(3), ll.normalized_cov_params.round(4))
    f = lambda p: float(np.sum((p - [1, 2]) ** 2 * [1, 3]))
    print(approx_hess(np.array([0.0, 0]), f).round(3), approx_fprime(np.zeros(2), f).round(2), approx_fprime_cs(np.zeros(2), lambda p: np.sum(p ** 2 + p)).round(2), approx_hess_cs(np.zeros(2), lambda p: p @ p).round(2))

    class P(GenericLikelihoodModel):

        def loglike(self, params):
            return stats.poisson.logpmf(self.endog, np.exp(self.exog @ params)).sum()

        def predict(self, params, exog=None):
            return np.exp((self.exog if exog is None else exog) @ params)
    p = P(yc, X).fit(start_params=[0.1, 0.1], method='nm', maxiter=500, disp=0)
    print(p.params.round(2), p.predict(X.head(2)).round(2))
if __name__ == '__main__':
    main()
