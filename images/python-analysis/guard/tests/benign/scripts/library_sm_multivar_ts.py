import warnings
warnings.filterwarnings('ignore')
import numpy as np, pandas as pd, statsmodels.api as sm
from statsmodels.tsa.api import VAR, SVAR, VARMAX, DynamicFactor, UnobservedComponents
from statsmodels.tsa.vector_ar.vecm import VECM, coint_johansen, select_order, select_coint_rank
from statsmodels.tsa.vector_ar.var_model import VARProcess
from statsmodels.tsa.regime_switching.markov_autoregression import MarkovAutoregression
from statsmodels.tsa.regime_switching.markov_regression import MarkovRegression
from statsmodels.tsa.statespace.dynamic_factor_mq import DynamicFactorMQ
from statsmodels.tsa.statespace.structural import UnobservedComponents as UC
from statsmodels.tsa.innovations import arma_innovations
from statsmodels.tsa.base.tsa_model import TimeSeriesModel

def main():
    rng = np.random.default_rng(6)
    n = 160
    A = np.array([[0.5, 0.1], [0.2, 0.4]])
    e = rng.normal(size=(n, 2))
    y = np.zeros((n, 2))
    for i in range(1, n):
        y[i] = A @ y[i - 1] + e[i]
    df = pd.DataFrame(y, columns=['gdp', 'inv'], index=pd.date_range('1980-01-01', periods=n, freq='QS'))
    m = VAR(df)
    print(m.select_order(3).summary())
    r = m.fit(maxlags=2, ic='aic')
    print(r.summary())
    print(r.forecast(df.values[-r.k_ar:], 2).round(2))
    print(r.irf(3).orth_irfs[1].round(2))
    print(r.fevd(3).summary() or '')
    print(r.test_causality('gdp', ['inv']).summary())
    print(r.forecast_interval(df.values[-2:], 2)[0].round(2))
    print(r.sim_coefs().shape if hasattr(r, 'sim_coefs') else '-', r.resid_corr.round(2) if not hasattr(r.resid_corr, 'values') else r.resid_corr)
    w = df.cumsum()
    w['inv'] = w.gdp * 0.5 + rng.normal(size=n)
    print(coint_johansen(w, 0, 1).lr1.round(1))
    print(select_order(w, 3, deterministic='ci').aic, select_coint_rank(w, 0, 1).rank)
    v = VECM(w, k_ar_diff=1, coint_rank=1, deterministic='ci').fit()
    print(v.summary())
    print(v.alpha.round(1), v.predict(2).round(1))
    print(v.test_granger_causality('gdp', 'inv').pvalue.round(2))
    vm = VARMAX(df, order=(1, 0), trend='n').fit(maxiter=15, disp=False)
    print(vm.summary().tables[0])
    print(vm.params.round(1).to_dict())
    print(vm.impulse_responses(2, orthogonalized=True).round(1))
    for spec in ('rwalk', 'lltrend', {'level': 'llevel', 'cycle': True, 'stochastic_cycle': True}, {'level': 'fixed intercept', 'freq_seasonal': [{'period': 4, 'harmonics': 2}], 'autoregressive': 1}):
        u = UnobservedComponents(df.gdp, **spec if isinstance(spec, dict) else {'level': spec}).fit(disp=False, maxiter=20)
        print(spec, u.llf.round(1), sorted((k for k in ('level', 'trend', 'cycle', 'seasonal', 'freq_seasonal') if getattr(u, k, None) is not None)))
    print(u.summary())
    df3 = pd.DataFrame({f'v{i}': df.gdp * (i + 1) * 0.3 + rng.normal(size=n) for i in range(3)})
    d = DynamicFactor(df3, k_factors=1, factor_order=1).fit(disp=False, maxiter=15)
    print(d.factors.filtered.shape if hasattr(d.factors, 'filtered') else '', d.coefficients_of_determination.round(1))
    q = DynamicFactorMQ(df3, factors=1, factor_orders=1).fit(disp=False, maxiter=10)
    print(q.summary().tables[0])
    print(q.forecast(1).round(1))
    nw = q.news(q.apply(df3 * 1.01), start=df3.index[-1], periods=1) if False else None
    z = np.where(np.arange(n) % 60 < 30, 0, 4.0) + rng.normal(size=n)
    mk = MarkovRegression(z, k_regimes=2, switching_variance=False).fit()
    print(mk.summary())
    print(mk.smoothed_marginal_probabilities[:2].round(1), mk.expected_durations.round(0))
    print(MarkovAutoregression(z, k_regimes=2, order=1, switching_ar=False).fit(maxiter=20).params.shape)

    class MyMarkov(MarkovRegression):

        @property
        def start_params(self):
            p = super().start_params
            p[:2] = (0.9, 0.1)
            return p
    print(MyMarkov(z, k_regimes=2).fit(disp=False).params.round(1))
    print(sm.tsa.x13_arima_analysis.__name__)
main()
