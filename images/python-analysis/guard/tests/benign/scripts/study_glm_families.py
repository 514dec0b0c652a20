import numpy as np
import pandas as pd
import statsmodels.api as sm

np.random.seed(1)
n = 400
X = pd.DataFrame({"const": 1.0, "arm": np.random.binomial(1, 0.5, n), "age": np.random.normal(60, 10, n)})
cost = np.random.gamma(shape=2, scale=np.exp(5 + 0.3 * X["arm"] + 0.01 * X["age"]) / 2)
binary = np.random.binomial(1, 0.2 + 0.1 * X["arm"])

gamma = sm.GLM(cost, X, family=sm.families.Gamma(link=sm.families.links.Log())).fit()
rd = sm.GLM(binary, X[["const", "arm"]], family=sm.families.Binomial(link=sm.families.links.Identity())).fit()
rr = sm.GLM(binary, X[["const", "arm"]], family=sm.families.Poisson()).fit(cov_type="HC0")

print("cost ratio: %.3f" % np.exp(gamma.params["arm"]))
print("risk difference: %.3f (%.3f, %.3f)" % (rd.params["arm"], *rd.conf_int().loc["arm"]))
print("risk ratio (modified Poisson): %.3f" % np.exp(rr.params["arm"]))
tab = pd.crosstab(X["arm"], binary)
risk = tab[1] / tab.sum(axis=1)
print("check:", round(risk[1] - risk[0], 3), round(risk[1] / risk[0], 3))
print(gamma.summary2().tables[1].round(3))
print("NNH =", int(np.ceil(1 / abs(rd.params["arm"]))))
print("link:", type(gamma.model.family.link).__name__, "| scale: %.2f" % gamma.scale)
