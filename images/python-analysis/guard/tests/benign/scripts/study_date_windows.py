"""Labs within a window around each visit, with merge_asof."""
import pandas as pd
import numpy as np
from datetime import timedelta

v = visits.assign(date=pd.to_datetime(visits["date"])).sort_values("date")
l = labs.assign(date=pd.to_datetime(labs["date"])).dropna(subset=["value"]).sort_values("date")
glucose = l[l["test"] == "glucose"].rename(columns={"value": "glucose", "date": "lab_date"})

merged = pd.merge_asof(
    v, glucose[["patient_id", "lab_date", "glucose"]],
    left_on="date", right_on="lab_date", by="patient_id",
    direction="nearest", tolerance=pd.Timedelta(days=45),
)
merged["gap_days"] = (merged["lab_date"] - merged["date"]).dt.days
print(merged["glucose"].notna().sum(), "of", len(merged), "visits have a glucose within 45 days")
print(merged["gap_days"].describe().round(1).to_string())

first = v.groupby("patient_id")["date"].min()
last = v.groupby("patient_id")["date"].max()
follow_up = (last - first).dt.days
print("follow-up: median %d, range %d-%d days" % (follow_up.median(), follow_up.min(), follow_up.max()))
print(v["date"].dt.to_period("M").value_counts().sort_index().to_string())
print(v.set_index("date").resample("QS")["sbp"].mean().round(1).to_string())
cutoff = v["date"].min() + timedelta(days=90)
print("before", cutoff.strftime("%d %b %Y"), ":", int((v["date"] < cutoff).sum()))
weekday = v["date"].dt.day_name().value_counts().reindex(["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"])
print(weekday.to_dict())
