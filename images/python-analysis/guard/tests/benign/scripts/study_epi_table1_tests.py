"""Table 1 by arm with tests, mean (SD), median [IQR] and n (%)."""
import numpy as np
import pandas as pd
from scipy import stats

pd.set_option("display.width", 120, "display.max_columns", 20)

df = patients.copy()
df["smoker"] = df["smoker"].astype("category").cat.add_categories("missing").fillna("missing")
arms = sorted(df["arm"].unique())

def mean_sd(s):
    return f"{s.mean():.1f} ({s.std():.1f})"

def med_iqr(s):
    q = s.quantile([.25, .5, .75])
    return "{1:.1f} [{0:.1f}, {2:.1f}]".format(*q)

rows = []
for var, kind in [("age", "normal"), ("bmi", "skewed"), ("sex", "cat"), ("smoker", "cat"), ("site", "cat")]:
    groups = [g[var] for _, g in df.groupby("arm")]
    if kind == "cat":
        ct = pd.crosstab(df[var], df["arm"])
        chi2, p, *_ = stats.chi2_contingency(ct, correction=False)
        rows.append({"variable": f"{var}, n (%)", "p": p})
        pct = ct / ct.sum() * 100
        for lev in ct.index:
            rows.append({"variable": f"   {lev}", **{a: f"{ct.loc[lev, a]} ({pct.loc[lev, a]:.0f})" for a in arms}})
    else:
        f = mean_sd if kind == "normal" else med_iqr
        p = stats.ttest_ind(*groups, nan_policy="omit").pvalue if kind == "normal" else stats.mannwhitneyu(*[g.dropna() for g in groups]).pvalue
        rows.append({"variable": var, **{a: f(g) for a, g in zip(arms, groups)}, "p": p})
t1 = pd.DataFrame(rows, columns=["variable", *arms, "p"])
t1["p"] = t1["p"].map(lambda v: "" if pd.isna(v) else "<0.001" if v < .001 else f"{v:.3f}")
t1 = t1.fillna("").rename(columns={a: f"{a} (n={n})" for a, n in df["arm"].value_counts().items()})
print(t1.to_string(index=False))
t1.to_csv(OUTPUT / "table1.csv", index=False)
t1.to_html(OUTPUT / "table1.html", index=False, border=0, classes="table table-sm", justify="left")
t1.to_markdown(OUTPUT / "table1.md", index=False)
(OUTPUT / "table1.tex").write_text(t1.to_latex(index=False, caption="Baseline", label="tab:base", column_format="l" + "r" * (t1.shape[1] - 1)))
print(t1.to_markdown(index=False, tablefmt="github").splitlines()[0])
