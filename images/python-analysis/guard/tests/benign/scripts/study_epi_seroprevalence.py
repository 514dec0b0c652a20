import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW
import statsmodels.formula.api as smf
import statsmodels.api as sm

rng = np.random.default_rng(66)
pop = pd.DataFrame({"sex": np.repeat(["F", "M"], 4), "band": ["0-19", "20-39", "40-64", "65+"] * 2, "N": [9800, 12500, 15300, 11200, 10300, 12900, 15000, 8700]})
smp = pop.loc[rng.choice(8, 700, p=[.05, .15, .2, .15, .05, .1, .2, .1])].reset_index(drop=True)
smp["psu"] = rng.integers(0, 25, 700)
true = smp.band.map({"0-19": .04, "20-39": .12, "40-64": .09, "65+": .05})
smp["pos"] = rng.binomial(1, np.clip(true * rng.gamma(9, 1 / 9, 25)[smp.psu], 0, 1))
n = smp.groupby(["sex", "band"]).size().rename("n").reset_index()
w = pop.merge(n, how="left").assign(w=lambda d: d.N / d.n)
smp = smp.merge(w[["sex", "band", "w"]], on=["sex", "band"], how="left", validate="m:1")
crude, wt = smp.pos.mean(), np.average(smp.pos, weights=smp.w)
u = smp.assign(z=smp.w * (smp.pos - wt)).groupby("psu").z.sum()
se = np.sqrt(len(u) / (len(u) - 1) * ((u - u.mean()) ** 2).sum()) / smp.w.sum()
deff = se ** 2 / (wt * (1 - wt) / len(smp))
print(f"crude {crude:.3f} weighted {wt:.3f} se {se:.4f} deff {deff:.2f}")
rg = lambda p, se=.9, sp=.99: np.clip((p + sp - 1) / (se + sp - 1), 0, 1)
print("Rogan-Gladen", round(rg(wt), 3), np.round(rg(np.array(proportion_confint(crude * 700 / deff, 700 / deff, method="beta"))), 3))

def rake(df, margins, tol=1e-8, maxiter=50):
    w = np.ones(len(df))
    for k in range(maxiter):
        old = w.copy()
        for col, target in margins.items():
            cur = pd.Series(w).groupby(df[col].values).sum()
            w *= df[col].map(target / cur).values
        if np.abs(w / old - 1).max() < tol:
            return w, k
    raise RuntimeError("raking did not converge")
marg = {"sex": pop.groupby("sex").N.sum(), "band": pop.groupby("band").N.sum()}
smp["rw"], it = rake(smp, marg)
print("raked in", it, "rounds", smp.groupby("sex").rw.sum().round(0).to_dict(), np.average(smp.pos, weights=smp.rw).round(3))
by = smp.groupby("band").apply(lambda g: pd.Series({"n": len(g), "p": np.average(g.pos, weights=g.w), "kish": g.w.sum() ** 2 / (g.w ** 2).sum()}), include_groups=False)
print(by.round(3))
m = smf.glm("pos ~ C(band, Treatment('65+')) + sex", smp, family=sm.families.Binomial(), freq_weights=smp.w / smp.w.mean()).fit(cov_type="cluster", cov_kwds={"groups": smp.psu})
print(pd.DataFrame({"OR": np.exp(m.params), "p": m.pvalues}).round(2))
grid = np.linspace(.001, .3, 300)
post = stats.binom.pmf(smp.pos.sum(), 700, grid * .9 + (1 - grid) * .01) * stats.beta.pdf(grid, 1, 9)
post /= np.trapezoid(post, grid)
cdf = np.cumsum(post) * (grid[1] - grid[0])
print("posterior", [round(float(grid[np.searchsorted(cdf, q)]), 3) for q in (.025, .5, .975)], DescrStatsW(smp.pos, weights=smp.w).std_mean.round(4))
sizes = np.arange(5, 60, 5)
pool = 1 - (1 - .05) ** sizes
print(pd.Series(1 / sizes + pool, index=sizes).idxmin())
