import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from scipy import stats
from scipy.special import inv_boxcox

rng = np.random.default_rng(6)
crp = pd.Series(rng.lognormal(mean=1.2, sigma=0.9, size=180), name="crp")

print(crp.describe(percentiles=[0.05, 0.25, 0.5, 0.75, 0.95]).round(2).to_string())
for label, values in [("raw", crp), ("log", np.log(crp))]:
    w, p = stats.shapiro(values)
    k2, pn = stats.normaltest(values)
    print(f"{label}: Shapiro W={w:.3f} p={p:.2g}, D'Agostino p={pn:.2g}, skew={stats.skew(values):.2f}")

bc, lam = stats.boxcox(crp)
print(f"Box-Cox lambda = {lam:.2f}; back-transformed mean = {inv_boxcox(bc.mean(), lam):.2f}; geometric mean = {stats.gmean(crp):.2f}")
ad = stats.anderson(np.log(crp), dist="norm")
print("Anderson-Darling below 5% critical value:", bool(ad.statistic < ad.critical_values[2]))

fig = plt.figure(figsize=(9, 3))
for i, (title, values) in enumerate({"CRP": crp, "log CRP": np.log(crp), "Box-Cox": pd.Series(bc)}.items(), 1):
    ax = fig.add_subplot(1, 3, i)
    ax.hist(values, bins=25, density=True, alpha=0.6)
    xs = np.linspace(values.min(), values.max(), 100)
    ax.plot(xs, stats.norm.pdf(xs, values.mean(), values.std()))
    ax.set_title(title)
fig.tight_layout()
fig.savefig(OUTPUT / "transform.png")
stats.probplot(np.log(crp), plot=plt.figure().gca())
plt.savefig(OUTPUT / "probplot.png")
