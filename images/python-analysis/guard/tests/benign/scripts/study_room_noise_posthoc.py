"""Noise levels in four rooms: ANOVA, Tukey and a power estimate."""
import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.multicomp import pairwise_tukeyhsd
from statsmodels.stats.power import FTestAnovaPower, TTestIndPower

rng = np.random.default_rng(3)
rooms = {"hall": 52, "cafe": 61, "library": 38, "office": 45}
df = pd.concat(
    [pd.DataFrame({"room": name, "db": rng.normal(mu, 4, 18)}) for name, mu in rooms.items()], ignore_index=True
)
model = ols("db ~ C(room)", df).fit()
table = anova_lm(model, typ=2)
print(table.round(3))
eta = table.loc["C(room)", "sum_sq"] / table["sum_sq"].sum()
print(f"eta squared {eta:.3f}")
print(pairwise_tukeyhsd(df["db"], df["room"]).summary())
print("normal residuals:", stats.shapiro(model.resid).pvalue > 0.05)
print("Bartlett", round(stats.bartlett(*[g["db"] for _, g in df.groupby("room")]).pvalue, 3))
print(f"n per group for d=0.5: {TTestIndPower().solve_power(0.5, power=0.8, alpha=0.05):.1f}")
print(f"anova power: {FTestAnovaPower().power(0.25, 72, 0.05, k_groups=4):.3f}")
rho, p = stats.spearmanr(df["db"], np.arange(len(df)))
print(f"rho={rho:.3f}")
kde = stats.gaussian_kde(df["db"])
print(np.round(kde([40, 50, 60]), 4))
table = pd.crosstab(df["room"], df["db"] > 50)
chi2, p, dof, expected = stats.chi2_contingency(table)
print(f"chi2={chi2:.2f} dof={dof} p={p:.2g}")
print(sm.stats.proportion_confint(12, 40, method="wilson"))
print(stats.mannwhitneyu(df.query("room=='hall'")["db"], df.query("room=='office'")["db"]).pvalue < 0.001)
print(stats.norm.interval(0.95, loc=10, scale=2), stats.t.ppf(0.975, 17).round(4))
