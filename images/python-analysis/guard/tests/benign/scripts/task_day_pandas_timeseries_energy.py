import numpy as np
import pandas as pd

pd.set_option("display.width", 120)
pd.set_option("display.max_columns", 20)

idx = pd.date_range("2031-01-01", periods=24 * 60, freq="h", tz="Europe/Berlin")
rng = np.random.RandomState(4)
load = 50 + 10 * np.sin(2 * np.pi * (idx.hour - 7) / 24) + np.where(idx.dayofweek >= 5, -8, 0) + rng.normal(0, 1.5, len(idx))
s = pd.Series(load, index=idx, name="MW")
s.iloc[100:106] = np.nan

print("missing", s.isna().sum(), "->", s.interpolate("time").isna().sum())
s = s.interpolate("time")
daily = s.resample("D").agg(["min", "mean", "max"])
print(daily.head(3).round(1))
by = s.groupby([s.index.day_name(), s.index.hour]).mean().unstack(0)
print(by.loc[[3, 12, 19], ["Monday", "Sunday"]].round(1))
rolling = s.rolling("7D").mean()
z = (s - s.rolling(48, center=True, min_periods=24).mean()) / s.rolling(48, center=True, min_periods=24).std()
print("peaks", int((z > 2.3).sum()) >= 0, "ewm", round(float(s.ewm(span=24).mean().iloc[-1]), 1))
change = daily["mean"].pct_change().mul(100).round(2)
print(change.describe().loc[["min", "max"]].to_dict())
lagged = pd.concat({f"lag{k}": s.shift(k) for k in (1, 24, 168)}, axis=1).assign(y=s).dropna()
print(lagged.corr()["y"].round(2).to_dict())
print(s.idxmax().strftime("%A %H:00"), s.between_time("08:00", "09:00").shape, s.at_time("12:00").mean().round(1))
print(s.tz_convert("UTC").index[0], s["2031-02"].size, s.loc["2031-01-15 10:00":"2031-01-15 12:00"].round(1).tolist())
weekly = s.to_frame().assign(week=lambda d: d.index.isocalendar().week).groupby("week")["MW"].sum().round(0)
print(weekly.head(2).to_dict())
print(pd.Timedelta("1 days 06:00:00").total_seconds(), (idx[-1] - idx[0]).days, pd.Timestamp("2031-03-30 03:30", tz="Europe/Berlin").utcoffset())
bd = pd.bdate_range("2031-04-14", "2031-04-25")
print(len(bd), bd[-1] + pd.offsets.MonthEnd(1), pd.Period("2031Q1").end_time.date())
