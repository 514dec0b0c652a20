import numpy as np
import statsmodels.formula.api as smf
from statsmodels.duration.hazard_regression import PHReg

df = patients.merge(events, on="patient_id").dropna()
df["male"] = (df["sex"] == "M").astype(float)
model = smf.phreg("time_days ~ age + male + C(arm)", data=df, status=df["event"].values, ties="efron").fit()
print(model.summary())
print(np.exp(model.params).round(3))
direct = PHReg(df["time_days"], df[["age", "male"]], status=df["event"]).fit()
for name, hr, (low, high), p in zip(["age", "male"], np.exp(direct.params), np.exp(direct.conf_int()), direct.pvalues):
    print(f"{name:<6} HR {hr:.3f} ({low:.3f} to {high:.3f}), p = {p:.3g}")
