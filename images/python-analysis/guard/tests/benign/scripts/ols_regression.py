import numpy as np
import statsmodels.api as sm
import statsmodels.formula.api as smf

df = visits.merge(patients, on="patient_id").dropna()
fit = smf.ols("sbp ~ age + C(sex) + bmi + C(arm, Treatment(reference='placebo'))", data=df).fit(cov_type="HC3")
print(fit.summary().tables[1])
print(fit.params.round(3).to_dict(), round(fit.rsquared, 4), round(fit.f_pvalue, 6))
print(fit.conf_int().round(3).to_string())
X = sm.add_constant(df[["age", "bmi"]])
same = sm.OLS(df["sbp"], X).fit()
print(same.pvalues.round(5).to_dict())
new = {"age": [50, 70], "bmi": [22, 31], "sex": ["F", "M"], "arm": ["active", "placebo"]}
print(fit.predict(new).round(2).tolist())
print(np.round(same.resid.std(), 3), same.nobs)
print(sm.stats.anova_lm(smf.ols("sbp ~ C(arm) * C(sex)", df).fit(), typ=2).round(3))
infl = same.get_influence()
print(round(float(infl.cooks_distance[0].max()), 4))
