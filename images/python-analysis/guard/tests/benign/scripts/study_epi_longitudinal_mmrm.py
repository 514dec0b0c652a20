import numpy as np, pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
import matplotlib.pyplot as plt
from scipy import stats

base = visits.query("visit == 1").set_index("patient_id").sbp.rename("base")
d = visits[visits.visit > 1].join(base, on="patient_id").merge(patients[["patient_id", "arm", "site", "age"]], on="patient_id").dropna()
d["change"] = d.sbp - d.base
d["base_c"] = d.base - d.base.mean()
m = smf.mixedlm("change ~ C(visit) * C(arm, Treatment('placebo')) + base_c + age", d, groups="patient_id").fit(reml=True)
print(m.summary().tables[1].iloc[:, :4])
g = smf.gee("change ~ C(visit) * C(arm, Treatment('placebo')) + base_c", groups="patient_id", data=d, cov_struct=sm.cov_struct.Exchangeable()).fit()
print(g.params.round(2), g.cov_struct.dep_params.round(2))
names = m.fe_params.index
L = np.zeros((3, len(names)))
for i, v in enumerate((2, 3, 4)):
    L[i, names.get_indexer(["C(arm, Treatment('placebo'))[T.active]"])] = 1
    if v > 2:
        L[i, names.get_indexer([f"C(visit)[T.{v}]:C(arm, Treatment('placebo'))[T.active]"])] = 1
est = L @ m.fe_params
se = np.sqrt(np.diag(L @ m.cov_params().loc[names, names].values @ L.T))
lsm = pd.DataFrame({"visit": [2, 3, 4], "diff": est, "lo": est - 1.96 * se, "hi": est + 1.96 * se, "p": 2 * stats.norm.sf(abs(est / se))})
print(lsm.round(3))
anc = {v: smf.ols("change ~ arm + base_c + age", x).fit(cov_type="HC3") for v, x in d.groupby("visit")}
print(pd.DataFrame({v: [f.params["arm[T.placebo]"], f.bse["arm[T.placebo]"], f.nobs] for v, f in anc.items()}, index=["b", "se", "n"]).round(2))
r = d.assign(r=m.resid).groupby("visit").r.agg(["mean", "std", stats.skew]).round(2)
print(r)
grid = pd.DataFrame([(a, v) for a in ("active", "placebo") for v in (2, 3, 4)], columns=["arm", "visit"]).assign(base_c=0, age=d.age.mean())
grid["mean"] = m.predict(grid)
ax = grid.pivot(index="visit", columns="arm", values="mean").plot(marker="o", xticks=[2, 3, 4], ylabel="adjusted change")
ax.figure.savefig(OUTPUT / "lsmeans.png")
print(m.random_effects["P000"].round(2).to_dict(), m.cov_re.iloc[0, 0].round(1), m.converged)
