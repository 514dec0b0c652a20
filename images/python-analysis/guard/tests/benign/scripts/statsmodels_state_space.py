"""State space models: seasons, factors, forecasts, and a model of one's own."""
import warnings

import numpy as np
import pandas as pd
from statsmodels.tsa.arima.estimators.yule_walker import yule_walker
from statsmodels.tsa.arima.specification import SARIMAXSpecification
from statsmodels.tsa.base.prediction import PredictionResults
from statsmodels.tsa.holtwinters.results import HoltWintersResults
from statsmodels.tsa.statespace import api, mlemodel
from statsmodels.tsa.statespace.exponential_smoothing import ExponentialSmoothing
from statsmodels.tsa.statespace.tools import constrain_stationary_univariate
from statsmodels.tsa.varma_process import VarmaPoly

warnings.simplefilter("ignore")
rng = np.random.default_rng(11)
index = pd.period_range("2015-01", periods=72, freq="M")
y = pd.Series(10 + np.arange(72) * 0.1 + 2 * np.sin(np.arange(72) * np.pi / 6) + rng.normal(0, 0.3, 72), index=index)


class LocalLevel(mlemodel.MLEModel):
    def __init__(self, endog):
        super().__init__(endog, k_states=1, k_posdef=1, initialization="approximate_diffuse", loglikelihood_burn=1)
        self["design", 0, 0] = self["transition", 0, 0] = self["selection", 0, 0] = 1.0

    @property
    def param_names(self):
        return ["sigma2.measurement", "sigma2.level"]

    @property
    def start_params(self):
        return [1.0, 1.0]

    def transform_params(self, unconstrained):
        return unconstrained**2

    def untransform_params(self, constrained):
        return constrained**0.5

    def update(self, params, **kwargs):
        params = super().update(params, **kwargs)
        self["obs_cov", 0, 0] = params[0]
        self["state_cov", 0, 0] = params[1]


fitted = LocalLevel(y.to_numpy()).fit(disp=0)
print([name for name in fitted.param_names], bool(fitted.llf < 0))
smooth = ExponentialSmoothing(y, trend=True, seasonal=12).fit(disp=0)
print(len(smooth.forecast(6)), isinstance(smooth.get_prediction().predicted_mean, pd.Series))
print(api.SARIMAX(y, order=(1, 0, 0), trend="c").fit(disp=0).params.index.tolist())
params, _ = yule_walker(y.to_numpy(), ar_order=2)
print(np.round(params.ar_params, 1).shape, SARIMAXSpecification(order=(1, 1, 1)).ar_order)
print(np.round(constrain_stationary_univariate(np.array([0.5])), 3).tolist())
print(HoltWintersResults.__name__, PredictionResults.__name__, VarmaPoly(np.array([[[1.0]], [[0.5]]])).nvars)
