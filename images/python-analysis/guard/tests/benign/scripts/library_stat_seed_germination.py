# # Germination by temperature, grouped binomial data
import io
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
import statsmodels.api as sm
import statsmodels.formula.api as smf

raw = """temp;lot;seeds;germinated
8;a;40;3
8;b;38;5
12;a;40;12
12;b;41;10
16;a;39;24
16;b;40;27
20;a;40;35
20;b;37;30
24;a;42;36
24;b;40;37
28;a;40;29
28;b;40;25
"""
d = pd.read_csv(io.StringIO(raw), sep=";")
d["failed"] = d.seeds - d.germinated
d["rate"] = d.germinated / d.seeds

L = sm.families.links
fits = {}
for link in (L.Logit(), L.Probit(), L.CLogLog(), L.Cauchy()):
    fam = sm.families.Binomial(link=link)
    fits[type(link).__name__] = smf.glm("germinated + failed ~ temp + I(temp**2) + lot", d, family=fam).fit()
cmp = pd.DataFrame({k: {"deviance": f.deviance, "df": f.df_resid, "AIC": f.aic, "peak": -f.params["temp"] / 2 / f.params["I(temp ** 2)"]} for k, f in fits.items()}).T
print(cmp.round(3))
best = fits[cmp.AIC.idxmin()]
print(best.summary2())

w = smf.glm("rate ~ temp + I(temp**2) + lot", d, family=sm.families.Binomial(), freq_weights=d.seeds).fit()
v = smf.glm("rate ~ temp + I(temp**2) + lot", d, family=sm.families.Binomial(), var_weights=d.seeds).fit()
print(pd.concat([w.params, v.params, fits["Logit"].params], axis=1, keys=["freq", "var", "grouped"]).round(6))

grid = pd.DataFrame({"temp": np.linspace(6, 30, 60)}).assign(lot="a")
pr = fits["Logit"].get_prediction(grid).summary_frame()
fig, ax = plt.subplots()
ax.fill_between(grid.temp, pr.mean_ci_lower, pr.mean_ci_upper, alpha=.2)
ax.plot(grid.temp, pr["mean"])
for lot, g in d.groupby("lot"):
    ax.scatter(g.temp, g.rate, s=g.seeds, label=lot)
ax.legend(title="lot")
ax.set_ylim(0, 1)

mod = sm.GLM(d[["germinated", "failed"]], sm.add_constant(d[["temp"]]), family=sm.families.Binomial())
r = mod.fit(method="newton")
print(r.params.round(4), mod.n_trials[:3], mod.family.link)
print(r.model.score(r.params).round(6), r.model.information(r.params).shape)
print(r.resid_pearson.round(2).tolist())
print(np.round(mod.estimate_scale(r.mu), 3) if hasattr(mod, "estimate_scale") else "")
