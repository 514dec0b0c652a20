import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf

df = patients.merge(events, on="patient_id").dropna()
df["died"] = (df["event"] == 1).astype(int)
fit = smf.logit("died ~ age + C(sex) + C(arm) + np.log(bmi)", data=df).fit(disp=False)
odds = pd.DataFrame({"OR": np.exp(fit.params), "p": fit.pvalues}).join(np.exp(fit.conf_int()))
odds.columns = ["OR", "p", "2.5%", "97.5%"]
print(odds.round(3))
print(fit.summary2().tables[0].shape, round(fit.prsquared, 4))
print(fit.pred_table())
probability = fit.predict(df)
order = np.argsort(-probability.to_numpy())
died = df["died"].to_numpy()[order]
tpr = np.cumsum(died) / died.sum()
fpr = np.cumsum(1 - died) / (1 - died).sum()
print("AUC", round(float(np.trapezoid(tpr, fpr)), 3))
glm = smf.glm("died ~ age", data=df, family=sm.families.Binomial()).fit()
print(glm.params.round(4).to_dict(), glm.converged)
