"""Parametric g-formula with a bootstrap."""
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf


def g_formula(data: pd.DataFrame, formula: str, exposure: str) -> dict[str, float]:
    fit = smf.logit(formula, data).fit(disp=0)
    risk1 = fit.predict(data.assign(**{exposure: 1})).mean()
    risk0 = fit.predict(data.assign(**{exposure: 0})).mean()
    return {"risk1": risk1, "risk0": risk0, "RD": risk1 - risk0, "RR": risk1 / risk0}


rng = np.random.default_rng(101)
n = 1000
L = rng.normal(size=n)
A = rng.binomial(1, 1 / (1 + np.exp(-0.8 * L)))
Y = rng.binomial(1, 1 / (1 + np.exp(-(-1.5 + 0.7 * A + 0.9 * L))))
data = pd.DataFrame({"L": L, "A": A, "Y": Y})

point = g_formula(data, "Y ~ A * L", "A")
boots = pd.DataFrame([
    g_formula(data.sample(n, replace=True, random_state=seed), "Y ~ A * L", "A") for seed in range(60)
])
summary = pd.DataFrame({"point": point, "se": boots.std(), "low": boots.quantile(0.025), "high": boots.quantile(0.975)})
print(summary.round(3))
crude = data.groupby("A")["Y"].mean()
print("crude RD: %.3f" % (crude[1] - crude[0]))

strata = pd.qcut(data["L"], 5, labels=False)
std = data.groupby([strata, "A"])["Y"].mean().unstack()
weights = strata.value_counts(normalize=True).sort_index()
print("standardised by quintile: %.3f" % ((std[1] - std[0]) * weights).sum())
