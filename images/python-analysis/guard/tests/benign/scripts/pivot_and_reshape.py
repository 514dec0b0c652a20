import pandas as pd

wide = visits.pivot(index="patient_id", columns="visit", values="sbp")
wide.columns = [f"sbp_v{c}" for c in wide.columns]
print(wide.head().round(1).to_string())
long = wide.reset_index().melt(id_vars="patient_id", var_name="visit", value_name="sbp").dropna()
long["visit"] = long["visit"].str.extract(r"v(\d+)", expand=False).astype(int)
print(long.sort_values(["patient_id", "visit"]).head(4))
table = pd.pivot_table(
    visits.merge(patients, on="patient_id"), index=["site", "arm"], columns="sex", values="sbp",
    aggfunc=["mean", "size"], fill_value=0,
)
print(table.round(1))
stacked = table["mean"].stack(future_stack=True)
print(stacked.index.nlevels, stacked.shape)
print(pd.crosstab(patients["arm"], [patients["sex"], patients["smoker"]], margins=True, normalize="all").round(3))
print(pd.wide_to_long(wide.reset_index(), stubnames="sbp_v", i="patient_id", j="visit").shape)
