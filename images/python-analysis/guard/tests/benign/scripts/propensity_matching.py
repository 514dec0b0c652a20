import numpy as np
import pandas as pd
import statsmodels.formula.api as smf

df = patients.dropna().copy()
df["treated"] = (df["arm"] == "active").astype(int)
df["ps"] = smf.logit("treated ~ age + bmi + C(sex)", df).fit(disp=0).predict(df)
controls = df[df["treated"] == 0].copy()
pairs = []
for idx, row in df[df["treated"] == 1].sort_values("ps").iterrows():
    if controls.empty:
        break
    distance = (controls["ps"] - row["ps"]).abs()
    best = distance.idxmin()
    if distance[best] < 0.05:
        pairs.append((idx, best))
        controls = controls.drop(index=best)
matched = df.loc[[i for pair in pairs for i in pair]]
def smd(d, c):
    a, b = d.loc[d.treated == 1, c], d.loc[d.treated == 0, c]
    return (a.mean() - b.mean()) / np.sqrt((a.var() + b.var()) / 2)
print(len(pairs), {c: (round(smd(df, c), 3), round(smd(matched, c), 3)) for c in ("age", "bmi")})
w = np.where(df["treated"] == 1, 1 / df["ps"], 1 / (1 - df["ps"]))
print(round(float(w.mean()), 3), pd.Series(w).describe().round(2).to_dict())
