"""Interim analysis notebook, exported: everything in one go, with assertions and a JSON for the DSMB."""
# %%
import json, math, platform, sys
from datetime import date
from pathlib import Path
import numpy as np, pandas as pd, scipy, statsmodels, matplotlib
import matplotlib.pyplot as plt
from scipy import stats
try:
    from IPython.display import display
except ImportError:
    display = print

if __name__ == "__main__":
    print("Python", sys.version_info[:2] >= (3, 10), "numpy", np.__version__.split(".")[0], "pandas", pd.__version__[0], platform.system() != "")
# %%
class NumpyEncoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, np.integer): return int(o)
        if isinstance(o, np.floating): return None if math.isnan(o) else float(o)
        if isinstance(o, np.ndarray): return o.tolist()
        if isinstance(o, (date, pd.Timestamp)): return o.isoformat()
        return super().default(o)

def obf(t, alpha=.05):
    "O'Brien-Fleming spending"
    return 2 - 2 * stats.norm.cdf(stats.norm.ppf(1 - alpha / 2) / np.sqrt(t))
d = patients.merge(events, on="patient_id")
info = d.event.sum() / 90
z = stats.norm.isf(stats.chi2_contingency(pd.crosstab(d.arm, d.event))[1] / 2)
bound = stats.norm.isf(obf(min(info, 1)) / 2)
display(pd.DataFrame({"information": [info], "z": [z], "bound": [bound]}).round(3))
# %%
cp = stats.norm.cdf((z * np.sqrt(info) + 2.5 * (1 - info) - 1.96) / np.sqrt(max(1 - info, 1e-9))) if info < 1 else float(z > 1.96)
rep = {"date": date(2021, 11, 30), "n": np.int64(len(d)), "events": d.groupby("arm").event.sum().to_dict(), "z": np.float64(z), "cp": cp, "sites": d.site.unique(), "stop": bool(z > bound), "nothing": np.nan}
text = json.dumps(rep, cls=NumpyEncoder, indent=2, sort_keys=True, allow_nan=False, default=None) if not math.isnan(rep.pop("nothing")) else json.dumps(rep, cls=NumpyEncoder, indent=2, sort_keys=True)
print(text)
(Path(OUTPUT) / "dsmb.json").write_text(text)
# %%
assert json.loads(text)["n"] == len(d), "count"
assert set(rep["events"]) == {"active", "placebo"}
ae = pd.DataFrame({"term": ["headache", "nausea", "rash", "fall"], "a": [9, 5, 2, 4], "p": [4, 6, 1, 2]}).assign(n=60)
ae["rd"] = (ae.a - ae.p) / ae.n
ae["p_fisher"] = [stats.fisher_exact([[r.a, r.n - r.a], [r.p, r.n - r.p]])[1] for r in ae.itertuples()]
fig, ax = plt.subplots(figsize=(6, 3))
ax.hlines(ae.term, 0, ae.rd, color="grey"); ax.plot(ae.rd, ae.term, "o"); ax.axvline(0, c="k", lw=.6)
ax.set_xlabel("risk difference")
plt.show()
ae.sort_values("p_fisher").round(3)
