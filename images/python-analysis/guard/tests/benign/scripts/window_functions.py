import pandas as pd

v = visits.sort_values(["patient_id", "visit"]).copy()
g = v.groupby("patient_id")
v["previous"] = g["sbp"].shift()
v["delta"] = g["sbp"].diff()
v["cumulative"] = g["sbp"].cumsum()
v["n"] = g.cumcount() + 1
v["best"] = g["sbp"].cummin()
v["pct"] = g["sbp"].pct_change(fill_method=None)
v["smooth"] = g["sbp"].transform(lambda s: s.rolling(2, min_periods=1).mean())
v["expanding"] = g["sbp"].expanding().mean().reset_index(level=0, drop=True)
print(v.drop(columns=["date"]).head(4).round(2).to_string())
print(v.loc[g["sbp"].idxmax().dropna(), ["patient_id", "visit"]].head(2).values.tolist())
print(g.ngroups, g.get_group(v["patient_id"].iloc[0]).shape, g.nth(0).shape, g.tail(1).shape, g["sbp"].nunique().max())
for name, value in v[["sbp", "delta"]].agg(["mean", "skew"]).items():
    print(name, value.round(3).to_dict())
