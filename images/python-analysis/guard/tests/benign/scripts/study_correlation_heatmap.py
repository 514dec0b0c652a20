import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from scipy.cluster.hierarchy import linkage, leaves_list
from scipy.spatial.distance import squareform
from scipy.stats import spearmanr

wide_labs = labs.pivot_table(index="patient_id", columns="test", values="value", aggfunc="mean")
vitals = visits.groupby("patient_id")[["sbp", "dbp", "hr", "weight"]].mean()
df = wide_labs.join(vitals).join(patients.set_index("patient_id")[["age", "bmi"]]).dropna()
corr = df.corr(method="spearman")
pvals = pd.DataFrame(spearmanr(df).pvalue, index=corr.index, columns=corr.columns)

order = leaves_list(linkage(squareform(1 - corr.abs(), checks=False), method="average"))
corr = corr.iloc[order, order]
pvals = pvals.iloc[order, order]
print(corr.round(2).to_string())
upper = corr.where(np.triu(np.ones(corr.shape, dtype=bool), k=1)).stack()
print("strongest pairs:")
print(upper.reindex(upper.abs().sort_values(ascending=False).index).head(3).round(3).to_string())

fig, ax = plt.subplots(figsize=(6, 5))
im = ax.imshow(corr, vmin=-1, vmax=1, cmap="RdBu_r")
ax.set_xticks(range(len(corr)), corr.columns, rotation=45, ha="right")
ax.set_yticks(range(len(corr)), corr.index)
for i in range(len(corr)):
    for j in range(len(corr)):
        star = "*" if pvals.iat[i, j] < 0.05 and i != j else ""
        ax.text(j, i, f"{corr.iat[i, j]:.2f}{star}", ha="center", va="center", fontsize=7)
fig.colorbar(im, ax=ax, shrink=0.8, label="Spearman")
fig.tight_layout()
plt.savefig(OUTPUT / "correlations.png")
