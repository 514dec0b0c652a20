import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf

np.random.seed(0)
n = 120
df = pd.DataFrame({"size": np.random.uniform(40, 200, n), "rooms": np.random.randint(1, 6, n), "district": np.random.choice(["center", "north", "south"], n)})
df["price"] = 50 + 2.2 * df["size"] + 8 * df["rooms"] + df["district"].map({"center": 60, "north": 10, "south": 0}) + np.random.normal(0, 20, n)

X = sm.add_constant(df[["size", "rooms"]])
model = sm.OLS(df["price"], X).fit()
print(model.summary().tables[1])
full = smf.ols("price ~ size + rooms + C(district)", data=df).fit()
print(full.params.round(2))
print("R2 %.3f -> %.3f, AIC %.1f -> %.1f" % (model.rsquared, full.rsquared, model.aic, full.aic))
print(sm.stats.anova_lm(model, full).round(3))
new = pd.DataFrame({"size": [80, 120], "rooms": [2, 4], "district": ["center", "south"]})
print(full.get_prediction(new).summary_frame(alpha=0.1)[["mean", "obs_ci_lower", "obs_ci_upper"]].round(1))
log_model = smf.ols("np.log(price) ~ np.log(size) + rooms", data=df).fit()
print("elasticity %.2f" % log_model.params["np.log(size)"], "p < 0.001:", bool(log_model.pvalues["np.log(size)"] < 0.001))
fig = sm.graphics.plot_partregress_grid(full)
fig.savefig("partial.png")
