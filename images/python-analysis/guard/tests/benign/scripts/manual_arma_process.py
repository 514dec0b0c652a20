import numpy as np
import pandas as pd
import statsmodels.api as sm
from statsmodels.tsa.arima_process import ArmaProcess, arma_acovf, arma_generate_sample, arma_impulse_response
from statsmodels.tsa.arima.model import ARIMA
from statsmodels.tsa.arima.estimators.hannan_rissanen import hannan_rissanen
from statsmodels.tsa.arima.estimators.yule_walker import yule_walker
from statsmodels.tsa.stattools import acf, adfuller, arma_order_select_ic, ccf, grangercausalitytests, levinson_durbin, pacf, q_stat, zivot_andrews
from statsmodels.tsa.tsatools import add_trend, detrend, lagmat, vech
from statsmodels.tsa.vector_ar.vecm import coint_johansen, select_order
from statsmodels.stats.diagnostic import acorr_breusch_godfrey, acorr_ljungbox, het_arch, linear_harvey_collier, recursive_olsresiduals
from statsmodels.tsa.statespace.kalman_filter import KalmanFilter, INVERT_UNIVARIATE
from statsmodels.tsa.statespace.kalman_smoother import KalmanSmoother
from statsmodels.tsa.statespace.structural import UnobservedComponents
from statsmodels.tsa.statespace.simulation_smoother import SimulationSmoother

np.random.seed(12345)
arparams = np.array([.75, -.25])
maparams = np.array([.65, .35])
ap = ArmaProcess(np.r_[1, -arparams], np.r_[1, maparams])
print(ap.isstationary, ap.isinvertible, ap.arroots.round(2), ap.acf(4).round(3), ap.impulse_response(3))
y = ap.generate_sample(250)
m = ARIMA(pd.Series(y, index=pd.date_range("1980-1-1", freq="ME", periods=250)), order=(2, 0, 2), trend="n")
r = m.fit()
print(r.params.round(1).to_dict(), r.get_forecast(3).summary_frame(alpha=.1).shape, m.polynomial_ar)
print(ARIMA(y, order=(1, 0, 0)).fit(method="hannan_rissanen").params.round(1), yule_walker(y, ar_order=2)[0].params.round(2))
print(adfuller(y, regression="ct")[1] < .05, acf(y, nlags=3, fft=True).round(2), acorr_ljungbox(r.resid, lags=[5], return_df=True).shape)
kf = KalmanFilter(k_endog=1, k_states=1, transition=[[0.5]], selection=[[1.0]], state_cov=[[1.0]], design=[[1.0]], obs_cov=[[0.1]])
kf.bind(y[:20].copy())
kf.initialize_stationary()
res = kf.filter()
print(res.llf.round(2), res.filtered_state.shape)
ks = KalmanSmoother(k_endog=1, k_states=1, transition=[[0.5]], selection=[[1.0]], state_cov=[[1.0]], design=[[1.0]], obs_cov=[[0.1]])
ks.bind(y[:20].copy())
ks.initialize_known(np.zeros(1), np.eye(1))
print(ks.smooth().smoothed_state.round(2)[0, :3])
mod = sm.tsa.SARIMAX(y, order=(1, 0, 0))
res = mod.filter([0.5, 1.0])
s = mod.simulation_smoother()
s.simulate()
print(s.simulated_state.shape, coint_johansen(np.cumsum(np.random.normal(size=(100, 2)), 0), 0, 1).lr1.shape)
with mod.fix_params({"ar.L1": 0.4}):
    print(mod.fit(disp=0).params.round(2))
