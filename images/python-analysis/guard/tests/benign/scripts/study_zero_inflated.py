import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy import stats
import warnings
from statsmodels.tools.sm_exceptions import ConvergenceWarning

warnings.simplefilter("ignore", ConvergenceWarning)
warnings.simplefilter("ignore", RuntimeWarning)

rng = np.random.default_rng(55)
n = 800
x = rng.normal(size=n)
never = rng.random(n) < 0.3
counts = np.where(never, 0, rng.poisson(np.exp(0.6 + 0.4 * x)))
X = sm.add_constant(pd.DataFrame({"x": x}))

poisson = sm.Poisson(counts, X).fit(disp=0)
nb = sm.NegativeBinomial(counts, X).fit(disp=0)
zip_fit = sm.ZeroInflatedPoisson(counts, X, exog_infl=np.ones((n, 1))).fit(disp=0, maxiter=200)

expected_zero = np.exp(-poisson.predict(X)).sum()
print(f"zeros: observed {int((counts == 0).sum())}, Poisson expects {expected_zero:.0f}")
print(pd.DataFrame({
    "AIC": [m.aic for m in (poisson, nb, zip_fit)],
    "slope": [poisson.params["x"], nb.params["x"], zip_fit.params["x"]],
}, index=["Poisson", "NegBin", "ZIP"]).round(2))
pi = 1 / (1 + np.exp(-zip_fit.params["inflate_const"]))
print(f"estimated share of structural zeros: {pi:.2f}")
dispersion = ((counts - poisson.predict(X)) ** 2 / poisson.predict(X)).sum() / poisson.df_resid
print(f"Pearson dispersion: {dispersion:.2f}")
