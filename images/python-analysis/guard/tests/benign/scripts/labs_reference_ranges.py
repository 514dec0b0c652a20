import pandas as pd

REFERENCE = {"glucose": (3.9, 5.6), "sodium": (135, 145), "hemoglobin": (12.0, 17.5)}

def classify(row):
    low, high = REFERENCE[row["test"]]
    if pd.isna(row["value"]):
        return "missing"
    return "low" if row["value"] < low else "high" if row["value"] > high else "normal"

labs["status"] = labs.apply(classify, axis=1)
table = labs.groupby(["test", "status"]).size().unstack(fill_value=0)
table["abnormal %"] = (100 * (table.get("low", 0) + table.get("high", 0)) / table.sum(axis=1)).round(1)
print(table)
units = {"mg/dL": 1 / 18.016}
labs["si"] = labs["value"] * labs["unit"].map(units).fillna(1)
print(labs.groupby("test")["si"].median().round(2).to_dict())
labs["date"] = pd.to_datetime(labs["date"])
last = labs.sort_values("date").drop_duplicates(["patient_id", "test"], keep="last")
print(last.pivot(index="patient_id", columns="test", values="value").corr().round(2).to_string())
labs.loc[labs["status"].eq("high") & labs["test"].eq("glucose"), "flag"] = "H"
print(labs["flag"].value_counts(dropna=False).to_dict())
