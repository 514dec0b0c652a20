import datetime as dt
import pandas as pd

v = visits.copy()
v["date"] = pd.to_datetime(v["date"])
v["month"] = v["date"].dt.to_period("M")
print(v.groupby("month").size().head())
monthly = v.set_index("date")["sbp"].resample("MS").agg(["mean", "count"])
print(monthly.head(3).round(2))
print(v["date"].dt.day_name().value_counts().sort_index().to_dict())
print(v.set_index("date")["sbp"].sort_index().rolling("30D").mean().tail(3).round(2).tolist())
cut = dt.date(2021, 6, 1)
print((v["date"].dt.date >= cut).sum())
print((v["date"].max() - v["date"].min()).days // 30)
start = dt.datetime.strptime("2021-01-31 08:15", "%Y-%m-%d %H:%M")
for step in (pd.DateOffset(months=1), pd.offsets.MonthEnd(), pd.offsets.BusinessDay(3), dt.timedelta(weeks=2)):
    print((start + step).strftime("%A %d %B %Y, %H:%M"))
print(pd.date_range("2021-01-01", periods=4, freq="W-MON").strftime("%d/%m/%y").tolist())
print(pd.Timestamp("2021-03-28 01:30", tz="UTC").tz_convert("Europe/Zurich").isoformat())
print(dt.date.fromisoformat("2024-02-29").isocalendar())
