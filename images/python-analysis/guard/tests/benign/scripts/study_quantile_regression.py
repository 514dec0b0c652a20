import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
import matplotlib.pyplot as plt

df = visits.merge(patients[["patient_id", "age", "sex"]], on="patient_id").dropna()
mod = smf.quantreg("sbp ~ age + C(sex)", df)
quantiles = np.arange(0.1, 0.91, 0.2)


def fit_model(q):
    res = mod.fit(q=q)
    return [q, res.params["Intercept"], res.params["age"]] + res.conf_int().loc["age"].tolist()


models = pd.DataFrame([fit_model(x) for x in quantiles], columns=["q", "a", "b", "lb", "ub"])
ols = smf.ols("sbp ~ age + C(sex)", df).fit()
ols_ci = ols.conf_int().loc["age"].tolist()
print(models.round(2))
print("OLS slope %.3f [%.3f, %.3f]" % (ols.params["age"], *ols_ci))

plt.plot(models["q"], models["b"], color="black", label="Quantile reg.")
plt.plot(models["q"], models["ub"], linestyle="dotted", color="black")
plt.plot(models["q"], models["lb"], linestyle="dotted", color="black")
plt.plot(models["q"], [ols.params["age"]] * len(models), color="red", label="OLS")
plt.ylabel(r"$\beta_{age}$")
plt.xlabel("Quantile")
plt.legend()
plt.savefig(OUTPUT / "quantreg.png")
