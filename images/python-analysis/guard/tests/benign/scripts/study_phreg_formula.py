import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
import statsmodels.duration.api as smd

df = events.merge(patients, on="patient_id").dropna()
df2 = events.merge(patients, on="patient_id").dropna(subset=["age", "bmi", "smoker"])
print(len(df), len(df2))

model = smf.phreg("time_days ~ 0 + C(arm) + age + C(sex)", data=df2, status=df2["event"].values, ties="efron")
fit = model.fit()
print(pd.DataFrame({"hr": np.exp(fit.params), "p": fit.pvalues}, index=model.exog_names).round(3).shape)
mod = smf.phreg("time_days ~ age + bmi", data=df2, status=df2["event"].values, strata=df2["site"].values)
fit = mod.fit()
print(fit.summary().tables[1].round(3))

sf = smd.SurvfuncRight(df2["time_days"], df2["event"], title="Overall")
print(sf.summary().head())
print("median:", sf.quantile(0.5), "quartile CI:", sf.quantile_ci(0.25))
stat, p = smd.survdiff(df2["time_days"], df2["event"], df2["arm"])
print(f"survdiff: chi2={stat:.3f} p={p:.3f}")
fig = sf.plot()
fig.savefig(OUTPUT / "survfunc.png")
