import numpy as np
import pandas as pd
import statsmodels.formula.api as smf

rng = np.random.default_rng(314)
base = visits.merge(patients[["patient_id", "arm"]], on="patient_id").sort_values(["patient_id", "visit"])
# monotone drop-out
drop_at = pd.Series(rng.choice([2, 3, 4, 9], size=patients.shape[0], p=[0.08, 0.1, 0.12, 0.7]), index=patients["patient_id"])
base["observed"] = base["visit"] < base["patient_id"].map(drop_at)
obs = base.copy()
obs.loc[~obs["observed"], "sbp"] = np.nan
print("observed by visit:")
print(obs.groupby(["arm", "visit"])["sbp"].count().unstack())

obs["sbp_locf"] = obs.groupby("patient_id")["sbp"].ffill()
baseline = obs[obs.visit == 1].set_index("patient_id")["sbp"]
obs["chg_locf"] = obs["sbp_locf"] - obs["patient_id"].map(baseline)
obs["chg"] = obs["sbp"] - obs["patient_id"].map(baseline)
obs["baseline"] = obs["patient_id"].map(baseline)
final = obs[obs["visit"] == 4]

cc = smf.ols("chg ~ C(arm, Treatment('placebo')) + baseline", final.dropna(subset=["chg"])).fit()
locf = smf.ols("chg_locf ~ C(arm, Treatment('placebo')) + baseline", final.dropna(subset=["chg_locf"])).fit()
post = obs[(obs.visit > 1)].dropna(subset=["chg", "baseline"])
mm = smf.mixedlm("chg ~ C(arm, Treatment('placebo')) * C(visit) + baseline", post, groups=post["patient_id"]).fit()

term = "C(arm, Treatment('placebo'))[T.active]"
for label, fit in {"complete case": cc, "LOCF": locf}.items():
    lo, hi = fit.conf_int().loc[term]
    print(f"{label:>14}: {fit.params[term]:6.2f} [{lo:.2f}, {hi:.2f}] n={int(fit.nobs)}")
print(f"{'mixed model':>14}: {mm.params[term]:6.1f} n={int(mm.nobs)}")
