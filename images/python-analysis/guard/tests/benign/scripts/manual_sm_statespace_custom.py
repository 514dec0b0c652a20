import numpy as np, pandas as pd, statsmodels.api as sm
from statsmodels.tsa.statespace.mlemodel import MLEModel, MLEResults
from statsmodels.tsa.statespace import tools, initialization, kalman_filter, kalman_smoother, simulation_smoother
from statsmodels.tsa.statespace.tools import constrain_stationary_univariate, unconstrain_stationary_univariate, constrain_stationary_multivariate, is_invertible, companion_matrix
from statsmodels.tsa.statespace.initialization import Initialization
from statsmodels.tsa.statespace.kalman_filter import KalmanFilter, INVERT_UNIVARIATE, SOLVE_CHOLESKY, MEMORY_NO_FORECAST
from statsmodels.tsa.statespace.kalman_smoother import KalmanSmoother
from statsmodels.tsa.statespace.simulation_smoother import SimulationSmoother
from statsmodels.tsa.statespace.representation import Representation

class LocalTrend(MLEModel):
    _start_params = [1.0, 1.0, 1.0]
    _param_names = ['var.eps', 'var.level', 'var.trend']

    def __init__(self, endog, **kw):
        super().__init__(endog, k_states=2, k_posdef=2, initialization='approximate_diffuse', loglikelihood_burn=2, **kw)
        self.ssm['design'] = np.array([[1, 0.0]])
        self.ssm['transition'] = np.array([[1, 1], [0, 1.0]])
        self.ssm['selection'] = np.eye(2)
        self._cov = ('state_cov',) + np.diag_indices(2)

    @property
    def param_names(self):
        return self._param_names

    @property
    def start_params(self):
        return np.full(3, np.var(self.endog) / 10)

    def transform_params(self, u):
        return u ** 2

    def untransform_params(self, c):
        return c ** 0.5

    def update(self, params, *args, **kwargs):
        params = super().update(params, *args, **kwargs)
        self.ssm['obs_cov', 0, 0] = params[0]
        self.ssm[self._cov] = params[1:]

class TVReg(MLEModel):
    """regression with coefficients that walk"""

    def __init__(self, endog, exog):
        exog = np.asarray(exog)
        k = exog.shape[1]
        super().__init__(endog=endog, exog=exog, k_states=k, initialization='diffuse')
        self.ssm.loglikelihood_burn = k
        self.ssm['design'] = exog.T[np.newaxis]
        self.ssm['selection'] = np.eye(k)
        self.ssm['transition'] = np.eye(k)
        self.positive_parameters = slice(0, 1 + k)
        self._k = k

    @property
    def param_names(self):
        return ['var.e'] + [f'var.x.coeff{i}' for i in range(self._k)]

    @property
    def start_params(self):
        return np.repeat(0.1, 1 + self._k)

    def transform_params(self, u):
        c = u.copy()
        c[self.positive_parameters] = c[self.positive_parameters] ** 2
        return c

    def untransform_params(self, c):
        u = c.copy()
        u[self.positive_parameters] = u[self.positive_parameters] ** 0.5
        return u

    def update(self, params, **kw):
        params = super().update(params, **kw)
        self['obs_cov', 0, 0] = params[0]
        self['state_cov'] = np.diag(params[1:])

    def clone(self, endog, exog=None, **kw):
        return self._clone_from_init_kwds(endog, exog=exog, **kw)

class ARMA11(MLEModel):
    start_params = [0.5, 0.2, 1.0]
    param_names = ['phi', 'theta', 'sigma2']

    def __init__(self, endog):
        super().__init__(endog, k_states=2, k_posdef=1, initialization='stationary')
        self['design', 0, 0] = 1.0
        self['transition', 0, 1] = 1.0
        self['selection', 0, 0] = 1.0
        self._state_names_ = ['a', 'b']

    @property
    def state_names(self):
        return self._state_names_

    def transform_params(self, p):
        return np.r_[constrain_stationary_univariate(p[:1]), p[1], p[2] ** 2]

    def untransform_params(self, p):
        return np.r_[unconstrain_stationary_univariate(p[:1]), p[1], p[2] ** 0.5]

    def update(self, params, transformed=True, includes_fixed=False, complex_step=False):
        params = self.handle_params(params, transformed=transformed, includes_fixed=includes_fixed)
        self['design', 0, 1] = params[1]
        self['transition', 0, 0] = params[0]
        self['state_cov', 0, 0] = params[2]

class Res(MLEResults):

    def persistence(self):
        return float(self.params[0])

class ARX(sm.tsa.SARIMAX):
    """SARIMAX with one coefficient more"""

    def __init__(self, endog, exog, **kw):
        super().__init__(endog, order=(1, 0, 0), **kw)
        self.z = np.asarray(exog)

    @property
    def param_names(self):
        return super().param_names + ['beta']

    @property
    def start_params(self):
        return np.r_[super().start_params, 0.0]

    def transform_params(self, u):
        return np.r_[super().transform_params(u[:-1]), u[-1]]

    def untransform_params(self, c):
        return np.r_[super().untransform_params(c[:-1]), c[-1]]

    def update(self, params, **kw):
        super().update(params[:-1], **kw)
        self['obs_intercept'] = (self.z * params[-1])[None, :]

def main():
    rng = np.random.default_rng(9)
    n = 150
    lvl = np.cumsum(rng.normal(0.1, 0.3, n))
    y = pd.Series(lvl + rng.normal(size=n), index=pd.date_range('2000', periods=n, freq='QS'), name='y')
    m = LocalTrend(y)
    r = m.fit(disp=False, maxiter=60)
    print(r.summary())
    print(r.smoothed_state[:, -1].round(2), r.filtered_state[0, -2:].round(2), r.smoothed_state_cov[0, 0, -1].round(3))
    print(r.forecast(2).round(2), r.get_forecast(2).conf_int().round(1))
    print(m.simulate(r.params, 3, random_state=1).shape)
    print(r.states.smoothed.tail(1).round(2))
    sim = m.simulation_smoother()
    sim.simulate(random_state=2) if True else None
    print(sim.simulated_state.shape)
    x = np.c_[np.ones(n), rng.normal(size=n)]
    tv = TVReg(y.values, x)
    print(tv.fit(disp=False, maxiter=20).params.round(2))
    a = ARMA11(sm.tsa.arma_generate_sample([1, -0.7], [1, 0.3], 200, distrvs=np.random.default_rng(3).normal))
    ar = a.fit(disp=0)
    print(ar.params.round(2))
    rr = a.smooth(ar.params, results_class=Res) if True else None
    print(round(rr.persistence(), 2), ar.state_names if hasattr(ar, 'state_names') else a.state_names)
    with a.fix_params({'theta': 0.3}):
        print(a.fit(disp=0).params.round(2))
    ax = ARX(y, x[:, 1])
    print(ax.fit(disp=0, maxiter=30).params.round(2).to_dict())
    kf = KalmanFilter(k_endog=1, k_states=1, k_posdef=1, transition=[[0.9]], design=[[1.0]], selection=[[1.0]], state_cov=[[1.0]], obs_cov=[[0.5]])
    kf.bind(y.values)
    kf.initialize_stationary()
    f = kf.filter()
    print(f.llf.round(3), f.forecasts[0, :2].round(3), f.kalman_gain.shape)
    kf.filter_method = kalman_filter.FILTER_CONVENTIONAL
    kf.inversion_method = INVERT_UNIVARIATE | SOLVE_CHOLESKY
    print(kf.loglike().round(3))
    ks = KalmanSmoother(k_endog=1, k_states=1, k_posdef=1, transition=[[0.9]], design=[[1.0]], selection=[[1.0]], state_cov=[[1.0]], obs_cov=[[0.5]])
    ks.bind(y.values)
    ks.initialize_known(np.zeros(1), np.eye(1))
    print(ks.smooth().smoothed_state[0, :2].round(3))
    ini = Initialization(1, 'known', constant=[0], stationary_cov=[[1.0]])
    ks.initialize(ini)
    print(ini.initialization_type)

    def callback(xk):
        hist.append(xk.round(2).tolist())
    hist = []
    m.fit(disp=False, maxiter=3, callback=callback, method='lbfgs')
    print(len(hist) > 0)
    print(m.loglikeobs(r.params)[:3].round(2), m.score(r.params).shape, m.hessian(r.params).shape, r.cov_params_approx.shape, r.info_criteria('bic').round(1), r.bse.round(2).tolist())
main()
