import numpy as np
import pandas as pd

p = patients.dropna(subset=["age", "bmi"]).copy()
p["age_group"] = pd.cut(p["age"], bins=[0, 40, 60, 75, np.inf], labels=["<40", "40-59", "60-74", "75+"], right=False)
p["bmi_q"] = pd.qcut(p["bmi"], 4, labels=[f"Q{i}" for i in range(1, 5)])
p["sex"] = p["sex"].map({"F": "female", "M": "male"}).astype("category")
print(p["age_group"].value_counts(sort=False).to_dict())
print(p.groupby(["age_group", "bmi_q"], observed=False).size().unstack().to_string())
print(p["age_group"].cat.codes.value_counts().sort_index().to_dict())
p["risk"] = np.select([p["bmi"] > 30, p["age"] > 65], ["obese", "old"], default="low")
p["flag"] = np.where(p["smoker"].eq("yes"), 1, 0)
print(p.groupby("risk")["flag"].mean().round(3).to_dict())
print(pd.get_dummies(p[["sex", "risk"]], drop_first=True, dtype=int).sum().to_dict())
print(p["age_group"].cat.reorder_categories(["75+", "60-74", "40-59", "<40"], ordered=True).min())
