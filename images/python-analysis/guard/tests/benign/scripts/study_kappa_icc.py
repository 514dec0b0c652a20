"""Agreement between raters: Cohen, weighted and Fleiss kappa, ICC(2,1)."""
import numpy as np
import pandas as pd
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa, aggregate_raters

rng = np.random.default_rng(17)
truth = rng.choice([0, 1, 2], size=90, p=[0.5, 0.3, 0.2])
ratings = pd.DataFrame({
    f"rater{r}": np.where(rng.random(90) < 0.8, truth, rng.choice([0, 1, 2], 90)) for r in (1, 2, 3)
})

table = pd.crosstab(ratings["rater1"], ratings["rater2"])
k = cohens_kappa(table)
print(f"kappa = {k.kappa:.3f} (95% CI {k.kappa_low:.3f}, {k.kappa_upp:.3f})")
kw = cohens_kappa(table, wt="linear", return_results=False)
print(f"weighted kappa = {kw:.3f}")
counts, categories = aggregate_raters(ratings.to_numpy())
print("categories:", categories.tolist(), "Fleiss:", round(float(fleiss_kappa(counts)), 3))

scores = ratings.add(rng.normal(0, 0.3, ratings.shape))
n, m = scores.shape
grand = scores.values.mean()
ss_rows = m * ((scores.mean(axis=1) - grand) ** 2).sum()
ss_cols = n * ((scores.mean(axis=0) - grand) ** 2).sum()
ss_err = ((scores.values - grand) ** 2).sum() - ss_rows - ss_cols
ms_r, ms_c, ms_e = ss_rows / (n - 1), ss_cols / (m - 1), ss_err / ((n - 1) * (m - 1))
icc = (ms_r - ms_e) / (ms_r + (m - 1) * ms_e + m * (ms_c - ms_e) / n)
print(f"ICC(2,1) = {icc:.3f}")
