# # Gompertz mortality by maximum likelihood
import numpy as np
import pandas as pd
from scipy import optimize, stats
from statsmodels.base.model import GenericLikelihoodModel, GenericLikelihoodModelResults
import statsmodels.tools.numdiff as nd
import matplotlib.pyplot as plt

class Gompertz(GenericLikelihoodModel):
    """hazard exp(a + b t + x'beta); censored and left-truncated at entry."""

    def __init__(self, endog, exog=None, status=None, entry=None, **kwds):
        self.status = np.ones(len(endog)) if status is None else np.asarray(status)
        self.entry = np.zeros(len(endog)) if entry is None else np.asarray(entry)
        super().__init__(endog, exog, **kwds)
        self._set_extra_params_names(["slope"])
        self.nparams = self.exog.shape[1] + 1

    def loglikeobs(self, params):
        b = params[-1]
        lp = self.exog @ params[:-1]
        cum = np.exp(lp) * (np.exp(b * self.endog) - np.exp(b * self.entry)) / b
        return self.status * (lp + b * self.endog) - cum

    def nloglikeobs(self, params):
        return -self.loglikeobs(params)

    def fit(self, start_params=None, method="bfgs", maxiter=500, **kwds):
        if start_params is None:
            rate = self.status.sum() / (self.endog - self.entry).sum()
            start_params = np.r_[np.log(rate), np.zeros(self.exog.shape[1] - 1), .01]
        return super().fit(start_params=start_params, method=method, maxiter=maxiter, **kwds)

rng = np.random.default_rng(13)
n = 1500
smoke = rng.binomial(1, .3, n)
entry = rng.uniform(0, 15, n)
a, b = -5, .11
u = rng.random(n)
lp = a + .6 * smoke
t = np.log(np.exp(b * entry) - b * np.log(u) / np.exp(lp)) / b
end = np.minimum(t, entry + 20)
d = pd.DataFrame({"t": end, "died": (t <= entry + 20).astype(float), "entry": entry, "const": 1., "smoke": smoke})
mod = Gompertz(d.t, d[["const", "smoke"]], status=d.died, entry=d.entry)
res = mod.fit(disp=0)
print(res.summary())
print(pd.Series(res.params, index=mod.exog_names).round(2), res.bse.round(3))
print("AIC", round(res.aic, 1), "df", mod.df_model, mod.df_resid)
print("score close to 0:", np.allclose(mod.score(res.params), 0, atol=1e-1))
H = nd.approx_hess(res.params, mod.loglike)
print(np.allclose(np.sqrt(np.diag(np.linalg.inv(-H))), res.bse, rtol=.05))
print(res.t_test("smoke = 0").pvalue < .001, res.wald_test("slope = 0.1", scalar=True).pvalue.round(2))
print(np.exp(res.conf_int()[1]).round(2))
nm = mod.fit(method="nm", disp=False, maxiter=2000)
print("same optimum", np.allclose(nm.llf, res.llf, atol=.05))
direct = optimize.minimize(lambda p: -mod.loglike(p), res.params * .9, method="Nelder-Mead")
print(direct.fun.round(1) == round(-res.llf, 1))
boot = []
for k in range(5):
    s = d.sample(n, replace=True, random_state=k)
    boot.append(Gompertz(s.t, s[["const", "smoke"]], status=s.died, entry=s.entry).fit(disp=0).params)
print(np.std(boot, axis=0).round(2))
ts = np.linspace(0, 35, 50)
fig, ax = plt.subplots()
for s in (0, 1):
    ax.semilogy(ts, np.exp(res.params[0] + s * res.params[1] + res.params[-1] * ts), label=f"smoke={s}")
ax.legend()
