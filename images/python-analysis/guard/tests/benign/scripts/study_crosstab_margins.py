import pandas as pd
from scipy.stats import chi2_contingency, fisher_exact

df = patients.copy()
df["smoker"] = df["smoker"].fillna("unknown")

print(pd.crosstab(df["arm"], df["sex"], margins=True, margins_name="Total"))
print()
print(pd.crosstab(df["arm"], [df["site"], df["sex"]], normalize="index").round(3))
print()
print(pd.crosstab(df["site"], df["smoker"], values=df["bmi"], aggfunc="mean").round(2))

tab = pd.crosstab(df["arm"], df["smoker"])
chi2, p, dof, expected = chi2_contingency(tab)
print(f"\nchi2({dof}) = {chi2:.3f}, p = {p:.4f}")
print(pd.DataFrame(expected, index=tab.index, columns=tab.columns).round(1))

two_by_two = tab[["no", "yes"]]
odds, pf = fisher_exact(two_by_two)
print(f"Fisher exact: OR = {odds:.3f}, p = {pf:.4f}")

n = tab.to_numpy().sum()
cramers_v = (chi2 / (n * (min(tab.shape) - 1))) ** 0.5
print(f"Cramer's V = {cramers_v:.3f}")
tab.to_html(OUTPUT / "crosstab.html", classes="table", border=0)
