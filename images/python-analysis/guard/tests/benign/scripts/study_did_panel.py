"""Difference-in-differences with cluster-robust errors and an event-study plot."""
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
import matplotlib.pyplot as plt

rng = np.random.default_rng(8)
units, periods = 60, 10
panel = pd.MultiIndex.from_product([range(units), range(periods)], names=["hospital", "quarter"]).to_frame(index=False)
panel["treated"] = (panel["hospital"] < 30).astype(int)
panel["post"] = (panel["quarter"] >= 5).astype(int)
fe = rng.normal(0, 2, units)
panel["y"] = 20 + fe[panel["hospital"]] + 0.3 * panel["quarter"] - 1.5 * panel["treated"] * panel["post"] + rng.normal(0, 1, len(panel))

did = smf.ols("y ~ treated * post", panel).fit(cov_type="cluster", cov_kwds={"groups": panel["hospital"]})
twfe = smf.ols("y ~ treated:post + C(hospital) + C(quarter)", panel).fit(
    cov_type="cluster", cov_kwds={"groups": panel["hospital"]})
print(f"DiD  {did.params['treated:post']:.3f} (SE {did.bse['treated:post']:.3f})")
print(f"TWFE {twfe.params['treated:post']:.3f} (SE {twfe.bse['treated:post']:.3f})")

for q in range(periods):
    if q != 4:
        panel[f"lead_{q}"] = ((panel["quarter"] == q) & (panel["treated"] == 1)).astype(int)
terms = [c for c in panel if c.startswith("lead_")]
es = smf.ols("y ~ " + " + ".join(terms) + " + C(hospital) + C(quarter)", panel).fit()
coef = es.params[terms]
ci = es.conf_int().loc[terms]
print(coef.round(2).to_dict())

plt.errorbar([int(t.split("_")[1]) - 5 for t in terms], coef, yerr=(ci[1] - coef), fmt="o", capsize=3)
plt.axhline(0, color="k", lw=0.5)
plt.axvline(-0.5, color="r", ls="--")
plt.xlabel("Quarters since the intervention")
plt.savefig(OUTPUT / "event_study.png")
