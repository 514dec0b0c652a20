"""Weekly counts, and the laboratory value nearest before each visit."""
import pandas as pd
import numpy as np
from pandas.tseries.offsets import BDay, MonthEnd, DateOffset, CustomBusinessDay
from pandas.tseries.holiday import AbstractHolidayCalendar, Holiday, nearest_workday, EasterMonday

v = visits.copy()
v["date"] = pd.to_datetime(v["date"], format="%Y-%m-%d", exact=False) if v["date"].dtype == object else v["date"]
l = labs.assign(date=lambda x: pd.to_datetime(x["date"]))
glu = l[l.test.eq("glucose")].dropna(subset=["value"]).sort_values("date")
j = pd.merge_asof(v.sort_values("date"), glu[["patient_id", "date", "value"]].rename(columns={"date": "lab_date"}), left_on="date", right_on="lab_date", by="patient_id", tolerance=pd.Timedelta(days=90), direction="backward")
j["lag"] = (j.date - j.lab_date).dt.days
print(j.lag.describe().round(1), j.value.notna().mean().round(2))
near = pd.merge_asof(v.sort_values("date"), glu[["patient_id", "date", "value"]], on="date", by="patient_id", direction="nearest")
print(near.value.mean().round(2))
wk = v.set_index("date").resample("W-MON").agg({"sbp": "mean", "patient_id": "nunique"}).rename(columns={"patient_id": "n"})
print(wk.head(3).round(1), wk.index.freqstr)
print(v.set_index("date").groupby("visit").resample("MS").sbp.median().unstack(0).round(0).head(3))
print(wk.n.rolling(4, min_periods=2).sum().tail(2).tolist(), wk.n.ewm(span=3).mean().round(2).tail(1).tolist(), wk.asfreq("D").sbp.interpolate("time").iloc[1:3].round(1).tolist())

class Clinic(AbstractHolidayCalendar):
    rules = [Holiday("New year", month=1, day=1, observance=nearest_workday), EasterMonday, Holiday("Founders", month=5, day=17)]

open_ = CustomBusinessDay(calendar=Clinic())
print(Clinic().holidays("2021-01-01", "2021-12-31").strftime("%d %b").tolist())
v["due"] = v.groupby("patient_id").date.transform("min") + pd.to_timedelta((v.visit - 1) * 60, unit="D")
v["window"] = (v.date - v.due).dt.days.abs().le(14)
print(v.groupby("visit").window.mean().round(2).to_dict(), (pd.Timestamp("2021-04-01") + open_).date(), pd.Timestamp("2021-01-30") + MonthEnd(), pd.bdate_range("2021-03-01", periods=3, freq="B")[-1], pd.Timestamp("2020-02-29") + DateOffset(years=1))
p = v.date.dt
print(p.isocalendar().week.head(2).tolist(), p.day_name().value_counts().index[0], p.quarter.unique(), p.to_period("M").nunique(), p.strftime("%Y/%m").min(), p.normalize().equals(v.date), p.is_month_end.sum())
mixed = pd.Series(["2021-03-04", "05.03.2021", "2021-13-01", None, "6 March 2021"])
print(pd.to_datetime(mixed, errors="coerce", format="mixed", dayfirst=True).dt.date.tolist())
age = (pd.Timestamp("2021-06-30") - pd.to_datetime(pd.Series(["1950-07-01", "2000-02-29"]))) / np.timedelta64(1, "D") / 365.25
print(np.floor(age).tolist(), pd.Timedelta("2 days 03:30:00").total_seconds(), pd.to_timedelta(["1h", "01:30:00"]).sum(), pd.period_range("2021Q1", "2021Q4", freq="Q").to_timestamp(how="end").normalize()[0])
tz = pd.Timestamp("2021-03-28 01:30", tz="Europe/Berlin")
print(tz + pd.Timedelta(hours=1), tz.tz_convert("UTC"), pd.DatetimeIndex(["2021-10-31 02:30"]).tz_localize("Europe/Berlin", ambiguous=[True])[0])
cum = v.groupby("date").size().cumsum()
print(cum.reindex(pd.date_range(cum.index[0], periods=5)).ffill().astype(int).tolist(), cum.truncate(before="2021-05-01").size, v.set_index("date").sort_index().loc["2021-03":"2021-04"].shape)
