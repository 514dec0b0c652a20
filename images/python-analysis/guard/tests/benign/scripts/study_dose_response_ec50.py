import numpy as np
import pandas as pd
from scipy.optimize import curve_fit
from scipy import stats


def four_pl(x, bottom, top, log_ec50, hill):
    return bottom + (top - bottom) / (1 + 10 ** ((log_ec50 - np.log10(x)) * hill))


doses = np.repeat([0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30], 3)
rng = np.random.default_rng(50)
data = []
for compound, ec50, hill in [("cpd-1", 0.4, 1.1), ("cpd-2", 2.5, 0.9)]:
    response = four_pl(doses, 5, 95, np.log10(ec50), hill) + rng.normal(0, 4, doses.size)
    data.append(pd.DataFrame({"compound": compound, "dose": doses, "response": response}))
data = pd.concat(data, ignore_index=True)

results = []
for compound, d in data.groupby("compound"):
    popt, pcov = curve_fit(four_pl, d["dose"], d["response"], p0=[0, 100, 0, 1])
    tval = stats.t.ppf(0.975, len(d) - 4)
    se = np.sqrt(pcov[2, 2])
    pred = four_pl(d["dose"].to_numpy(), *popt)
    r2 = 1 - ((d["response"] - pred) ** 2).sum() / ((d["response"] - d["response"].mean()) ** 2).sum()
    results.append(dict(compound=compound, EC50=10 ** popt[2], low=10 ** (popt[2] - tval * se), high=10 ** (popt[2] + tval * se), hill=popt[3], r2=r2))
res = pd.DataFrame(results).set_index("compound")
print(res.round(3))
print(f"relative potency {res.EC50['cpd-2'] / res.EC50['cpd-1']:.1f}")
trend = data.groupby(["compound", "dose"])["response"].agg(["mean", "sem"]).round(1)
print(trend.unstack(0).swaplevel(axis=1).sort_index(axis=1).to_string())
