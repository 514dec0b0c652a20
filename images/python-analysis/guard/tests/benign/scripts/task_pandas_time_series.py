import numpy as np
import pandas as pd

rng = pd.date_range("2024-01-01", periods=90, freq="D")
values = np.sin(np.arange(90) / 7) * 10 + np.arange(90) * 0.2
ts = pd.Series(values, index=rng, name="value")

print(ts.resample("ME").agg(["mean", "min", "max"]).round(2))
print(ts.rolling(7).mean().dropna().head(2).round(3).to_string())
print(ts.ewm(span=10).mean().iloc[-1].round(3), ts.expanding().max().iloc[10].round(3))
print(ts.shift(1).corr(ts).round(4), ts.diff().abs().idxmax().date(), ts.pct_change().isna().sum())
print(ts["2024-02"].mean().round(3), ts["2024-02-10":"2024-02-12"].round(2).tolist(), ts.asof("2024-02-10 12:00").round(2))
print(ts.groupby(ts.index.dayofweek).mean().round(2).to_dict())
tz = ts.tz_localize("UTC").tz_convert("America/New_York")
print(tz.index[0], tz.index.tz)
print(pd.Timestamp("2024-03-10") + pd.offsets.BMonthEnd(), pd.bdate_range("2024-03-01", periods=3).tolist()[-1])
print(pd.Period("2024Q1").end_time.date(), pd.period_range("2024-01", periods=3, freq="M").astype(str).tolist())
print(pd.Timedelta("1 days 02:30:00").total_seconds(), pd.to_timedelta([90], unit="min")[0])
messy = pd.Series(["2024-01-05", "05/02/2024", "not a date"])
print(pd.to_datetime(messy, errors="coerce", format="mixed", dayfirst=True).isna().tolist())
gaps = ts.drop(ts.index[5:8]).asfreq("D")
print(gaps.isna().sum(), gaps.interpolate("time").iloc[6].round(3) == ts.iloc[[4, 8]].mean().round(3))
weekly = ts.to_frame().assign(week=lambda d: d.index.isocalendar().week)
print(weekly.groupby("week")["value"].sum().head(3).round(1).to_dict())
