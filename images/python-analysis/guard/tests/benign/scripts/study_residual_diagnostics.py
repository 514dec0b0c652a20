import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from statsmodels.stats.diagnostic import het_breuschpagan, linear_reset
from statsmodels.stats.outliers_influence import variance_inflation_factor, OLSInfluence
from statsmodels.stats.stattools import durbin_watson, jarque_bera
import matplotlib.pyplot as plt

df = visits[visits.visit == 1].merge(patients, on="patient_id").dropna().reset_index(drop=True)
fit = smf.ols("sbp ~ age + bmi + hr + C(sex)", df).fit()

bp = het_breuschpagan(fit.resid, fit.model.exog)
print("Breusch-Pagan LM p = %.3f" % bp[1])
print("Durbin-Watson = %.3f" % durbin_watson(fit.resid))
jb, jbp, skew, kurt = jarque_bera(fit.resid)
print(f"Jarque-Bera p = {jbp:.3f}, skew = {skew:.2f}, kurtosis = {kurt:.2f}")
vif = {name: variance_inflation_factor(fit.model.exog, i) for i, name in enumerate(fit.model.exog_names)}
print({k: round(float(v), 2) for k, v in vif.items() if k != "Intercept"})

influence = OLSInfluence(fit)
cooks, _ = influence.cooks_distance
flagged = df.loc[cooks > 4 / len(df), "patient_id"].tolist()
print(len(flagged), "influential:", flagged[:5])

fig, axes = plt.subplots(2, 2, figsize=(8, 7))
axes[0, 0].scatter(fit.fittedvalues, fit.resid, s=10)
axes[0, 0].axhline(0, color="red", lw=1)
sm.qqplot(fit.resid, line="45", fit=True, ax=axes[0, 1])
axes[1, 0].stem(np.arange(len(cooks)), cooks, markerfmt=",")
axes[1, 1].scatter(influence.hat_matrix_diag, influence.resid_studentized_internal, s=10)
for ax, title in zip(axes.flat, ["Residuals vs fitted", "Q-Q", "Cook's distance", "Leverage"]):
    ax.set_title(title)
fig.tight_layout()
fig.savefig(OUTPUT / "diagnostics.png")
