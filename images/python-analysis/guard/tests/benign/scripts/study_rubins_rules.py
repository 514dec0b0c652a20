"""Stochastic regression imputation and Rubin's rules by hand."""
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from scipy import stats

M = 20
rng = np.random.RandomState(7)
df = patients.merge(visits.query("visit == 4")[["patient_id", "sbp"]], on="patient_id")
df = df[["age", "bmi", "sex", "arm", "sbp"]].copy()
obs = df.dropna(subset=["age"])


def impute(frame: pd.DataFrame, column: str, formula: str) -> pd.DataFrame:
    fit = smf.ols(f"{column} ~ {formula}", frame).fit()
    miss = frame[column].isna()
    draw = fit.predict(frame.loc[miss]) + rng.normal(0, np.sqrt(fit.scale), miss.sum())
    out = frame.copy()
    out.loc[miss, column] = draw
    return out


estimates, variances = [], []
for m in range(M):
    completed = impute(df, "bmi", "C(sex) + C(arm)")
    completed = impute(completed, "age", "C(sex) + bmi")
    completed = impute(completed, "sbp", "age + bmi + C(arm)")
    fit = smf.ols("sbp ~ C(arm) + age + bmi", completed).fit()
    estimates.append(fit.params)
    variances.append(fit.bse**2)

q = pd.DataFrame(estimates)
u = pd.DataFrame(variances)
qbar, ubar, b = q.mean(), u.mean(), q.var(ddof=1)
total = ubar + (1 + 1 / M) * b
dof = (M - 1) * (1 + ubar / ((1 + 1 / M) * b)) ** 2
half = stats.t.ppf(0.975, dof) * np.sqrt(total)
pooled = pd.DataFrame({"est": qbar, "low": qbar - half, "high": qbar + half, "fmi": (1 + 1 / M) * b / total})
print(pooled.round(3).to_string())
