"""Report and fill missing values before the analysis."""
import numpy as np
import pandas as pd

df = patients.copy()
missing = df.isna().sum().sort_values(ascending=False)
print("Missing values per column")
print(missing[missing > 0].to_string())
df["bmi"] = df["bmi"].fillna(df.groupby("sex")["bmi"].transform("median"))
df["smoker"] = df["smoker"].fillna("unknown").astype("category")
df = df.dropna(subset=["age"])
df.loc[df["bmi"] > 60, "bmi"] = np.nan
df["bmi"] = df["bmi"].interpolate(limit_direction="both").round(1)
assert not df["bmi"].isna().any()
print(df.describe(include="all").T[["count", "unique", "mean"]].to_string())
df.to_csv(OUTPUT / "patients_clean.csv", index=False)
