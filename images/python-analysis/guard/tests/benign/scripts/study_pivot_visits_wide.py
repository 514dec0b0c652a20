import pandas as pd

v = visits.copy()
v["date"] = pd.to_datetime(v["date"])
wide = v.pivot(index="patient_id", columns="visit", values=["sbp", "dbp"])
wide.columns = [f"{name}_v{visit}" for name, visit in wide.columns]
wide = wide.reset_index()
wide["sbp_change"] = wide["sbp_v4"] - wide["sbp_v1"]
wide = wide.merge(patients[["patient_id", "arm", "site"]], on="patient_id", validate="one_to_one")

print(wide.shape)
print(wide.head(4).to_string(index=False))
print(wide.groupby("arm")["sbp_change"].describe().round(2))
print(pd.pivot_table(wide, index="site", columns="arm", values="sbp_change", aggfunc=["mean", "count"]).round(1))

back = pd.wide_to_long(
    wide.drop(columns="sbp_change"), stubnames=["sbp", "dbp"], i="patient_id", j="visit", sep="_v"
).reset_index()
print(len(back) == len(v), sorted(back.columns))
melted = wide.melt(id_vars=["patient_id", "arm"], value_vars=["sbp_v1", "sbp_v4"], var_name="time", value_name="sbp")
melted["time"] = melted["time"].str.replace("sbp_v", "visit ", regex=False)
print(melted.groupby(["arm", "time"])["sbp"].agg(["mean", "std", "count"]).round(2))
wide.to_csv(OUTPUT / "wide.csv", index=False, na_rep="NA")
