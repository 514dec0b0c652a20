import numpy as np
import pandas as pd
import statsmodels.api as sm

index = pd.date_range("2018-01-01", periods=60, freq="MS")
rng = np.random.default_rng(4)
series = pd.Series(10 + 0.1 * np.arange(60) + 2 * np.sin(np.arange(60) * np.pi / 6) + rng.normal(0, 0.3, 60), index)
print(series.diff().describe().round(3).to_dict())
parts = sm.tsa.seasonal_decompose(series, period=12)
print(parts.trend.dropna().head(2).round(3).to_dict())
print(sm.tsa.adfuller(series)[1] < 1, sm.tsa.acf(series, nlags=3).round(3))
model = sm.tsa.ARIMA(series, order=(1, 0, 0), trend="ct").fit()
print(model.forecast(2).round(1).index[0], model.nobs)
print(series.ewm(halflife=3).mean().tail(2).round(3).tolist(), series.shift(1).corr(series).round(3))
print(series.rolling(12, center=True).mean().dropna().iloc[[0, -1]].round(3).tolist())
print(series.groupby(series.index.month).mean().round(2).head(3).to_dict())
