import pandas as pd
import numpy as np
import statsmodels.formula.api as smf
import statsmodels.api as sm
from statsmodels.stats.anova import anova_lm

wide = visits.pivot(index="patient_id", columns="visit", values="sbp").add_prefix("v").reset_index()
df = wide.merge(patients, on="patient_id").dropna(subset=["v1", "v4"])
df["change"] = df.v4 - df.v1

fit = smf.ols("change ~ C(arm) + C(site) + v1", data=df).fit()
print(anova_lm(fit, typ=2).round(3))

sites = df["site"].unique()
lsm = {}
for arm in sorted(df["arm"].unique()):
    ref = pd.DataFrame({"arm": arm, "site": sorted(sites), "v1": df["v1"].mean()})
    lsm[arm] = fit.predict(ref).mean()
print({k: round(v, 2) for k, v in lsm.items()})
est = fit.params["C(arm)[T.placebo]"]
lo, hi = fit.conf_int().loc["C(arm)[T.placebo]"]
print(f"placebo - active: {est:.2f} (95% CI {lo:.2f}; {hi:.2f})")
assert np.isclose(lsm["placebo"] - lsm["active"], est)

with (OUTPUT / "ancova.txt").open("w") as out:
    print(fit.summary(), file=out)
print((OUTPUT / "ancova.txt").read_text().count("\n") > 10)
