import warnings
warnings.filterwarnings('ignore')
import numpy as np, pandas as pd, statsmodels.api as sm
import statsmodels.tsa.api as tsa
from statsmodels.tsa.arima.model import ARIMA
from statsmodels.tsa.arima_process import ArmaProcess, arma_generate_sample, arma_acovf
from statsmodels.tsa.statespace.sarimax import SARIMAX
from statsmodels.tsa.holtwinters import ExponentialSmoothing, Holt, SimpleExpSmoothing
from statsmodels.tsa.exponential_smoothing.ets import ETSModel
from statsmodels.tsa.forecasting.theta import ThetaModel
from statsmodels.tsa.forecasting.stl import STLForecast
from statsmodels.tsa.seasonal import STL, MSTL, seasonal_decompose, DecomposeResult
from statsmodels.tsa.stattools import adfuller, kpss, acf, pacf, ccf, grangercausalitytests, coint, arma_order_select_ic, zivot_andrews, range_unit_root_test, q_stat, bds, levinson_durbin, innovations_algo, breakvar_heteroskedasticity_test
from statsmodels.tsa.deterministic import DeterministicProcess, Fourier, CalendarFourier, Seasonality, TimeTrend, CalendarTimeTrend, DeterministicTerm
from statsmodels.tsa.ar_model import AutoReg, ar_select_order
from statsmodels.tsa.ardl import ARDL, UECM, ardl_select_order
from statsmodels.tsa.filters.hp_filter import hpfilter
from statsmodels.tsa.filters.bk_filter import bkfilter
from statsmodels.tsa.filters.cf_filter import cffilter
from statsmodels.tsa.tsatools import add_trend, lagmat, detrend, add_lag

class Broken(DeterministicTerm):
    """a level shift at a date"""

    def __init__(self, when):
        self._when = when

    def __str__(self):
        return f'Broken({self._when:%Y-%m})'

    @property
    def _eq_attr(self):
        return (self._when,)

    def in_sample(self, index):
        return pd.DataFrame({'shift': (self._index_like(index) >= self._when).astype(float)}, index=index)

    def out_of_sample(self, steps, index, forecast_index=None):
        fi = self._extend_index(index, steps, forecast_index)
        return pd.DataFrame({'shift': np.ones(len(fi))}, index=fi)

def main():
    rng = np.random.default_rng(1)
    n = 144
    idx = pd.period_range('2008-01', periods=n, freq='M').to_timestamp()
    idx.freq = 'MS'
    t = np.arange(n)
    y = pd.Series(50 + 0.2 * t + 8 * np.sin(2 * np.pi * t / 12) + ArmaProcess([1, -0.6], [1]).generate_sample(n, distrvs=rng.normal), index=idx, name='cases')
    r = ARIMA(y, order=(1, 1, 1), seasonal_order=(0, 1, 1, 12)).fit()
    print(r.summary())
    print(r.forecast(3).round(1))
    print(r.get_forecast(3).summary_frame(alpha=0.1).round(1))
    print(r.test_serial_correlation('ljungbox', lags=3).round(2), r.test_normality('jarquebera').shape, r.test_heteroskedasticity('breakvar').shape)
    for nm, m in {'ses': SimpleExpSmoothing(y).fit(smoothing_level=0.3, optimized=False), 'holt': Holt(y, damped_trend=True).fit(), 'hw': ExponentialSmoothing(y, trend='add', seasonal='mul', seasonal_periods=12).fit(), 'ets': ETSModel(y, error='add', trend='add', seasonal='add', seasonal_periods=12).fit(disp=False, maxiter=30)}.items():
        print(nm, m.forecast(2).round(1).tolist(), round(float(m.sse), 1))
    print(ExponentialSmoothing(y, trend='add').fit().summary().tables[0])
    print(ThetaModel(y, period=12).fit().forecast(3).round(1).tolist())
    print(STLForecast(y, ARIMA, model_kwargs=dict(order=(1, 1, 0))).fit().forecast(2).round(1).tolist())
    stl = STL(y, robust=True, seasonal=13).fit()
    print(stl.trend[-2:].round(1).tolist(), stl.seasonal[:2].round(1).tolist())
    ms = MSTL(y, periods=(6, 12)).fit()
    print(ms.seasonal.tail(1).round(1))
    d = seasonal_decompose(y, model='multiplicative', period=12)
    print(d.seasonal[:3].round(3).tolist(), d.nobs)
    print(arma_order_select_ic(y.diff().dropna(), max_ar=2, max_ma=1, ic=['aic', 'bic'])['bic_min_order'])
    x = y.shift(2).bfill() + rng.normal(size=n)
    g = grangercausalitytests(np.c_[y, x], 2, verbose=False) if False else grangercausalitytests(np.c_[y, x], [2])
    print(round(g[2][0]['ssr_ftest'][1], 3))
    print(coint(y, x)[1] < 1)
    dp = DeterministicProcess(y.index, constant=True, order=1, seasonal=False, additional_terms=[CalendarFourier('YE', 1) if False else Fourier(12, 1), Broken(pd.Timestamp('2015-01-01'))] if False else [Fourier(12, 1)], drop=True)
    print(dp.in_sample().tail(2).round(2))
    print(dp.out_of_sample(2).round(2))
    a = AutoReg(y, lags=[1, 12], trend='ct').fit()
    print(a.summary())
    print(a.predict('2019-11', '2020-02').round(1))
    print(ar_select_order(y, 3).ar_lags)
    ad = ARDL(y, 2, pd.DataFrame({'x': x}), {'x': 1}, trend='c').fit()
    print(ad.params.round(2).to_dict())
    print(ardl_select_order(y, 2, pd.DataFrame({'x': x}), 2, ic='bic').model.ardl_order)
    print(UECM(y, 1, pd.DataFrame({'x': x}), 1).fit().params.shape)
    c, tr = hpfilter(y, 129600)
    print(c[:2].round(2).tolist(), bkfilter(y, 6, 32, 12).iloc[:2].round(2).tolist(), cffilter(y, 6, 32)[0][:2].round(2).tolist())
    print(add_trend(pd.DataFrame({'y': y}), 'ctt').tail(1), lagmat(y.values, 2)[:3].round(1).tolist(), detrend(y.values, 1)[:2].round(2))
    ap = ArmaProcess.from_coeffs([0.5, 0.2], [0.3])
    print(ap.isstationary, ap.isinvertible, ap.arroots.round(2), ap.acf(3).round(3), ap.impulse_response(3).round(3), ap.periodogram(4)[1].round(2), ap.arma2ar(3).round(2))
    print(repr(ap), ap)
if __name__ == '__main__':
    main()
