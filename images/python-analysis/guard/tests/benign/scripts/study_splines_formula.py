import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
import statsmodels.api as sm
from patsy import dmatrix, build_design_matrices, cr
import matplotlib.pyplot as plt

rng = np.random.default_rng(61)
age = rng.uniform(20, 90, 500)
risk = -4 + 0.0009 * (age - 45) ** 2
df = pd.DataFrame({"age": age, "y": rng.binomial(1, 1 / (1 + np.exp(-risk)))})

linear = smf.glm("y ~ age", df, family=sm.families.Binomial()).fit()
rcs = smf.glm("y ~ cr(age, df=4)", df, family=sm.families.Binomial()).fit()
bspline = smf.glm("y ~ bs(age, df=5, degree=3)", df, family=sm.families.Binomial()).fit()
poly = smf.glm("y ~ age + I(age ** 2)", df, family=sm.families.Binomial()).fit()
for name, m in [("linear", linear), ("quadratic", poly), ("restricted cubic", rcs), ("b-spline", bspline)]:
    print(f"{name:<17} AIC = {m.aic:7.2f}  params = {len(m.params)}")

grid = pd.DataFrame({"age": np.linspace(25, 85, 7)})
print(pd.DataFrame({"age": grid.age, "linear": linear.predict(grid), "rcs": rcs.predict(grid)}).round(3).to_string(index=False))
basis = dmatrix("bs(age, knots=(40, 60), degree=3, include_intercept=False) - 1", df, return_type="dataframe")
print(basis.shape, round(float(basis.sum(axis=1).max()), 3))
fine = pd.DataFrame({"age": np.linspace(20, 90, 100)})
plt.plot(fine.age, rcs.predict(fine), label="RCS")
plt.plot(fine.age, linear.predict(fine), label="linear", ls="--")
plt.legend(); plt.xlabel("Age"); plt.ylabel("P(event)")
plt.savefig(OUTPUT / "splines.png")
