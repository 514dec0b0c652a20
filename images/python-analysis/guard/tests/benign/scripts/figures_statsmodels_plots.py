"""Model plots of statsmodels on a sleep study of ones own."""
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from statsmodels.graphics.factorplots import interaction_plot
from statsmodels.graphics.gofplots import ProbPlot
from statsmodels.graphics.mosaicplot import mosaic
from statsmodels.graphics.tsaplots import plot_acf, plot_pacf
from statsmodels.nonparametric.smoothers_lowess import lowess

rng = np.random.default_rng(23)
df = pd.DataFrame({"hours": rng.normal(7, 1, 120), "caffeine": rng.choice(["none", "some", "much"], 120), "shift": rng.choice(["day", "night"], 120)})
df["reaction"] = 300 - 8 * df.hours + df["shift"].eq("night") * 15 + df.caffeine.map({"none": 0, "some": -5, "much": -9}) + rng.normal(0, 10, 120)
fit = smf.ols("reaction ~ hours + C(caffeine, Treatment('none')) * shift", data=df).fit()
fig = plt.figure(figsize=(10, 8))
sm.graphics.plot_regress_exog(fit, "hours", fig=fig)
fig.savefig("exog.png")
fig, axes = plt.subplots(2, 2, figsize=(9, 7))
sm.qqplot(fit.resid, line="45", fit=True, ax=axes[0, 0])
smooth = lowess(fit.resid, fit.fittedvalues, frac=0.6)
axes[0, 1].scatter(fit.fittedvalues, fit.resid, s=8)
axes[0, 1].plot(*smooth.T, "r")
sm.graphics.influence_plot(fit, ax=axes[1, 0], criterion="cooks", size=20)
interaction_plot(df.caffeine, df["shift"], df.reaction, ax=axes[1, 1], colors=["k", "r"], markers=["o", "^"], func=np.mean)
fig.savefig("diag.png")
fig, ax = plt.subplots()
mosaic(df, ["caffeine", "shift"], ax=ax, gap=0.02, properties=lambda key: {"color": "navy" if "night" in key else "skyblue"}, labelizer=lambda k: "")
fig.savefig("mosaic.png")
fig, (a, b, c) = plt.subplots(1, 3, figsize=(11, 3))
series = pd.Series(rng.normal(size=200)).ewm(alpha=0.3).mean()
plot_acf(series, ax=a, lags=20, zero=False)
plot_pacf(series, ax=b, lags=20, method="ywm")
ProbPlot(fit.resid, fit=True).ppplot(line="45", ax=c)
fig.savefig("acf.png")
g = sm.graphics.plot_partregress_grid(smf.ols("reaction ~ hours + I(hours**2)", df).fit())
g.tight_layout(pad=1.0)
print(fit.params.round(1).to_string(), len(g.axes), round(fit.rsquared, 2))
print(sm.stats.anova_lm(fit, typ=2).round(2).to_string())
