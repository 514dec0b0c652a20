import numpy as np
import pandas as pd
from statsmodels.tsa.seasonal import STL, seasonal_decompose
from statsmodels.tsa.stattools import acf, adfuller
from statsmodels.tsa.holtwinters import ExponentialSmoothing
import matplotlib.pyplot as plt

idx = pd.date_range("2012-01", periods=96, freq="MS")
rng = np.random.default_rng(23)
flu = pd.Series(200 + 80 * np.cos(2 * np.pi * (idx.month - 1) / 12) + 0.5 * np.arange(96) + rng.normal(0, 15, 96), index=idx, name="flu")

dec = seasonal_decompose(flu, model="additive", period=12)
print(dec.seasonal.iloc[:12].round(1).to_string())
stl = STL(flu, period=12, robust=True).fit()
strength = max(0, 1 - stl.resid.var() / (stl.seasonal + stl.resid).var())
print(f"seasonal strength {strength:.2f}")
print("ACF lag 12: %.2f" % acf(flu, nlags=12)[-1])
print("ADF p on residual: %.4f" % adfuller(stl.resid)[1])

train, test = flu[:-12], flu[-12:]
hw = ExponentialSmoothing(train, trend="add", seasonal="add", seasonal_periods=12).fit()
forecast = hw.forecast(12)
naive = train[-12:].to_numpy()
mae = lambda a, b: float(np.abs(np.asarray(a) - np.asarray(b)).mean())
print("Holt-Winters beats 40:", mae(forecast, test) < 40, "naive below 40:", mae(naive, test) < 40)

fig = stl.plot()
fig.set_size_inches(8, 6)
fig.savefig(OUTPUT / "stl.png")
plt.figure()
flu.plot(label="observed")
flu.rolling(12, center=True).mean().plot(label="12-month mean")
forecast.plot(style="--", label="forecast")
plt.legend()
plt.savefig(OUTPUT / "forecast.png")
