"""Likelihoods of one's own: reaction times with a shift, a hurdle at zero, the results class with a further figure."""
import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy import stats
from statsmodels.base.model import GenericLikelihoodModel, GenericLikelihoodModelResults, LikelihoodModel
from statsmodels.tools.decorators import cache_readonly
from statsmodels.tools.numdiff import approx_fprime, approx_hess

rng = np.random.default_rng(2718)


class ReactionResults(GenericLikelihoodModelResults):
    @cache_readonly
    def median_time(self):
        return float(self.params[-1] + np.exp(np.asarray(self.model.exog).mean(axis=0) @ self.params[:-2]))

    def report(self):
        return f"{self.model.endog_names}: shift {self.params[-1]:.2f}, n={int(self.nobs)}"


class ShiftedLogNormal(GenericLikelihoodModel):
    """log(time - shift) is normal; the last two parameters are the log of its scale, and the shift."""

    def __init__(self, endog, exog, **kwds):
        kwds.setdefault("extra_params_names", ["log_scale", "shift"])
        super().__init__(endog, exog, **kwds)
        self.lowest = float(np.min(self.endog))

    def nloglikeobs(self, params):
        beta, log_scale, shift = params[:-2], params[-2], params[-1]
        left = np.asarray(self.endog) - min(shift, self.lowest - 1e-3)
        return -(stats.norm.logpdf(np.log(left), self.exog @ beta, np.exp(log_scale)) - np.log(left))

    def fit(self, start_params=None, maxiter=2000, **kwds):
        if start_params is None:
            start_params = np.r_[np.zeros(self.exog.shape[1]), -0.5, self.lowest * 0.5]
        kwds.setdefault("disp", 0)
        kwds.setdefault("method", "nm")
        fitted = super().fit(start_params=start_params, maxiter=maxiter, **kwds)
        return ReactionResults(self, fitted.mlefit) if hasattr(fitted, "mlefit") else fitted


class Hurdle(GenericLikelihoodModel):
    def loglikeobs(self, params):
        zero, rate = stats.logistic.cdf(params[0]), np.exp(self.exog @ params[1:])
        counts = np.asarray(self.endog)
        positive = np.log1p(-zero) + stats.poisson.logpmf(counts, rate) - np.log1p(-np.exp(-rate))
        return np.where(counts == 0, np.log(zero), positive)

    def loglike(self, params):
        return self.loglikeobs(params).sum()

    def score(self, params):
        return approx_fprime(params, self.loglike, centered=True).ravel()

    def hessian(self, params):
        return approx_hess(params, self.loglike)


class Wrapped(LikelihoodModel):
    """Laplace regression by its own gradient."""

    def initialize(self):
        super().initialize()
        self.nobs = float(len(self.endog))

    def loglike(self, params):
        return -np.abs(np.sqrt((self.endog - self.exog @ params) ** 2 + 1e-4)).sum()

    def score(self, params):
        left = self.endog - self.exog @ params
        return self.exog.T @ (left / np.sqrt(left**2 + 1e-4))

    def hessian(self, params):
        left = self.endog - self.exog @ params
        return -(self.exog.T * (1e-4 / (left**2 + 1e-4) ** 1.5)) @ self.exog

    def predict(self, params, exog=None):
        return (self.exog if exog is None else exog) @ params


stress = rng.uniform(0, 1, 250)
frame = pd.DataFrame({"time": 0.2 + np.exp(-1 + 0.5 * stress + rng.normal(0, 0.3, 250)), "stress": stress})
model = ShiftedLogNormal(frame["time"], sm.add_constant(frame[["stress"]]))
fit = model.fit()
print(model.exog_names, np.round(fit.params, 1), 0 < fit.params[-1] < 0.5)
print(type(fit).__name__, fit.report() if hasattr(fit, "report") else "", round(getattr(fit, "median_time", 0), 1))
counts = np.where(rng.uniform(size=300) < 0.4, 0, 1 + rng.poisson(1.2, 300))
hurdle = Hurdle(counts, np.ones((300, 1))).fit(start_params=[0.0, 0.3], method="bfgs", disp=0)
print(np.round(hurdle.params, 1), bool((hurdle.bse > 0).all()), hurdle.conf_int().shape, hurdle.aic > 0)
lines = hurdle.summary(yname="falls").as_text().splitlines()
print(lines[0].strip(), any("falls" in line for line in lines))
line = Wrapped(3 + 2 * stress + rng.laplace(0, 0.2, 250), sm.add_constant(stress))
print(np.round(line.fit(start_params=[0, 0], method="bfgs", disp=0).params, 1), line.nobs)
