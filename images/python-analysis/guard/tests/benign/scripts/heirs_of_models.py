"""Models of one's own in statsmodels: a state space model, and one by its likelihood."""

import numpy as np
import statsmodels.api as sm
from scipy import stats
from statsmodels.base.model import GenericLikelihoodModel

rng = np.random.default_rng(7)
series = np.zeros(120)
for t in range(1, 120):
    series[t] = 0.6 * series[t - 1] + rng.normal()


class AR1(sm.tsa.statespace.MLEModel):
    _start_params = [0.3, 1.0]
    _param_names = ["phi", "sigma2"]

    def __init__(self, endog):
        super().__init__(endog, k_states=1, k_posdef=1, initialization="stationary")
        self["design", 0, 0] = 1.0
        self["selection", 0, 0] = 1.0

    def update(self, params, **kwargs):
        params = super().update(params, **kwargs)
        self["transition", 0, 0] = params[0]
        self["state_cov", 0, 0] = params[1]


class Probit(GenericLikelihoodModel):
    def loglike(self, params):
        q = 2 * self.endog - 1
        return stats.norm.logcdf(q * np.dot(self.exog, params)).sum()

    def _get_init_kwds(self):
        kwds = super()._get_init_kwds()
        return dict(kwds)


fit = AR1(series).fit(disp=0)
print(fit.model.param_names, np.round(fit.params, 2))

x = sm.add_constant(rng.normal(size=200))
y = (x @ [0.2, 0.8] + rng.normal(size=200) > 0).astype(float)
own = Probit(y, x).fit(start_params=[0.0, 0.0], disp=0)
print(np.round(own.params, 2), np.allclose(own.params, sm.Probit(y, x).fit(disp=0).params, atol=1e-3))
