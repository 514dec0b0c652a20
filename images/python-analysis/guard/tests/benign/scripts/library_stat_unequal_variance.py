# # Sensor drift: WLS, GLS and GLSAR on the same line
import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy.linalg import toeplitz

np.random.seed(77)
t = np.arange(120)
sd = np.where(t < 60, .5, 2.)
e = np.zeros(120)
for i in range(1, 120):
    e[i] = .6 * e[i - 1] + np.random.normal(scale=sd[i])
y = 12 + .05 * t + e
X = sm.add_constant(pd.DataFrame({"hour": t}))

ols = sm.OLS(y, X).fit()
wls = sm.WLS(y, X, weights=1 / sd ** 2).fit()
rho = np.corrcoef(ols.resid[1:], ols.resid[:-1])[0, 1]
order = toeplitz(np.arange(len(y)))
gls = sm.GLS(y, X, sigma=rho ** order).fit()
glsar = sm.GLSAR(y, X, rho=1)
for i in range(5):
    r = glsar.fit()
    print("iteration", i, "rho", glsar.rho.round(4), "slope", r.params.iloc[1].round(5))
    rho_, sigma_ = sm.regression.yule_walker(r.resid, order=glsar.order)
    glsar = sm.GLSAR(y, X, rho_)
r = glsar.iterative_fit(maxiter=6)

tab = pd.concat({
    "ols": pd.DataFrame({"b": ols.params, "se": ols.bse}),
    "wls": pd.DataFrame({"b": wls.params, "se": wls.bse}),
    "gls": pd.DataFrame({"b": gls.params, "se": gls.bse}),
    "glsar": pd.DataFrame({"b": r.params, "se": r.bse}, index=X.columns),
}, axis=1)
print(tab.round(4))

hac = ols.get_robustcov_results(cov_type="HAC", maxlags=6, use_correction=True)
print(hac.summary().tables[1])
print("Durbin-Watson", sm.stats.durbin_watson(ols.resid).round(3))
print("Ljung-Box\n", sm.stats.acorr_ljungbox(ols.resid, lags=[1, 5, 10]))
print(sm.stats.acorr_breusch_godfrey(ols, nlags=2))
print(sm.stats.het_goldfeldquandt(y, X.values))
whitened = gls.model.whiten(y)
print(whitened[:4].round(3), gls.model.df_resid, gls.model.cholsigmainv.shape)
