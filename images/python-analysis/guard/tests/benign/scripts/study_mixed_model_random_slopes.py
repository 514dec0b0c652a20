import warnings

import numpy as np
import pandas as pd
import statsmodels.formula.api as smf

warnings.filterwarnings("ignore")

long = pd.merge(visits, patients[["patient_id", "arm"]], on="patient_id", how="left")
long = long[["patient_id", "visit", "arm", "sbp"]].dropna()
long["time"] = long["visit"] - 1

ri = smf.mixedlm("sbp ~ time * C(arm, Treatment('placebo'))", long, groups=long["patient_id"])
ri_fit = ri.fit(reml=True)
print(ri_fit.summary())

rs = smf.mixedlm("sbp ~ time * arm", long, groups="patient_id", re_formula="~time")
rs_fit = rs.fit(reml=False, method="lbfgs")
print("converged:", bool(rs_fit.converged))
print("fixed effects:")
print(rs_fit.fe_params.round(2).to_string())

between = float(ri_fit.cov_re.iloc[0, 0])
within = float(ri_fit.scale)
print(f"ICC = {between / (between + within):.2f}")
blups = pd.Series({k: v.iloc[0] for k, v in ri_fit.random_effects.items()})
print("number of BLUPs:", len(blups), "| mean is near 0:", abs(blups.mean()) < 1e-3)
with open(OUTPUT / "mixed_model.txt", "w") as f:
    f.write(str(ri_fit.summary()))
