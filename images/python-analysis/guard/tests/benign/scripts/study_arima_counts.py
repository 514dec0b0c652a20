import warnings
import numpy as np
import pandas as pd
from statsmodels.tsa.arima.model import ARIMA
from statsmodels.stats.diagnostic import acorr_ljungbox
from statsmodels.graphics.tsaplots import plot_acf, plot_pacf
import matplotlib.pyplot as plt

np.random.seed(15)
e = np.random.normal(0, 1, 160)
x = np.zeros(160)
for t in range(1, 160):
    x[t] = 0.7 * x[t - 1] + e[t]
series = pd.Series(50 + x, index=pd.date_range("2020-01-05", periods=160, freq="W"))

candidates = [(1, 0, 0), (0, 0, 1), (2, 0, 0)]
table = {}
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    for order in candidates:
        fit = ARIMA(series, order=order).fit()
        table[str(order)] = {"AIC": fit.aic, "BIC": fit.bic, "LB p": acorr_ljungbox(fit.resid, lags=[10])["lb_pvalue"].iloc[0]}
    best_order = min(candidates, key=lambda o: table[str(o)]["BIC"])
    best = ARIMA(series, order=best_order).fit()
print(pd.DataFrame(table).T.round(1))
print("best by BIC:", best_order, "phi = %.1f" % best.params["ar.L1"])
fc = best.get_forecast(4).summary_frame(alpha=0.2)
print(fc[["mean", "mean_ci_lower", "mean_ci_upper"]].round(0))
fig, axes = plt.subplots(1, 2, figsize=(9, 3))
plot_acf(series, ax=axes[0], lags=20)
plot_pacf(series, ax=axes[1], lags=20, method="ywm")
fig.savefig(OUTPUT / "acf.png")
