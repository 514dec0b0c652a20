"""State space models of one's own: tides with two harmonics, a damped trend with exposure, filters fed by hand."""
import numpy as np
import pandas as pd
import statsmodels.api as sm
from statsmodels.tsa.statespace import initialization, tools
from statsmodels.tsa.statespace.kalman_filter import INVERT_UNIVARIATE, SOLVE_CHOLESKY, KalmanFilter
from statsmodels.tsa.statespace.kalman_smoother import KalmanSmoother
from statsmodels.tsa.statespace.mlemodel import MLEModel
from statsmodels.tsa.statespace.simulation_smoother import SimulationSmoother

rng = np.random.default_rng(1953)
hours = pd.date_range("2030-05-01", periods=180, freq="h")
sea = 3 * np.cos(2 * np.pi * np.arange(180) / 12.42) + 0.8 * np.sin(2 * np.pi * np.arange(180) / 24) + rng.normal(0, 0.2, 180)
tide = pd.Series(sea, index=hours, name="level")


class Tide(MLEModel):
    """Each harmonic is a turning pair of states."""

    periods = (12.42, 24.0)

    def __init__(self, endog, **kwargs):
        count = 2 * len(self.periods)
        super().__init__(endog, k_states=count, k_posdef=count, **kwargs)
        self["design"] = np.tile([1.0, 0.0], len(self.periods))[None, :]
        self["selection"] = np.eye(count)
        for place, period in enumerate(self.periods):
            turn, at = 2 * np.pi / period, slice(2 * place, 2 * place + 2)
            self["transition", at, at] = [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]
        self.ssm.initialize(initialization.Initialization(count, "approximate_diffuse"))
        self.loglikelihood_burn = count

    @property
    def param_names(self):
        return ["var.noise", *(f"var.{period:g}h" for period in self.periods)]

    @property
    def start_params(self):
        return np.r_[np.var(self.endog) / 4, np.full(len(self.periods), 1e-3)]

    def transform_params(self, unconstrained):
        return np.square(unconstrained)

    def untransform_params(self, constrained):
        return np.sqrt(constrained)

    def update(self, params, transformed=True, includes_fixed=False, complex_step=False):
        params = self.handle_params(params, transformed=transformed, includes_fixed=includes_fixed)
        self["obs_cov", 0, 0] = params[0]
        for place, variance in enumerate(params[1:]):
            for state in (2 * place, 2 * place + 1):
                self["state_cov", state, state] = variance


class DampedTrend(MLEModel):
    def __init__(self, endog, exposure):
        self.exposure = np.asarray(exposure, float)
        super().__init__(endog, k_states=2, k_posdef=1, initialization="stationary" if False else "approximate_diffuse", exog=None)
        self.k_exog = 1
        self["design", 0, 0] = 1.0
        self["selection", 1, 0] = 1.0
        self["transition", 0, 0] = self["transition", 0, 1] = 1.0
        self.ssm["obs_intercept"] = np.zeros((1, self.nobs))
        self._place = ("state_cov", 0, 0)

    start_params = property(lambda self: np.array([0.5, 0.1, 0.1, 0.0]))
    param_names = property(lambda self: ["damping", "var.noise", "var.slope", "exposure"])

    def transform_params(self, free):
        return np.r_[tools.constrain_stationary_univariate(free[:1]), free[1:3] ** 2, free[3]]

    def untransform_params(self, bound):
        return np.r_[tools.unconstrain_stationary_univariate(np.asarray(bound[:1])), np.sqrt(bound[1:3]), bound[3]]

    def update(self, params, **kwargs):
        params = super().update(params, **kwargs)
        self["transition", 1, 1] = params[0]
        self["obs_cov", 0, 0] = params[1]
        self[self._place] = params[2]
        self["obs_intercept"] = (params[3] * self.exposure)[None, :]


fit = Tide(tide).fit(disp=0, maxiter=60)
print(list(fit.params.index), bool(fit.llf > -200), fit.get_forecast("2030-05-09 02:00").predicted_mean.index[-1].isoformat())
print(round(float(np.hypot(*fit.smoothed_state[:2, -1]))), fit.filtered_state.shape, fit.get_prediction(start=170).summary_frame().columns.tolist()[:2])
print(len(fit.simulate(5, random_state=1) if "random_state" in fit.simulate.__doc__ else fit.simulate(5)), "level" in fit.summary().as_text())
damped = DampedTrend(np.cumsum(rng.normal(size=90)) * 0.1 + np.tile([0, 1.0], 45), np.tile([0, 1], 45))
result = damped.fit(disp=0, maxiter=40)
print(damped.param_names, abs(result.params[3] - 1) < 0.5, -1 < result.params[0] < 1)
with damped.fix_params({"exposure": 1.0}):
    print(damped.fit(disp=0, maxiter=20).params[3])
walk = np.cumsum(rng.normal(size=40))
plain = KalmanFilter(k_endog=1, k_states=1, transition=[[1.0]], selection=[[1.0]], design=[[1.0]], state_cov=[[1.0]], obs_cov=[[0.5]])
plain.bind(walk.copy())
plain.initialize_approximate_diffuse(100.0)
plain.set_inversion_method(INVERT_UNIVARIATE | SOLVE_CHOLESKY)
print(np.isfinite(plain.filter().llf), plain.inversion_method > 0)
smoother = KalmanSmoother(k_endog=1, k_states=1, transition=[[1.0]], selection=[[1.0]], design=[[1.0]], state_cov=[[1.0]], obs_cov=[[0.5]])
smoother.bind(walk.copy())
smoother.initialize_known(np.zeros(1), np.eye(1))
print(smoother.smooth().smoothed_state.shape, smoother.loglike() < 0)
simulated = sm.tsa.UnobservedComponents(walk, "llevel").simulation_smoother(method="kfs") if False else sm.tsa.UnobservedComponents(walk, "llevel").simulation_smoother()
simulated.simulate()
print(simulated.simulated_state.shape, SimulationSmoother.__name__, tools.companion_matrix([1, -0.5, 0.2]).tolist(), bool(tools.is_invertible([1, 0.4])))
