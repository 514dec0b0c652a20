import pandas as pd
import numpy as np
from pandas.api.types import CategoricalDtype, is_numeric_dtype, union_categoricals, infer_dtype

sex = CategoricalDtype(["F", "M"])
bmi_cat = CategoricalDtype(["under", "normal", "over", "obese"], ordered=True)
d = patients.astype({"sex": sex, "arm": "category", "site": "category"})
d["bmi_class"] = pd.cut(d.bmi, [0, 18.5, 25, 30, 100], labels=bmi_cat.categories, right=False).astype(bmi_cat)
d["age_q"] = pd.qcut(d.age, 4, labels=[f"Q{i}" for i in range(1, 5)])
print(d.dtypes)
print(d.bmi_class.value_counts(sort=False, dropna=False))
print((d.bmi_class >= "over").sum(), d.bmi_class.min(), d.bmi_class.max(), d.bmi_class.cat.codes.value_counts().sort_index().to_dict())
d["risk"] = d.bmi_class.cat.rename_categories({"under": "low", "normal": "low "}).cat.remove_unused_categories()
print(d.risk.cat.categories.tolist(), d.site.cat.reorder_categories(["C", "B", "A"], ordered=True).sort_values().iloc[[0, -1]].tolist())
two = d.bmi_class.map({"under": "not obese", "normal": "not obese", "over": "not obese", "obese": "obese"}).fillna("not obese") if not d.bmi_class.isna().any() else d.bmi_class.astype(object).where(d.bmi_class == "obese", "not obese")
print(two.value_counts().to_dict())
print(pd.crosstab(d.bmi_class, [d.arm, d.sex], margins=True, dropna=False, normalize="columns").round(2))
print(pd.crosstab(d.site, d.age_q, values=d.bmi, aggfunc="median").round(1))
for nm, g in d.groupby(["site", "bmi_class"], observed=False):
    if len(g) == 0:
        print("empty:", nm)
dm = pd.get_dummies(d[["sex", "site"]], prefix_sep="=", drop_first=True, dtype=int)
print(dm.head(2), dm.columns.tolist(), pd.from_dummies(pd.get_dummies(d[["site"]]), sep="_").head(1).values)
c1, c2 = pd.Categorical(["a", "b"]), pd.Categorical(["b", "c"])
print(union_categoricals([c1, c2]).categories, pd.Categorical.from_codes([0, 1, -1], ["no", "yes"]), is_numeric_dtype(d.bmi), infer_dtype(d.sex.tolist()))
codes, uniq = pd.factorize(d.site, sort=True)
print(codes[:4], uniq.tolist(), d.memory_usage(deep=True)["site"] < patients.memory_usage(deep=True)["site"])
iv = pd.interval_range(20, 90, freq=10, closed="left")
print(pd.cut(d.age.dropna(), iv).value_counts().sort_index().head(3), iv[0].left, iv.get_indexer([25, 95]), pd.Interval(0, 5) in pd.arrays.IntervalArray.from_breaks([0, 5, 10]))
d.loc[0, "site"] = np.nan
try:
    d.loc[1, "site"] = "Z"
except TypeError as e:
    print("refused:", str(e)[:60])
print(d.select_dtypes(["category"]).columns.tolist(), d.describe(include="category").T[["unique", "top"]])
