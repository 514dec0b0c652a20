"""Cox model by maximising the partial likelihood (Breslow ties) with scipy."""
import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.stats import norm

df = events.merge(patients, on="patient_id").dropna(subset=["age", "bmi"])
X = pd.DataFrame({
    "active": (df["arm"] == "active").astype(float),
    "age_c": df["age"] - df["age"].mean(),
    "male": df["sex"].eq("M").astype(float),
})
order = np.argsort(-df["time_days"].to_numpy(), kind="stable")
x = X.to_numpy()[order]
t = df["time_days"].to_numpy()[order]
d = df["event"].to_numpy()[order]


def neg_loglik(beta):
    eta = x @ beta
    risk = np.cumsum(np.exp(eta))
    # everybody with the same time shares the largest risk set
    last = np.searchsorted(-t, -t, side="right") - 1
    return -np.sum(d * (eta - np.log(risk[last])))


start = np.zeros(x.shape[1])
res = minimize(neg_loglik, start, method="BFGS", options={"gtol": 1e-4})
se = np.sqrt(np.diag(res.hess_inv))
out = pd.DataFrame({"coef": res.x, "HR": np.exp(res.x), "se": se}, index=X.columns)
out["p"] = 2 * norm.sf(np.abs(out["coef"] / out["se"]))
print(out.round(2))
print("log partial likelihood: %.2f -> %.2f" % (-neg_loglik(start), -res.fun))
print("events:", int(d.sum()), "of", len(d))
