"""State space: AR(1), local linear trend as MLEModel subclasses, TVP regression."""
import numpy as np
import pandas as pd
import statsmodels.api as sm
from statsmodels.tsa.statespace.mlemodel import MLEModel, MLEResults
from statsmodels.tsa.statespace import tools
from statsmodels.tsa.statespace.tools import constrain_stationary_univariate, unconstrain_stationary_univariate


class LocalLinearTrend(sm.tsa.statespace.MLEModel):
    def __init__(self, endog):
        k_states = k_posdef = 2
        super().__init__(endog, k_states=k_states, k_posdef=k_posdef, initialization="approximate_diffuse", loglikelihood_burn=k_states)
        self.ssm["design"] = np.array([1, 0])
        self.ssm["transition"] = np.array([[1, 1], [0, 1]])
        self.ssm["selection"] = np.eye(k_states)
        self._state_cov_idx = ("state_cov",) + np.diag_indices(k_posdef)

    @property
    def param_names(self):
        return ["sigma2.measurement", "sigma2.level", "sigma2.trend"]

    @property
    def start_params(self):
        return [np.std(self.endog)] * 3

    def transform_params(self, unconstrained):
        return unconstrained ** 2

    def untransform_params(self, constrained):
        return constrained ** 0.5

    def update(self, params, *args, **kwargs):
        params = super().update(params, *args, **kwargs)
        self.ssm["obs_cov", 0, 0] = params[0]
        self.ssm[self._state_cov_idx] = params[1:]


rs = np.random.RandomState(4)
y = pd.Series(np.cumsum(rs.normal(size=120)), index=pd.date_range("2000", periods=120, freq="MS"))
mod = LocalLinearTrend(y)
res = mod.fit(disp=False)
print(res.nobs, len(res.params), res.model.k_states)
pred = res.get_prediction()
fc = res.get_forecast(5)
print(fc.predicted_mean.shape, fc.conf_int().shape, type(res).__name__)
sim = mod.simulate(res.params, 10)
print(len(sim))


class TVP(MLEModel):
    def __init__(self, y, x):
        super().__init__(endog=y, exog=x, k_states=x.shape[1], initialization="diffuse")
        self.ssm["design"] = x.T[np.newaxis, :, :]
        self["selection"] = np.eye(self.k_states)
        self["transition"] = np.eye(self.k_states)
        self.positive_parameters = slice(0, 2)

    param_names = property(lambda self: ["s.obs", "s.state"])
    start_params = property(lambda self: np.array([0.1, 0.1]))

    def transform_params(self, u):
        c = u.copy()
        c[self.positive_parameters] = c[self.positive_parameters] ** 2
        return c

    def update(self, params, **kwargs):
        params = super().update(params, **kwargs)
        self["obs_cov", 0, 0] = params[0]
        self["state_cov"] = np.eye(self.k_states) * params[1]


xx = rs.normal(size=(120, 2))
r2 = TVP(y.to_numpy(), xx).smooth([0.5, 0.1])
print(r2.smoothed_state.shape, r2.filter_results.forecasts.shape)
sar = sm.tsa.SARIMAX(y, order=(1, 1, 1), seasonal_order=(1, 0, 0, 4), trend="c")
r = sar.fit(disp=False, maxiter=20)
print(r.impulse_responses(5).shape, r.append(y.iloc[-1:].shift(1, freq="MS")).nobs, r.plot_diagnostics() is not None)
