import numpy as np, pandas as pd
from scipy import stats, optimize
from statsmodels.stats.contingency_tables import StratifiedTable
import statsmodels.formula.api as smf

d = patients.merge(events, on="patient_id").assign(smokes=lambda x: x.smoker.eq("yes"), old=lambda x: x.age.ge(60))
def two_by_two(df, e="smokes", o="event"):
    t = pd.crosstab(df[e], df[o]).reindex(index=[True, False], columns=[1, 0], fill_value=0)
    a, b, c, dd = t.values.ravel()
    rr = (a / (a + b)) / (c / (c + dd))
    se = np.sqrt(1 / a - 1 / (a + b) + 1 / c - 1 / (c + dd))
    return pd.Series({"RR": rr, "lo": np.exp(np.log(rr) - 1.96 * se), "hi": np.exp(np.log(rr) + 1.96 * se), "RD": a / (a + b) - c / (c + dd), "OR": a * dd / b / c})
out = pd.DataFrame({"all": two_by_two(d), **{f"{c}={k}": two_by_two(g) for c in ("sex", "old") for k, g in d.groupby(c)}}).T
print(out.round(2))
st = StratifiedTable.from_data("smokes", "event", "site", d.astype({"smokes": int}))
print("MH OR", st.oddsratio_pooled.round(2), "RR", st.riskratio_pooled.round(2), "BD p", st.test_equal_odds(adjust=True).pvalue.round(3))
def evalue(rr):
    rr = rr if rr >= 1 else 1 / rr
    return rr + np.sqrt(rr * (rr - 1))
print("E-value", round(evalue(out.RR["all"]), 2))
def bias(rr, p1, p0, ud):
    return rr / ((p1 * (ud - 1) + 1) / (p0 * (ud - 1) + 1))
grid = pd.DataFrame([[bias(out.RR["all"], p1, .1, ud) for ud in (1.5, 2, 3)] for p1 in (.1, .3, .5)], index=pd.Index([.1, .3, .5], name="p1"), columns=pd.Index([1.5, 2, 3], name="RR_UD"))
print(grid.round(2))
rng = np.random.default_rng(8)
se, sp = rng.beta(90, 10, 500), rng.beta(95, 5, 500)
obs = d.smokes.mean()
true = ((obs + sp - 1) / (se + sp - 1)).clip(0, 1)
print("true prevalence", np.percentile(true, [2.5, 50, 97.5]).round(3))
neg = smf.logit("odd ~ smokes", d.assign(odd=(d.patient_id.str[-1].astype(int) % 2), smokes=d.smokes.astype(int))).fit(disp=0)
print("negative control OR", np.exp(neg.params["smokes"]).round(2), "p", neg.pvalues["smokes"].round(2))
ac = d.groupby(["sex", "smokes"]).event.mean().unstack()
print("RERI", round(ac.loc["M", True] / ac.loc["F", False] - ac.loc["M", False] / ac.loc["F", False] - ac.loc["F", True] / ac.loc["F", False] + 1, 2))
paf = d.smokes.mean() * (out.RR["all"] - 1) / (1 + d.smokes.mean() * (out.RR["all"] - 1))
print("PAF", round(paf, 3), "NNH", round(1 / out.RD["all"], 1))
f = lambda x: np.interp(x, [0, 1], [out.RD["all"] - .1, out.RD["all"] + .1]) - .0
print(optimize.brentq(f, 0, 1).__round__(2) if f(0) * f(1) < 0 else "no root", stats.fisher_exact(pd.crosstab(d.smokes, d.event)).pvalue.round(3))
