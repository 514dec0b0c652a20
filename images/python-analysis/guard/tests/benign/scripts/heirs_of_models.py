"""Models of one's own in statsmodels: a counter with decay as a state space, and one by its likelihood."""
import numpy as np
import statsmodels.api as sm
from scipy import special
from statsmodels.base.model import GenericLikelihoodModel

rng = np.random.default_rng(70)
decay = np.zeros(150)
for t in range(1, 150):
    decay[t] = 2 + 0.7 * (decay[t - 1] - 2) + rng.normal(0, 0.5)


class Leaking(sm.tsa.statespace.MLEModel):
    """What is left of yesterday, an inflow, and noise; named by two private class attributes."""

    _start_params = [0.5, 1.0, 1.0]
    _param_names = ["kept", "inflow", "variance"]

    def __init__(self, endog):
        super().__init__(endog, k_states=1, k_posdef=1, initialization="approximate_diffuse")
        self["design", 0, 0] = 1.0
        self["selection", 0, 0] = 1.0

    def update(self, params, **kwargs):
        kept, inflow, variance = super().update(params, **kwargs)
        self["transition", 0, 0] = kept
        self["state_intercept", 0, 0] = inflow
        self["state_cov", 0, 0] = variance


class Cloglog(GenericLikelihoodModel):
    def loglike(self, params):
        rate = np.exp(self.exog @ params)
        return np.where(self.endog > 0, special.log1p(-np.exp(-rate)), -rate).sum()

    def _get_init_kwds(self):
        return dict(super()._get_init_kwds())


fit = Leaking(decay).fit(disp=0)
print(fit.model.param_names, np.round(fit.params, 1))
exposure = sm.add_constant(rng.normal(size=300))
caught = (rng.uniform(size=300) < 1 - np.exp(-np.exp(exposure @ [-0.5, 0.6]))).astype(float)
own = Cloglog(caught, exposure).fit(start_params=[0.0, 0.0], disp=0)
known = sm.GLM(caught, exposure, family=sm.families.Binomial(sm.families.links.CLogLog())).fit()
print(np.round(own.params, 2), np.allclose(own.params, known.params, atol=1e-3))
