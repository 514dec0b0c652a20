import pandas as pd

left = patients.set_index("patient_id")[["arm", "site"]]
right = events.set_index("patient_id")
joined = left.join(right, how="outer")
print(joined.isna().sum().to_dict())
m = patients.merge(events, on="patient_id", how="outer", indicator=True, suffixes=("", "_event"))
print(m["_merge"].value_counts().to_dict())
only_left = m.loc[m["_merge"] == "left_only", "patient_id"].tolist()
print(len(only_left))
asof = pd.merge_asof(
    labs.assign(date=pd.to_datetime(labs["date"])).sort_values("date"),
    visits.assign(date=pd.to_datetime(visits["date"])).sort_values("date")[["patient_id", "date", "visit"]],
    on="date", by="patient_id", direction="nearest", tolerance=pd.Timedelta("30D"),
)
print(asof["visit"].notna().mean().round(3))
print(pd.concat({"a": left.head(2), "b": left.tail(2)}, names=["part"]).to_string())
print(left.combine_first(right).shape, left.index.difference(right.index).size)
