import numpy as np
import pandas as pd
import seaborn as sns
import matplotlib.pyplot as plt
import statsmodels.formula.api as smf
from itertools import combinations

wide = (visits.pivot(index="patient_id", columns="visit", values="sbp").add_prefix("sbp_v")
        .join(labs.groupby(["patient_id", "test"])["value"].mean().unstack())
        .join(patients.set_index("patient_id")))
miss = wide.isna()
summary = miss.agg(["sum", "mean"]).T.rename(columns={"sum": "n", "mean": "pct"}).assign(pct=lambda x: x["pct"] * 100).sort_values("n", ascending=False)
print(summary.query("n > 0").round(1))
pattern = miss.loc[:, miss.any()].apply(lambda r: "".join("X" if m else "." for m in r), axis=1).value_counts()
print(pattern.head(8).to_string())
print("complete cases", (~miss.any(axis=1)).sum(), "of", len(wide))
for a, b in combinations(["age", "bmi", "smoker"], 2):
    print(a, b, pd.crosstab(miss[a], miss[b]).values.tolist())
first = wide.columns[wide.isna().any()][0]
fit = smf.logit(f"m ~ arm + sex + site", wide.assign(m=wide.filter(like="sbp").isna().any(axis=1).astype(int))).fit(disp=0)
print(np.exp(fit.params).round(2).to_dict())
fig, ax = plt.subplots(1, 2, figsize=(11, 4))
sns.heatmap(miss.T.astype(int), cbar=False, ax=ax[0], cmap="Greys", xticklabels=False)
summary.loc[summary.n > 0, "pct"].plot.barh(ax=ax[1])
fig.tight_layout()
fill = wide.copy()
num = fill.select_dtypes("number").columns
fill[num] = fill.groupby("arm")[list(num)].transform(lambda s: s.fillna(s.median()))
fill["smoker"] = fill["smoker"].fillna(fill["smoker"].mode()[0])
print(fill.isna().sum().sum(), wide[num].mean().sub(fill[num].mean()).abs().max().round(3))
locf = visits.sort_values(["patient_id", "visit"]).groupby("patient_id")["sbp"].ffill()
print("LOCF leaves", locf.isna().sum(), "interpolated", visits.sort_values(["patient_id", "visit"]).groupby("patient_id")["sbp"].transform(lambda s: s.interpolate(limit_direction="both")).isna().sum())
