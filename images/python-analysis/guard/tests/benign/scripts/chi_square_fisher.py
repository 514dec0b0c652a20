import numpy as np
import pandas as pd
from scipy.stats import chi2_contingency, fisher_exact, norm

table = pd.crosstab(patients["arm"], patients["smoker"])
print(table)
result = chi2_contingency(table, correction=False)
print(f"chi2={result.statistic:.3f} dof={result.dof} p={result.pvalue:.4f}")
print(np.round(result.expected_freq, 1))
odds, p = fisher_exact(table[["no", "yes"]])
print(f"OR={odds:.3f} p={p:.4f}")

def wilson(k, n, level=0.95):
    z = norm.ppf(1 - (1 - level) / 2)
    centre = (k + z * z / 2) / (n + z * z)
    half = z * np.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    return centre - half, centre + half

for arm, row in table.iterrows():
    low, high = wilson(row["yes"], row.sum())
    print(f"{arm}: {row['yes']}/{row.sum()} = {row['yes'] / row.sum():.1%} [{low:.1%}, {high:.1%}]")
