import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from statsmodels.datasets import anes96, co2, engel, fair, grunfeld, longley, macrodata, modechoice, nile, randhie, scotland, statecrime, sunspots
from statsmodels.discrete.discrete_model import DiscreteResults, Logit, MNLogit, NegativeBinomialP, Poisson, Probit
from statsmodels.discrete.count_model import GenericZeroInflated, ZeroInflatedPoisson
from statsmodels.discrete.conditional_models import ConditionalLogit
from statsmodels.discrete.truncated_model import HurdleCountModel, TruncatedLFPoisson
from statsmodels.miscmodels.ordinal_model import OrderedModel
from statsmodels.miscmodels.count import PoissonZiGMLE
from statsmodels.othermod.betareg import BetaModel
from statsmodels.multivariate.pca import PCA
from statsmodels.multivariate.factor import Factor
from statsmodels.multivariate.manova import MANOVA
from statsmodels.multivariate.cancorr import CanCorr
from statsmodels.gam.api import BSplines, CyclicCubicSplines, GLMGam
from statsmodels.graphics.mosaicplot import mosaic
from statsmodels.graphics.regressionplots import abline_plot, plot_fit, plot_leverage_resid2
from statsmodels.graphics.boxplots import beanplot, violinplot
from statsmodels.graphics.functional import fboxplot, hdrboxplot, rainbowplot
from statsmodels.graphics.gofplots import ProbPlot, qqplot_2samples

print(engel.NOTE[:20].strip(), engel.load_pandas().data.shape, sm.datasets.anes96.COPYRIGHT[:10], sm.datasets.fair.SOURCE.strip()[:8])
a = anes96.load_pandas()
a.exog = sm.add_constant(a.exog, prepend=False)
mn = sm.MNLogit(a.endog, a.exog).fit(method="nm", maxiter=10, disp=0, full_output=0) if False else sm.MNLogit(a.endog, a.exog[["age", "const"]]).fit(disp=0)
print(mn.params.shape, mn.get_margeff().summary_frame().shape, mn.pred_table().shape)
f = fair.load_pandas().data.head(600)
f["affair"] = (f["affairs"] > 0).astype(float)
lg = smf.logit("affair ~ rate_marriage + age", f).fit(disp=0)
print(lg.pred_table().sum(), lg.predict(f[10:12]).round(2).tolist(), lg.get_margeff(at="overall").margeff.round(2))
om = OrderedModel(f.rate_marriage.astype(int), f[["age"]], distr="logit").fit(method="bfgs", disp=0)
print(om.params.shape, sm.Poisson(f.affairs.round(), f[["age"]]).fit(disp=0).llf < 0)
pc = PCA(statecrime.load_pandas().data, ncomp=2, standardize=True)
pc.plot_scree()
print(pc.factors.shape, Factor(statecrime.load_pandas().data, n_factor=1).fit().loadings.shape, MANOVA.from_formula("violent + murder ~ urban", statecrime.load_pandas().data).mv_test().results["urban"]["stat"].shape)
bs = BSplines(f[["age"]], df=[6], degree=[3])
gam = GLMGam(f.affair, smoother=bs, alpha=1.0, family=sm.families.Binomial()).fit()
gam.plot_partial(0, cpr=False)
mosaic(f.head(50), ["rate_marriage", "affair"])
print(gam.edf.sum() > 1, co2.load_pandas().data.co2.interpolate().resample("MS").mean().shape, sunspots.load().data.shape, nile.load().data["volume"].iloc[0])
print(sm.OLS(longley.load().endog, longley.load().exog).fit_regularized(alpha=.1).params.shape, sm.GLSAR(macrodata.load_pandas().data.realgdp, np.ones((203, 1)), rho=1).iterative_fit(2).params.round(0) is not None, sm.WLS([1, 2, 3.0], [[1, 1], [1, 2], [1, 3.0]], weights=[1, 2, 1]).fit().params.round(2))
sm.graphics.plot_corr(np.corrcoef(statecrime.load_pandas().data.T), xnames=list("abcdefg")[:7] if False else None), abline_plot(model_results=smf.ols("violent ~ murder", statecrime.load_pandas().data).fit()), violinplot([[1, 2, 3.0], [2, 3, 5.0]], labels=["a", "b"]), ProbPlot(np.arange(9.0)).qqplot()
x = sm.datasets.elnino.load_pandas().data.set_index("YEAR")
rainbowplot(x.to_numpy()[:20]), fboxplot(x.to_numpy()[:20])
