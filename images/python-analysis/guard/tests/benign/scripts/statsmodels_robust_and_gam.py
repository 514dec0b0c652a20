"""Robust fits, smooth terms, copulas, empirical likelihood and variance functions."""
import warnings

import numpy as np
import statsmodels.api as sm
from statsmodels.distributions.copula.archimedean import ClaytonCopula
from statsmodels.distributions.copula.elliptical import GaussianCopula
from statsmodels.emplike.descriptive import DescStat
from statsmodels.gam.generalized_additive_model import GLMGam
from statsmodels.gam.smooth_basis import BSplines
from statsmodels.genmod.families import varfuncs
from statsmodels.graphics.plot_grids import scatter_ellipse
from statsmodels.miscmodels.count import PoissonGMLE
from statsmodels.nonparametric.kernels_asymmetric import pdf_kernel_asym
from statsmodels.robust.norms import HuberT, TukeyBiweight
from statsmodels.stats.regularized_covariance import RegularizedInvCovariance
from statsmodels.tools.decorators import cache_readonly

warnings.simplefilter("ignore")
rng = np.random.default_rng(8)
x = np.sort(rng.uniform(0, 10, 120))
y = np.sin(x) + 0.1 * x + rng.normal(0, 0.2, 120)
y[:3] += 15
exog = sm.add_constant(x)
for norm in (HuberT(), TukeyBiweight()):
    print(type(norm).__name__, sm.RLM(y, exog, M=norm).fit().params.round(2).tolist())
smooth = GLMGam(y[3:], smoother=BSplines(x[3:], df=[8], degree=[3]), alpha=[0.1]).fit()
print(round(float(smooth.aic), 1) > 0, smooth.params.shape)
print(round(float(ClaytonCopula(theta=2).tau()), 3), GaussianCopula(corr=0.5).rvs(4, random_state=1).shape)
low, high = DescStat(y[3:]).ci_mean()
print(bool(low < y[3:].mean() < high), varfuncs.mu_squared(3.0))
print(round(float(pdf_kernel_asym(1.0, np.abs(y), 0.2, "gamma")), 3) > 0)
counts = rng.poisson(np.exp(0.3 + 0.1 * x))
print(PoissonGMLE(counts, exog).fit(start_params=[0.1, 0.1], disp=0).params.round(1).tolist())
print(RegularizedInvCovariance(np.column_stack([x, y])).fit(alpha=0.1) is None)
scatter_ellipse(np.column_stack([x, y, x + y]))


class Held:
    def __init__(self):
        self._cache = {}
        self.asked = 0

    @cache_readonly
    def value(self):
        self.asked += 1
        return 42


held = Held()
print(held.value, held.value, held.asked)
