import pandas as pd
import numpy as np
from scipy import stats
import os

ev = pd.read_json(os.path.join(DATA, "events.jsonl"), lines=True)
pt = pd.read_csv(os.path.join(DATA, "patients.csv"), dtype={"site": "category", "sex": "category"})
coh = pt.merge(ev, on="patient_id", how="left", indicator=True)
assert (coh["_merge"] == "both").all()
coh["py"] = coh.time_days / 365.25
coh["ageband"] = pd.cut(coh.age, [0, 50, 60, 70, np.inf], right=False, labels=["<50", "50-59", "60-69", "70+"])

def rate(g, per=100):
    d, t = g.event.sum(), g.py.sum()
    lo = stats.chi2.ppf(.025, 2 * d) / 2 / t if d else 0
    hi = stats.chi2.ppf(.975, 2 * (d + 1)) / 2 / t
    return pd.Series({"events": d, "person-years": round(t, 1), "rate": d / t * per, "low": lo * per, "high": hi * per})

for by in (["arm"], ["sex"], ["ageband"], ["arm", "sex"]):
    out = coh.groupby(by, observed=True)[["event", "py"]].apply(rate)
    print(out.round(2), "\n")
a, b = (coh[coh.arm == k] for k in ("active", "placebo"))
irr = (a.event.sum() / a.py.sum()) / (b.event.sum() / b.py.sum())
se = np.sqrt(1 / a.event.sum() + 1 / b.event.sum())
print(f"IRR {irr:.2f} (95% CI {irr * np.exp(-1.96 * se):.2f}-{irr * np.exp(1.96 * se):.2f})")
tot = rate(coh)
print(f"overall {tot['rate']:.1f} per 100 py ({tot.low:.1f} to {tot.high:.1f})")
cause = coh.cause.value_counts(dropna=False)
print(cause.to_frame("n").assign(pct=lambda x: (x.n / x.n.sum() * 100).round(1)))
coh.groupby(["site", "sex"], observed=False)[["event", "py"]].apply(rate).round(2).reset_index().to_csv(OUTPUT / "rates.csv", index=False)
print(sorted(os.listdir(OUTPUT)))
