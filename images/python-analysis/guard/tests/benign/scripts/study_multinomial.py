import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
import statsmodels.api as sm

df = events.merge(patients, on="patient_id")
df["outcome"] = df["cause"].where(df["event"] == 1, "alive").fillna("alive")
df["y"] = df["outcome"].map({"alive": 0, "cardiac": 1, "other": 2})
df = df.dropna(subset=["age", "bmi"])
print(df["outcome"].value_counts().sort_index())

fit = smf.mnlogit("y ~ C(arm, Treatment(reference='placebo')) + age", df).fit(disp=0, maxiter=100)
rrr = np.exp(fit.params)
rrr.columns = ["cardiac", "other"]
print(rrr.round(3))
print("LL %.1f, null %.1f, LR p = %.3f" % (fit.llf, fit.llnull, fit.llr_pvalue))
p = fit.predict(df)
p.columns = ["alive", "cardiac", "other"]
print("mean predicted:", p.mean().round(3).to_dict())
print("rows sum to one:", bool(np.allclose(p.sum(axis=1), 1)))
print(pd.crosstab(df["y"], p.to_numpy().argmax(axis=1), rownames=["observed"], colnames=["predicted"]))
