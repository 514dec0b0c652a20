"""A baseline table as in a paper: n, mean (SD), n (%), p-value."""
import pandas as pd
from scipy import stats

def continuous(df, column):
    groups = [g[column].dropna() for _, g in df.groupby("arm")]
    cells = [f"{g.mean():.1f} ({g.std():.1f})" for g in groups]
    return cells + [f"{stats.ttest_ind(*groups, equal_var=False).pvalue:.3f}"]

def categorical(df, column, level):
    table = pd.crosstab(df["arm"], df[column] == level)
    cells = [f"{row[True]} ({100 * row[True] / row.sum():.0f}%)" for _, row in table.iterrows()]
    return cells + [f"{stats.chi2_contingency(table)[1]:.3f}"]

rows = {
    "Age, years": continuous(patients, "age"),
    "BMI, kg/m²": continuous(patients, "bmi"),
    "Female": categorical(patients, "sex", "F"),
    "Smoker": categorical(patients, "smoker", "yes"),
}
table = pd.DataFrame.from_dict(rows, orient="index", columns=[*sorted(patients["arm"].unique()), "p"])
print(table.to_string())
table.to_csv(OUTPUT / "table1.csv")
(OUTPUT / "table1.txt").write_text(table.to_string(), encoding="utf-8")
