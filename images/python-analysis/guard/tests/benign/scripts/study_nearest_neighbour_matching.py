"""1:1 nearest neighbour matching on the logit of the propensity score, with a caliper."""
from typing import List, Tuple

import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy.spatial import cKDTree
from scipy import stats

df = patients.dropna(subset=["age", "bmi", "smoker"]).reset_index(drop=True)
df["smokes"] = (df["smoker"] == "yes").astype(int)
X = sm.add_constant(pd.get_dummies(df[["age", "bmi", "sex"]], drop_first=True, dtype=float))
fit = sm.Logit(df["smokes"], X).fit(disp=False)
df["lps"] = np.log(fit.predict(X) / (1 - fit.predict(X)))
caliper = 0.2 * df["lps"].std()

cases = df.index[df["smokes"] == 1]
controls = df.index[df["smokes"] == 0]
tree = cKDTree(df.loc[controls, ["lps"]].values)
used, pairs = set(), []  # type: Tuple[set, List[Tuple[int, int]]]
for i in cases:
    dist, idx = tree.query([df.at[i, "lps"]], k=min(5, len(controls)))
    for dd, j in zip(dist, idx):
        if dd <= caliper and controls[j] not in used:
            used.add(controls[j])
            pairs.append((i, controls[j]))
            break

print(f"{len(pairs)} pairs from {len(cases)} cases")
last = visits.sort_values("visit").groupby("patient_id")["sbp"].last()
sbp = df["patient_id"].map(last)
diffs = np.array([sbp[a] - sbp[b] for a, b in pairs])
diffs = diffs[~np.isnan(diffs)]
t = stats.ttest_1samp(diffs, 0)
print(f"mean paired difference {diffs.mean():.2f}, t={t.statistic:.2f}, p={t.pvalue:.3f}")
print("Wilcoxon p = {:.3f}".format(stats.wilcoxon(diffs).pvalue))
matched = pd.DataFrame(pairs, columns=["case", "control"]).assign(pair=lambda d: range(1, len(d) + 1))
matched.to_csv(OUTPUT / "pairs.csv", index=False)
print(matched.head())
