import pandas as pd

merged = visits.merge(patients[["patient_id", "arm", "sex", "age"]], on="patient_id", how="left", validate="m:1")
summary = merged.groupby(["arm", "visit"], observed=True).agg(
    n=("patient_id", "nunique"),
    mean_sbp=("sbp", "mean"),
    sd_sbp=("sbp", "std"),
    p90=("sbp", lambda s: s.quantile(0.9)),
)
print(summary.round(2))
ranks = merged.groupby("visit")["sbp"].rank(method="dense", ascending=False)
print(ranks.head(3).tolist())
merged["z"] = merged.groupby("visit")["sbp"].transform(lambda s: (s - s.mean()) / s.std(ddof=1))
print(merged.groupby("arm")["z"].describe().round(3))
first = merged.sort_values("date").groupby("patient_id").first()
last = merged.sort_values("date").groupby("patient_id").last()
change = (last["sbp"] - first["sbp"]).rename("change")
print(change.groupby(first["arm"]).agg(["mean", "median", "count"]).round(2))
for (arm, sex), part in merged.groupby(["arm", "sex"]):
    print(arm, sex, part["sbp"].mean().round(1))
print(merged.groupby("arm").filter(lambda g: g["age"].mean() > 0).shape == merged.shape)
