"""Direct and indirect standardisation of the event rate of each site."""
from io import StringIO
import numpy as np
import pandas as pd

STANDARD = StringIO("""band,weight
<50,0.35
50-59,0.25
60-69,0.22
70+,0.18
""")
std = pd.read_csv(STANDARD, index_col="band")["weight"]
assert np.isclose(std.sum(), 1)

d = (patients.dropna(subset=["age"])
     .merge(events, on="patient_id")
     .assign(band=lambda x: pd.cut(x["age"], [-np.inf, 50, 60, 70, np.inf], right=False, labels=std.index),
             years=lambda x: x["time_days"].div(365.25)))
strata = d.pivot_table(index="site", columns="band", values=["event", "years"], aggfunc="sum", observed=False, fill_value=0)
print(strata.round(1))
r = strata["event"] / strata["years"].replace(0, np.nan)
crude = strata["event"].sum(axis=1) / strata["years"].sum(axis=1)
direct = r.mul(std, axis=1).sum(axis=1)
var = (strata["event"] / strata["years"] ** 2).mul(std ** 2, axis=1).sum(axis=1)
ref = strata["event"].sum() / strata["years"].sum()
expected = strata["years"].mul(ref, axis=1).sum(axis=1)
smr = strata["event"].sum(axis=1) / expected
byar = lambda o: (o * (1 - 1 / (9 * o) - 1.96 / (3 * np.sqrt(o))) ** 3, (o + 1) * (1 - 1 / (9 * (o + 1)) + 1.96 / (3 * np.sqrt(o + 1))) ** 3)
O = strata["event"].sum(axis=1)
lo, hi = byar(O)
res = pd.concat({"crude": crude * 100, "direct": direct * 100, "se": np.sqrt(var) * 100, "observed": O, "expected": expected, "SMR": smr, "lo": lo / expected, "hi": hi / expected}, axis=1)
print(res.round(2).to_string())
with pd.option_context("display.float_format", "{:,.1f}".format, "display.max_rows", 5):
    print(r.mul(100))
ax = res["SMR"].plot.barh(xerr=[res.SMR - res.lo, res.hi - res.SMR], capsize=3)
ax.axvline(1, color="k", lw=.8)
ax.figure.savefig(OUTPUT / "smr.svg")
