"""Incidence rates per 100 person-years and a Poisson model with an offset."""
import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy.stats import chi2

df = events.merge(patients, on="patient_id")
df["pyears"] = df["time_days"] / 365.25

rates = df.groupby("arm").agg(events=("event", "sum"), pyears=("pyears", "sum"))
rates["rate"] = 100 * rates["events"] / rates["pyears"]
# exact Poisson limits
rates["lo"] = 100 * chi2.ppf(0.025, 2 * rates["events"]) / 2 / rates["pyears"]
rates["hi"] = 100 * chi2.ppf(0.975, 2 * (rates["events"] + 1)) / 2 / rates["pyears"]
print(rates.round(2))

model = smf.glm(
    "event ~ C(arm, Treatment('placebo')) + C(sex) + age",
    data=df.dropna(subset=["age"]),
    family=sm.families.Poisson(),
    offset=np.log(df.dropna(subset=["age"])["pyears"]),
).fit(cov_type="HC1")
irr = np.exp(pd.concat([model.params, model.conf_int()], axis=1))
irr.columns = ["IRR", "low", "high"]
print(irr.round(3).to_string())
print("Deviance / df: %.3f" % (model.deviance / model.df_resid))

negbin = smf.negativebinomial("event ~ C(arm)", df, exposure=df["pyears"])
print(type(negbin).__name__, negbin.exog.shape)
