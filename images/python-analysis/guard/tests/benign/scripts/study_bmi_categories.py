import pandas as pd
import numpy as np

bins = [0, 18.5, 25, 30, 35, np.inf]
names = ["Underweight", "Normal", "Overweight", "Obese I", "Obese II+"]
df = patients.assign(
    bmi_cat=pd.cut(patients["bmi"], bins=bins, labels=names, right=False),
    age_group=pd.cut(patients["age"], bins=range(20, 101, 20)).astype(str),
    smoker=patients["smoker"].map({"yes": True, "no": False}).astype("boolean"),
)
print(df["bmi_cat"].value_counts(sort=False, dropna=False))
print(df.groupby("bmi_cat", observed=False)["age"].agg(["count", "mean"]).round(1))
print(df["bmi_cat"].cat.categories.tolist(), df["bmi_cat"].cat.ordered)
print(df["smoker"].isna().sum(), df["smoker"].mean())

df["high_risk"] = (df["bmi_cat"] >= "Obese I") | df["smoker"].fillna(False)
by_site = df.groupby("site").agg(
    n=("patient_id", "nunique"),
    median_bmi=("bmi", "median"),
    iqr=("bmi", lambda s: s.quantile(0.75) - s.quantile(0.25)),
    high_risk=("high_risk", "mean"),
)
by_site["high_risk"] = by_site["high_risk"].map("{:.1%}".format)
print(by_site)
merged = df["bmi_cat"].cat.rename_categories({"Obese I": "Obese", "Obese II+": "Severely obese"})
print(merged.value_counts().idxmax(), merged.dropna().iloc[0])
dummies = pd.get_dummies(df["bmi_cat"], prefix="bmi", dtype=int)
print(dummies.sum().to_dict())
